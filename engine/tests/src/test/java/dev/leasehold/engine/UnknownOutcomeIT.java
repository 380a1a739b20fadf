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
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
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
 *   <tr><td>connection closed before it was applied</td><td>{@link NetworkFault#CLOSED_ONCE} to {@link
 *       Trouble#CLOSED_UNTIL_THE_BARRIER}</td></tr>
 *   <tr><td>connection closed after it was applied</td><td>{@link FailOverIT}</td></tr>
 *   <tr><td>delayed in the server, when the client has given up</td><td>{@link NetworkFault#DELAYED}</td></tr>
 *   <tr><td>write-concern error with a label</td><td>{@link NetworkFault#LABELLED_ONCE}, {@link NetworkFault#LABELLED}</td></tr>
 *   <tr><td>write-concern error without a label</td><td>{@link NetworkFault#UNLABELLED_ONCE}, {@link
 *       Trouble#UNLABELLED}</td></tr>
 *   <tr><td>error, not applied</td><td>{@link NetworkFault#REFUSED}, {@link NetworkFault#NO_SUCH_TRANSACTION}</td></tr>
 *   <tr><td>primary killed, or stepping down</td><td>{@link FailOverIT}</td></tr>
 *   <tr><td>nothing gets through for longer than the budget</td><td>UO-5, UO-7, UO-8</td></tr>
 * </table>
 */
@WithReplicaSet
class UnknownOutcomeIT {

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

    private TestDatabase database;
    private Engines engines;
    private TestEngine a;
    private Tenure held;
    private volatile ActiveFailPoint dead;

    @BeforeEach
    void start(TestDatabase fresh) throws InterruptedException {
        database = fresh;
        engines = new Engines(database);
        a = engines.start("a");
        held = a.claims("held", "h", MINUTE);
    }

    @AfterEach
    void check() {
        engines.close();
    }

    private ActiveFailPoint fail(FailPoint failPoint) {
        return database.activate(failPoint.forAppName(database.name()));
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
        fail(commits().withWriteConcernError(UNSATISFIABLE_WRITE_CONCERN).times(1));
        a.hooks().forgetCommands();

        Tenure tenure = a.claims("name", "h", MINUTE);

        assertSent(1, 2, 0);
        assertThat(tenure.token()).isEqualTo(1);
        assertThat(engines.shortForm("name")).isEqualTo("h/1");
        assertThat(a.engine().tenures().isHeld(tenure)).isTrue();
    }

    @Test
    @DisplayName(
            "UO-2: the commit says that there is no such transaction: tried again with a new stamp, one token step")
    void noSuchTransactionIsANo() throws InterruptedException {
        fail(commits().withErrorCode(NO_SUCH_TRANSACTION).times(1));
        a.hooks().forgetCommands();

        assertThat(a.claims("name", "h", MINUTE).token()).isEqualTo(1);

        assertSent(2, 2, 0);
        assertThat(a.hooks().transactions()).extracting(BsonDocument::toString).doesNotHaveDuplicates();
        assertThat(engines.shortForm("name")).isEqualTo("h/1");
    }

    @Test
    @DisplayName("Never again 6, UO-3: it had landed, and only the entry behind a barrier tells: yes")
    void whatLandedIsFoundBehindTheBarrier() throws InterruptedException {
        fail(commits().withWriteConcernError(UNSATISFIABLE_WRITE_CONCERN));
        a.hooks().forgetCommands();

        Tenure tenure = a.claims("name", "h", MINUTE);

        assertSent(1, 2, 1);
        assertThat(engines.shortForm("name")).isEqualTo("h/1");
        assertThat(a.engine().tenures().isHeld(tenure)).isTrue();
    }

    @Test
    @DisplayName("UO-4: it had not landed, and the barrier ended it: tried again, one effect")
    void whatDidNotLandIsTriedAgain() throws InterruptedException {
        fail(commits().withErrorCode(MAX_TIME_EXPIRED).times(2));
        a.hooks().forgetCommands();

        assertThat(a.claims("name", "h", MINUTE).token()).isEqualTo(1);

        assertSent(2, 3, 1);
        assertThat(engines.shortForm("name")).isEqualTo("h/1");
    }

    @Test
    @DisplayName(
            "UO-4: it had not landed, and its writer was evicted meanwhile: the untouched lease tells, and it is tried again")
    void whatDidNotLandIsToldByTheLeaseWhereTheWriterWasEvicted() throws InterruptedException {
        TestEngine b = engines.start("b");
        b.engine().tenures().release(b.claims("name", "h2", MINUTE));
        fail(commits().withErrorCode(MAX_TIME_EXPIRED).times(2));
        a.hooks().once(Point.AFTER_CLOCK_WRITE, () -> engines.removeEntry(a.writer()));

        Tenure tenure = a.claims("name", "h", MINUTE);

        assertThat(tenure.token()).isEqualTo(2);
        assertThat(a.engine().tenures().isHeld(tenure)).isTrue();
        assertThat(engines.shortForm("name")).isEqualTo("h/2");
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
        ActiveFailPoint active = fail(trouble.failPoint);

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
            dead = fail(FailPoint.failCommands("commitTransaction", "find", "update")
                    .withErrorCode(INTERRUPTED));
        });
    }

    /** Two commits and the first write of the barrier have failed: from here on no commit is sent any more. */
    private void comeBackAfterTheBarrierBegan() {
        dead.awaitEntered(3, ofSeconds(30));
        dead.close();
    }

    @Test
    @DisplayName("UO-5: a yes that comes late forms no validity")
    void aLateYesFormsNoValidity() throws Exception {
        ActiveFailPoint deaf = fail(commits().withWriteConcernError(UNSATISFIABLE_WRITE_CONCERN));
        a.hooks().once(Point.BEFORE_COMMIT, () -> a.clock().advance(ofSeconds(11)));

        LeaseOutcomeUnknownException unknown = catchThrowableOfType(
                LeaseOutcomeUnknownException.class, () -> a.engine().tenures().claim("name", "h", MINUTE));

        LeaseResult late = unknown.resolution().toCompletableFuture().get(1, TimeUnit.MINUTES);
        deaf.close();
        assertThat(granted(late).token()).isEqualTo(1);
        assertThat(a.engine().tenures().isHeld(granted(late))).isFalse();
        assertThat(engines.shortForm("name")).isEqualTo("h/1");
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
                    client -> client.applyConnectionString(new ConnectionString(network.uri(database.uri())))
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
    @DisplayName("UO-7: an extend with unknown outcome leaves the old validity until its own end")
    void anUnknownExtendKeepsTheOldValidity() throws Exception {
        dieAtTheCommit();

        assertThatThrownBy(() -> a.engine().tenures().extend(held, ofSeconds(600)))
                .isInstanceOf(LeaseOutcomeUnknownException.class);

        assertThat(a.engine().tenures().remaining(held)).isEqualTo(ofSeconds(49));
        dead.close();
    }

    @Test
    @DisplayName("UO-7: the same for an extend that has landed, when that is known")
    void aLateYesToAnExtendKeepsTheOldValidity() throws Exception {
        ActiveFailPoint deaf = fail(commits().withWriteConcernError(UNSATISFIABLE_WRITE_CONCERN));
        a.hooks().once(Point.BEFORE_COMMIT, () -> a.clock().advance(ofSeconds(11)));

        LeaseOutcomeUnknownException unknown = catchThrowableOfType(
                LeaseOutcomeUnknownException.class, () -> a.engine().tenures().extend(held, ofSeconds(600)));

        assertThat(granted(unknown.resolution().toCompletableFuture().get(1, TimeUnit.MINUTES)))
                .isEqualTo(held);
        deaf.close();
        assertThat(a.engine().tenures().remaining(held)).isEqualTo(ofSeconds(49));
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
        ActiveFailPoint deaf = fail(commits().withWriteConcernError(UNSATISFIABLE_WRITE_CONCERN));
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
        fail(commits().withWriteConcernError(UNSATISFIABLE_WRITE_CONCERN));
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

    @ParameterizedTest(name = "{0} times")
    @ValueSource(ints = {2, 4})
    @DisplayName("A commit held up in the server has one effect, whether its repetition tells or the barrier")
    void aCommitHeldUpInTheServerIsOverBeforeTheAnswer(int times) throws InterruptedException {
        TestEngine hasty = engines.startWith(
                "hasty", client -> client.applyToSocketSettings(socket -> socket.readTimeout(1, TimeUnit.SECONDS)));
        hasty.claims("other", "h", MINUTE);
        fail(commits().blocking(ofSeconds(3)).times(times));

        Tenure tenure = hasty.claims("name", "h", MINUTE);

        assertThat(engines.shortForm("name")).isEqualTo("h/" + tenure.token());
        assertThat(tenure.token()).isEqualTo(1);
    }

    @Test
    void theEntryGoneMeanwhileIsToldByTheLease() throws InterruptedException {
        fail(commits().withWriteConcernError(UNSATISFIABLE_WRITE_CONCERN));
        a.hooks().always(Point.AFTER_COMMIT, engines::removeAllWriters);

        assertThat(a.claims("name", "h", MINUTE).token()).isEqualTo(1);
    }

    @Test
    void theEntryGoneAndTheLeaseNotWrittenIsNeverKnown() throws InterruptedException {
        fail(commits().withErrorCode(MAX_TIME_EXPIRED));
        // Not before the barrier: until then the entries cannot be written by others.
        a.hooks().once(Point.BEFORE_CLOCK_WRITE, () -> a.hooks().once(Point.BEFORE_READ, engines::removeAllWriters));

        LeaseOutcomeUnknownException unknown = catchThrowableOfType(
                LeaseOutcomeUnknownException.class, () -> a.engine().tenures().claim("name", "h", MINUTE));

        assertThat(unknown.resolution().toCompletableFuture()).isCompletedExceptionally();
        assertThat(engines.shortForm("name")).isEqualTo("none");
    }
}
