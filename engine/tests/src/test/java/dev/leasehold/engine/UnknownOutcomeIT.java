package dev.leasehold.engine;

import static dev.leasehold.engine.TestEngine.granted;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.mongodb.ConnectionString;
import com.mongodb.MongoCommandException;
import com.mongodb.event.CommandFailedEvent;
import com.mongodb.event.CommandListener;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Hooks.Point;
import dev.leasehold.engine.Refusal.Reason;
import dev.leasehold.replicaset.ActiveFailPoint;
import dev.leasehold.replicaset.ClientNetwork;
import dev.leasehold.replicaset.FailPoint;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Commits whose answer is lost: never a wrong yes, never a wrong no.
 *
 * <table>
 *   <caption>Rows, each with and without retryable writes</caption>
 *   <tr><th>what happens to the commit</th><th>where</th></tr>
 *   <tr><td>connection closed before it was applied</td><td>{@link Trouble#CLOSED_ONCE} to {@link
 *       Trouble#CLOSED_UNTIL_THE_BARRIER}</td></tr>
 *   <tr><td>connection closed after it was applied</td><td>{@link FailOverIT}</td></tr>
 *   <tr><td>delayed in the server, when the client has given up</td><td>{@link Trouble#DELAYED}, {@link Trouble#DELAYED_UNTIL_THE_BARRIER}</td></tr>
 *   <tr><td>write-concern error with a label</td><td>{@link Trouble#LABELLED_ONCE}, {@link Trouble#LABELLED}</td></tr>
 *   <tr><td>write-concern error without a label</td><td>{@link Trouble#UNLABELLED_ONCE}, {@link
 *       Trouble#UNLABELLED}</td></tr>
 *   <tr><td>error, not applied</td><td>{@link Trouble#REFUSED}, {@link Trouble#NO_SUCH_TRANSACTION}</td></tr>
 *   <tr><td>primary killed, or stepping down</td><td>{@link FailOverIT}</td></tr>
 *   <tr><td>nothing gets through for longer than the budget</td><td>UO-5, UO-8</td></tr>
 * </table>
 */
class UnknownOutcomeIT extends WithEngines {

    private static final Duration MINUTE = ofSeconds(60);
    /** Without a label, so that the driver neither retries nor looks for another server. The command is not carried out. */
    private static final int MAX_TIME_EXPIRED = 50;
    /** Likewise, and not taken for a document that is being written by another writer. */
    private static final int INTERRUPTED = 11601;

    private static final int NO_SUCH_TRANSACTION = 251;
    /** Of a write concern that cannot be satisfied. The command is carried out. */
    private static final int UNSATISFIABLE_WRITE_CONCERN = 100;
    /** The driver gives it the label of an unknown commit. The command is carried out. */
    private static final int WRITE_CONCERN_TIMEOUT = 64;

    enum Trouble {
        CLOSED_ONCE(commits().closingConnection().times(1)),
        CLOSED_UNTIL_REPEATED(commits().closingConnection().times(2)),
        CLOSED_UNTIL_THE_BARRIER(commits().closingConnection().times(4)),
        DELAYED(commits().blocking(ofSeconds(3)).times(2)),
        DELAYED_UNTIL_THE_BARRIER(commits().blocking(ofSeconds(3)).times(4)),
        LABELLED_ONCE(commits().withWriteConcernError(WRITE_CONCERN_TIMEOUT).times(1)),
        LABELLED(commits().withWriteConcernError(WRITE_CONCERN_TIMEOUT)),
        UNLABELLED_ONCE(
                commits().withWriteConcernError(UNSATISFIABLE_WRITE_CONCERN).times(1)),
        UNLABELLED(commits().withWriteConcernError(UNSATISFIABLE_WRITE_CONCERN)),
        REFUSED(commits().withErrorCode(MAX_TIME_EXPIRED).times(2)),
        NO_SUCH_TRANSACTION(
                commits().withErrorCode(UnknownOutcomeIT.NO_SUCH_TRANSACTION).times(1));

        private final FailPoint failPoint;

        Trouble(FailPoint failPoint) {
            this.failPoint = failPoint;
        }
    }

    private TestEngine a;
    private Tenure held;
    private volatile ActiveFailPoint dead;

    @BeforeEach
    void startOne() throws InterruptedException {
        a = engines.start("a");
        held = a.claims("held", "h", MINUTE);
    }

    private static FailPoint commits() {
        return FailPoint.failCommands("commitTransaction");
    }

    /** Nothing else than these, and the barrier is the only write of the clock alone. */
    private void assertSent(int transactions, int commits, int barriers) {
        assertThat(a.hooks().transactions()).as("transactions").hasSize(transactions);
        assertThat(a.hooks().commands("commitTransaction")).as("commits").hasSize(commits);
        assertThat(a.hooks().clockWrites()).as("barriers").hasSize(barriers);
    }

    @Test
    @DisplayName(
            "Never again 6, UO-1: applied, the answer lost, and the commit sent again answers: yes, with one effect")
    void aRepeatedCommitAnswers() throws InterruptedException {
        engines.fail(
                commits().withWriteConcernError(UNSATISFIABLE_WRITE_CONCERN).times(1));
        a.hooks().forgetCommands();

        Tenure tenure = a.claims("name", "h", MINUTE);

        assertSent(1, 2, 0);
        assertThat(tenure.token()).isEqualTo(1);
        assertThat(engines.shortForm("name")).isEqualTo("h/1");
        assertThat(a.engine().tenures().isHeld(tenure)).isTrue();
    }

    @Test
    @DisplayName("Never again 6, UO-3: it had landed, and only the entry behind a barrier tells: yes")
    void whatLandedIsFoundBehindTheBarrier() throws InterruptedException {
        engines.fail(commits().withWriteConcernError(UNSATISFIABLE_WRITE_CONCERN));
        a.hooks().forgetCommands();

        Tenure tenure = a.claims("name", "h", MINUTE);

        assertSent(1, 2, 1);
        assertThat(engines.shortForm("name")).isEqualTo("h/1");
        assertThat(a.engine().tenures().isHeld(tenure)).isTrue();
    }

    static Stream<Arguments> rows() {
        return Stream.of(Trouble.values())
                .flatMap(trouble -> Stream.of(true, false).map(retryWrites -> Arguments.of(trouble, retryWrites)));
    }

    @ParameterizedTest(name = "{0}, retryWrites={1}")
    @MethodSource("rows")
    @DisplayName("Every trouble that ends within the budget ends in a yes, with one effect")
    void troubleThatEndsEndsInAYes(Trouble trouble, boolean retryWrites) throws InterruptedException {
        TestEngine b = engines.startWith(
                "b",
                client -> client.retryWrites(retryWrites)
                        .applyToSocketSettings(socket -> socket.readTimeout(1, TimeUnit.SECONDS)));
        Tenure before = b.claims("before", "h", MINUTE);
        ActiveFailPoint active = engines.fail(trouble.failPoint);

        Tenure tenure = b.claims("name", "h", MINUTE);

        assertThat(active.timesEntered()).isPositive();
        active.close();
        assertThat(tenure.token()).isEqualTo(1);
        assertThat(b.engine().tenures().isHeld(tenure)).isTrue();
        assertThat(engines.shortForm("name")).isEqualTo("h/1");
        b.releases(before);
        b.releases(tenure);
        assertThat(engines.shortForm("name")).as("nothing comes after").isEqualTo("-/1");
    }

    @ParameterizedTest(name = "retryWrites={0}")
    @ValueSource(booleans = {true, false})
    @DisplayName("UO-5: nothing gets through: unknown, no validity, and the definite answer when the database is back")
    void unknownUntilTheDatabaseIsBack(boolean retryWrites) throws Exception {
        a = engines.startWith("b", client -> client.retryWrites(retryWrites));
        a.claims("before", "h", MINUTE);
        dieAtTheCommit();

        LeaseOutcomeUnknownException unknown = catchThrowableOfType(
                LeaseOutcomeUnknownException.class, () -> a.engine().tenures().claim("name", "h", MINUTE));

        assertThat(a.engine().tenures().isHeld(new Tenure(Engines.NAMESPACE, "name", "h", 1)))
                .isFalse();

        assertThat(unknown).hasMessageContaining("'name'");
        assertThat(unknown.resolution().toCompletableFuture()).isNotDone();
        comeBackAfterTheBarrierBegan();
        assertThatThrownBy(() -> unknown.resolution().toCompletableFuture().get(1, TimeUnit.MINUTES))
                .hasCauseInstanceOf(LeaseUnavailableException.class);
        assertThat(engines.shortForm("name")).isEqualTo("none");
        assertThat(a.claims("name", "h", MINUTE).token()).isEqualTo(1);
    }

    /** From the commit on nothing is carried out, and what was behind the barrier cannot be read; the budget is over. */
    private void dieAtTheCommit() {
        a.hooks().once(Point.BEFORE_COMMIT, () -> {
            a.clock().advance(ofSeconds(11));
            dead = engines.fail(FailPoint.failCommands("commitTransaction", "find", "update")
                    .withErrorCode(INTERRUPTED));
        });
    }

    /** Two commits and the first write of the barrier have failed: from here on no commit is sent any more. */
    private void comeBackAfterTheBarrierBegan() {
        dead.awaitEntered(3, ofSeconds(30));
        dead.close();
    }

    @Test
    @DisplayName(
            "UO-6: an update that landed and whose reply is lost cannot commit: it blocks the clock until it is tried again")
    void anUpdateWhoseReplyIsLostIsTriedAgain() throws Exception {
        CompletableFuture<Void> givenUp = new CompletableFuture<>();
        CommandListener listener = new CommandListener() {
            @Override
            public void commandFailed(CommandFailedEvent event) {
                givenUp.complete(null);
            }
        };
        try (ClientNetwork network = ClientNetwork.open()) {
            TestEngine b = engines.startWith(
                    "b",
                    client -> client.applyConnectionString(new ConnectionString(
                                    network.uri(engines.database().uri())))
                            .addCommandListener(listener)
                            .applyToServerSettings(server -> server.heartbeatFrequency(500, TimeUnit.MILLISECONDS))
                            .applyToClusterSettings(cluster -> cluster.serverSelectionTimeout(2, TimeUnit.SECONDS))
                            .applyToSocketSettings(socket ->
                                    socket.connectTimeout(1, TimeUnit.SECONDS).readTimeout(1, TimeUnit.SECONDS)));
            b.claims("before", "h", MINUTE);
            b.hooks().forgetCommands();
            b.hooks().once(Point.BEFORE_UPDATE, () -> network.cut(ClientNetwork.Cut.WITHOUT_ANSWERS));

            CompletableFuture<Acquisition> answer = b.engine()
                    .tryAcquireAsync(LeaseRequest.of("name").holder("h").term(MINUTE))
                    .toCompletableFuture();
            givenUp.get(1, TimeUnit.MINUTES);
            engines.untilATransactionIsOpen();
            assertThatThrownBy(() -> ForeignTransaction.on(engines, Engines.NAMESPACE))
                    .isInstanceOf(MongoCommandException.class)
                    .hasMessageContaining("WriteConflict");
            network.mend();

            assertThat(answer.get(60, TimeUnit.SECONDS).orElseThrow().token()).isEqualTo(1);
            assertThat(b.hooks().transactions()).hasSizeGreaterThan(1);
            assertThat(b.hooks().commands("commitTransaction")).hasSize(1);
            assertThat(engines.shortForm("name")).isEqualTo("h/1");
            b.close();
        }
    }

    @Test
    @DisplayName("UO-8: a release with unknown outcome is not held at once, also when it turns out not to have landed")
    void anUnknownReleaseIsNotHeld() throws Exception {
        dieAtTheCommit();

        LeaseOutcomeUnknownException unknown = catchThrowableOfType(
                LeaseOutcomeUnknownException.class, () -> a.engine().tenures().release(held));

        assertThat(a.engine().tenures().isHeld(held)).isFalse();
        comeBackAfterTheBarrierBegan();
        assertThatThrownBy(() -> unknown.resolution().toCompletableFuture().get(1, TimeUnit.MINUTES))
                .hasCauseInstanceOf(LeaseUnavailableException.class);
        TestEngine.refused(a.engine().tenures().claim("held", "h2", MINUTE), Reason.HELD);
        assertThat(a.engine().tenures().isHeld(held)).isFalse();
    }

    @Test
    @DisplayName(
            "UO-8: a release with unknown outcome that has landed is found out in the background, and disturbs no later claim")
    void anUnknownReleaseDisturbsNoLaterClaim() throws Exception {
        TestEngine b = engines.start("b");
        ActiveFailPoint deaf = engines.fail(commits().withWriteConcernError(UNSATISFIABLE_WRITE_CONCERN));
        a.hooks().once(Point.BEFORE_COMMIT, () -> a.clock().advance(ofSeconds(11)));
        CompletableFuture<Tenure> next = new CompletableFuture<>();
        // By the barrier: the release has landed by then, and its engine does not know yet.
        a.hooks().once(Point.BEFORE_CLOCK_WRITE, () -> next.complete(b.claims("held", "h2", MINUTE)));

        LeaseOutcomeUnknownException unknown = catchThrowableOfType(
                LeaseOutcomeUnknownException.class, () -> a.engine().tenures().release(held));

        assertThat(a.engine().tenures().isHeld(held)).isFalse();
        assertThat(granted(unknown.resolution().toCompletableFuture().get(1, TimeUnit.MINUTES)))
                .isEqualTo(held);
        deaf.close();
        assertThat(next).isCompleted();
        assertThat(next.join().token()).isEqualTo(2);
        assertThat(b.engine().tenures().isHeld(next.join())).isTrue();
        assertThat(engines.shortForm("held")).isEqualTo("h2/2");
    }

    @Test
    @DisplayName("UO-9: the barrier waits behind an open transaction, and nothing is answered before")
    void nothingIsAnsweredWhileTheBarrierWaits() throws Exception {
        engines.fail(commits().withWriteConcernError(UNSATISFIABLE_WRITE_CONCERN));
        CompletableFuture<ForeignTransaction> blocker = new CompletableFuture<>();
        a.hooks()
                .once(
                        Point.BEFORE_CLOCK_WRITE,
                        () -> blocker.complete(ForeignTransaction.on(engines, Engines.NAMESPACE)));

        CompletableFuture<Acquisition> answer = a.engine()
                .tryAcquireAsync(LeaseRequest.of("name").holder("h").term(MINUTE))
                .toCompletableFuture();
        try (ForeignTransaction open = blocker.get(1, TimeUnit.MINUTES)) {
            engines.untilAnUpdateIsUnderWay();
            assertThat(engines.shortForm("name")).as("it has landed").isEqualTo("h/1");
            assertThat(answer).isNotDone();
            open.commits();
        }

        assertThat(answer.get(1, TimeUnit.MINUTES).orElseThrow().token()).isEqualTo(1);
    }
}
