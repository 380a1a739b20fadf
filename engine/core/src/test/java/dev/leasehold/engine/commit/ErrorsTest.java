package dev.leasehold.engine.commit;

import static dev.leasehold.engine.commit.HandEngine.BUDGET;
import static dev.leasehold.engine.commit.HandEngine.SECOND;
import static dev.leasehold.engine.commit.HandEngine.SESSION;
import static dev.leasehold.engine.commit.HandEngine.granted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.byhand.LogCapture;
import dev.leasehold.engine.byhand.ScriptedStore;
import dev.leasehold.engine.protocol.Request;
import dev.leasehold.engine.store.ClockWrite;
import dev.leasehold.engine.store.WriteOutcome;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Memory that runs out at one place, for a moment, ends what it happened to, and not the engine. */
class ErrorsTest {

    /** It stands for an {@link OutOfMemoryError}, which would end the tests as well. */
    private static final Error NO_MEMORY = new InternalError("out of memory");

    private final HandEngine a = new HandEngine();
    private LogCapture log;

    @BeforeEach
    void captureLog() {
        log = new LogCapture();
    }

    @AfterEach
    void stopLog() {
        log.close();
    }

    private void runOutOfMemoryWithin(long nanos) {
        a.runtime.throwAtNextDelayed(NO_MEMORY);
        assertThatThrownBy(() -> a.runtime.runFor(nanos)).isSameAs(NO_MEMORY);
    }

    @Test
    void yesIsToldEvenIfNobodyCanBeToldOfTheLossThatItIs() {
        Tenure held = a.claims("one", "h");
        a.path.beliefs().tell((tenure, reason) -> {
            throw NO_MEMORY;
        });

        PendingOperation ordered = a.submit(new Request.ForceExpire("one", "it hangs"));
        a.runtime.runDue();

        assertThat(granted(ordered)).isEqualTo(held);
        assertThat(a.path.beliefs().holds(held)).isFalse();
    }

    @Test
    void noIsToldEvenIfItCannotBeLogged() {
        a.claims("one", "h");
        log.throwAtNext(Level.DEBUG, NO_MEMORY);

        PendingOperation refused = a.submit(new Request.Claim("one", "h2", SECOND, null));
        a.runtime.runDue();

        assertThat(refused.answer()).isCompletedWithValueMatching(reply -> reply.refusal() != null);
    }

    @Test
    void unknownIsToldEvenIfItCannotBeLogged() {
        a.store.onCommit((transaction, mayCommit) -> {
            WriteOutcome outcome = a.store.landUnheard(transaction, mayCommit);
            a.clock.advance(BUDGET + 1);
            return outcome;
        });
        log.throwAtNext(Level.ERROR, NO_MEMORY);

        PendingOperation claimed = a.submitClaim("one");
        a.runtime.runDue();

        assertThat(claimed.answer()).isCompletedExceptionally();
    }

    @Test
    void heartbeatWhoseFailureCannotBeLoggedIsTriedAgain() {
        Tenure held = acquires("one");
        a.store.onClockWrite(() -> WriteOutcome.unavailable(new LeaseUnavailableException("no database", null)));
        log.throwAtNext(Level.DEBUG, NO_MEMORY);
        assertThatThrownBy(() -> a.runtime.runFor(SESSION / 2)).isSameAs(NO_MEMORY);

        a.runtime.runFor(2 * SESSION);

        assertThat(a.path.beliefs().holds(held)).isTrue();
    }

    @Test
    void sessionWhoseBeginningCannotBeLoggedHasHeartbeats() {
        log.throwAtNext(Level.DEBUG, NO_MEMORY);
        a.submit(new Request.Acquire("lost", "h", null, null));
        a.runtime.runDue();
        assertThat(log.messages(Level.DEBUG)).last().asString().endsWith("its session has begun");

        Tenure held = acquires("one");
        a.runtime.runFor(2 * SESSION);

        assertThat(a.path.beliefs().holds(held)).isTrue();
    }

    @Test
    void heartbeatsGoOnOnceTheSessionIsNeededAgain() {
        acquires("one");
        runOutOfMemoryWithin(SESSION);
        a.runtime.runFor(2 * SESSION);

        acquires("two");
        int before = a.store.clockWrites().size();
        a.runtime.runFor(SESSION);

        assertThat(a.store.clockWrites().subList(before, a.store.clockWrites().size()))
                .hasSizeGreaterThan(1)
                .allMatch(ClockWrite.Heartbeat.class::isInstance);
    }

    private Tenure acquires(String name) {
        PendingOperation acquired = a.submit(new Request.Acquire(name, "h", null, null));
        a.runtime.runDue();
        return granted(acquired);
    }

    @Test
    void roundsGoOnWhereTheNextCouldNotWaitForMore() {
        HandEngine few = HandEngine.withSingleWrites(0);
        few.submitClaim("one");
        few.runtime.throwAtNextDelayed(NO_MEMORY);
        assertThatThrownBy(few.runtime::runDue).isSameAs(NO_MEMORY);

        PendingOperation next = few.submitClaim("two");
        few.runtime.runFor(BUDGET);

        granted(next);
    }

    @Test
    void writesGoOnWhereADoubtCouldNotBeFollowed() {
        a.claims("zero", "h");
        a.store.onCommit(ScriptedStore::sentInVain);
        PendingOperation doubted = a.submitClaim("one");
        a.runtime.throwAtNextDelayed(NO_MEMORY);
        a.runtime.runFor(BUDGET);
        assertThat(doubted.answer()).isCompletedExceptionally();

        PendingOperation next = a.submitClaim("two");
        a.runtime.runFor(BUDGET);

        granted(next);
        assertThat(a.path.isInDoubt()).isFalse();
    }
}
