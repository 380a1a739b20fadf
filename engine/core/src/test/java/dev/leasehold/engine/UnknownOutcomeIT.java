package dev.leasehold.engine;

import static dev.leasehold.engine.TestEngine.granted;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Hooks.Point;
import dev.leasehold.engine.Refusal.Reason;
import dev.leasehold.replicaset.ActiveFailPoint;
import dev.leasehold.replicaset.FailPoint;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Commits whose answer is lost: never a wrong yes, never a wrong no. */
@WithReplicaSet
class UnknownOutcomeIT {

    private static final Duration MINUTE = ofSeconds(60);
    /** Without a label, so that the driver neither retries nor looks for another server. The command is not carried out. */
    private static final int MAX_TIME_EXPIRED = 50;
    /** Likewise, and not taken for a document that is being written by somebody else. */
    private static final int INTERRUPTED = 11601;
    private static final int NO_SUCH_TRANSACTION = 251;
    /** Of a write concern that cannot be satisfied. The command is carried out. */
    private static final int UNSATISFIABLE_WRITE_CONCERN = 100;

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

    @Test
    @DisplayName("Never again 6, UO-1: applied, the answer lost, and the commit sent again answers: yes, with one effect")
    void aRepeatedCommitAnswers() throws InterruptedException {
        fail(commits().withWriteConcernError(UNSATISFIABLE_WRITE_CONCERN).times(1));

        Tenure tenure = a.claims("name", "h", MINUTE);

        assertThat(tenure.token()).isEqualTo(1);
        assertThat(engines.shortForm("name")).isEqualTo("h/1");
        assertThat(a.engine().isHeld(tenure)).isTrue();
    }

    @Test
    @DisplayName("UO-2: the commit says that there is no such transaction: tried again with a new stamp, one token step")
    void noSuchTransactionIsANo() throws InterruptedException {
        fail(commits().withErrorCode(NO_SUCH_TRANSACTION).times(1));

        assertThat(a.claims("name", "h", MINUTE).token()).isEqualTo(1);

        assertThat(a.hooks().commands("commitTransaction")).hasSize(3);
    }

    @Test
    @DisplayName("Never again 6, UO-3: it had landed, and only the entry behind a barrier tells: yes")
    void whatLandedIsFoundBehindTheBarrier() throws InterruptedException {
        fail(commits().withWriteConcernError(UNSATISFIABLE_WRITE_CONCERN));

        Tenure tenure = a.claims("name", "h", MINUTE);

        assertThat(engines.shortForm("name")).isEqualTo("h/1");
        assertThat(a.engine().isHeld(tenure)).isTrue();
    }

    @Test
    @DisplayName("UO-4: it had not landed, and the barrier ended it: tried again, one effect")
    void whatDidNotLandIsTriedAgain() throws InterruptedException {
        fail(commits().withErrorCode(MAX_TIME_EXPIRED).times(2));

        assertThat(a.claims("name", "h", MINUTE).token()).isEqualTo(1);

        assertThat(engines.shortForm("name")).isEqualTo("h/1");
    }

    @Test
    @DisplayName("UO-4: with retryable writes switched off on the client it is the same")
    void theBarrierDoesNotRestOnRetryableWrites() throws InterruptedException {
        TestEngine plain = engines.startWith("plain", client -> client.retryWrites(false));
        plain.claims("other", "h", MINUTE);
        fail(commits().withErrorCode(MAX_TIME_EXPIRED).times(2));

        assertThat(plain.claims("name", "h", MINUTE).token()).isEqualTo(1);
    }

    @Test
    @DisplayName("UO-5: nothing gets through: unknown, no belief, and the definite answer when the database is back")
    void unknownUntilTheDatabaseIsBack() throws Exception {
        dieAtTheCommit();

        LeaseOutcomeUnknownException unknown =
                catchThrowableOfType(LeaseOutcomeUnknownException.class, () -> a.engine().claim("name", "h", MINUTE));

        assertThat(unknown).hasMessageContaining("'name'");
        assertThat(unknown.resolution().toCompletableFuture()).isNotDone();
        comeBackAfterTheBarrierBegan();
        assertThatThrownBy(() -> unknown.resolution().toCompletableFuture().get(30, TimeUnit.SECONDS))
                .hasCauseInstanceOf(LeaseUnavailableException.class);
        assertThat(engines.shortForm("name")).isEqualTo("none");
        assertThat(a.claims("name", "h", MINUTE).token()).isEqualTo(1);
    }

    /** From the commit on nothing is carried out, and what was behind the barrier cannot be read; the budget is over. */
    private void dieAtTheCommit() {
        a.hooks().once(Point.BEFORE_COMMIT, () -> {
            a.clock().advance(ofSeconds(11));
            dead = fail(FailPoint.failCommands("commitTransaction", "find", "update").withErrorCode(INTERRUPTED));
        });
    }

    /** Two commits and the first write of the barrier have failed: from here on no commit is sent any more. */
    private void comeBackAfterTheBarrierBegan() {
        dead.awaitEntered(3, ofSeconds(30));
        dead.close();
    }

    @Test
    @DisplayName("UO-5: a yes that comes late forms no belief")
    void aLateYesFormsNoBelief() throws Exception {
        ActiveFailPoint deaf = fail(commits().withWriteConcernError(UNSATISFIABLE_WRITE_CONCERN));
        a.hooks().once(Point.BEFORE_COMMIT, () -> a.clock().advance(ofSeconds(11)));

        LeaseOutcomeUnknownException unknown =
                catchThrowableOfType(LeaseOutcomeUnknownException.class, () -> a.engine().claim("name", "h", MINUTE));

        LeaseAnswer late = unknown.resolution().toCompletableFuture().get(30, TimeUnit.SECONDS);
        deaf.close();
        assertThat(granted(late).token()).isEqualTo(1);
        assertThat(a.engine().isHeld(granted(late))).isFalse();
        assertThat(engines.shortForm("name")).isEqualTo("h/1");
    }

    @Test
    @DisplayName("UO-7: an extend with unknown outcome leaves the old belief until its own end")
    void anUnknownExtendKeepsTheOldBelief() throws Exception {
        dieAtTheCommit();

        assertThatThrownBy(() -> a.engine().extend(held, ofSeconds(600)))
                .isInstanceOf(LeaseOutcomeUnknownException.class);

        assertThat(a.engine().remaining(held)).isEqualTo(ofSeconds(49));
        dead.close();
    }

    @Test
    @DisplayName("UO-8: a release with unknown outcome is not held at once, and disturbs no later claim")
    void anUnknownReleaseIsNotHeld() throws Exception {
        dieAtTheCommit();

        LeaseOutcomeUnknownException unknown =
                catchThrowableOfType(LeaseOutcomeUnknownException.class, () -> a.engine().release(held));

        assertThat(a.engine().isHeld(held)).isFalse();
        comeBackAfterTheBarrierBegan();
        assertThatThrownBy(() -> unknown.resolution().toCompletableFuture().get(30, TimeUnit.SECONDS))
                .hasCauseInstanceOf(LeaseUnavailableException.class);
        TestEngine.refused(a.engine().claim("held", "h2", MINUTE), Reason.HELD);
    }

    @Test
    @DisplayName("UO-9: a commit held up in the server is over before anything is answered")
    void aCommitHeldUpInTheServerIsOverBeforeTheAnswer() throws InterruptedException {
        TestEngine hasty = engines.startWith(
                "hasty", client -> client.applyToSocketSettings(socket -> socket.readTimeout(300, TimeUnit.MILLISECONDS)));
        hasty.claims("other", "h", MINUTE);
        fail(commits().blocking(ofSeconds(3)).times(2));

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
        a.hooks().once(Point.BEFORE_COMMIT, () -> a.hooks().once(Point.BEFORE_READ, engines::removeAllWriters));

        LeaseOutcomeUnknownException unknown =
                catchThrowableOfType(LeaseOutcomeUnknownException.class, () -> a.engine().claim("name", "h", MINUTE));

        assertThat(unknown.resolution().toCompletableFuture()).isCompletedExceptionally();
        assertThat(engines.shortForm("name")).isEqualTo("none");
    }
}
