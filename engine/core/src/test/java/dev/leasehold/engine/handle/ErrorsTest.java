package dev.leasehold.engine.handle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import ch.qos.logback.classic.Level;
import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseLoss.Reason;
import dev.leasehold.engine.LeaseOutcomeUnknownException;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.LeaseStoreException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.byhand.LogCapture;
import dev.leasehold.engine.commit.OperationEnds;
import dev.leasehold.engine.protocol.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Memory, threads or stacks that run out at one place leave nobody waiting and no lease held for nobody. */
class ErrorsTest {

    private static final long SECOND = HandLeases.SECOND;
    private static final LeaseRequest ONE = LeaseRequest.of("one").holder("h");
    /** It stands for an {@link OutOfMemoryError}, which would end the tests as well. */
    private static final Error NO_MEMORY = new InternalError("out of memory");

    private final HandLeases hand = new HandLeases();
    private final List<LeaseLoss> losses = new ArrayList<>();
    private LogCapture log;

    @BeforeEach
    void captureLog() {
        log = new LogCapture();
    }

    @AfterEach
    void stopLog() {
        log.close();
    }

    private void assertThatNobodyHolds() {
        assertThat(hand.operations.holding("one")).isNull();
        assertThat(hand.leases.held()).isZero();
        assertThat(hand.leases.waiting()).isZero();
    }

    @Test
    void callbackThatFindsNoThreadKeepsNeitherOthersFromTheirsNorTheLeaseFromBeingGivenBack()
            throws InterruptedException {
        Lease lease = hand.acquire(ONE);
        lease.onLost(losses::add);
        lease.onLost(losses::add);
        hand.runtime.runDue();
        hand.throwAtNextCallback(NO_MEMORY);

        hand.runtime.runFor(HandOperations.SESSION_NANOS);

        assertThat(losses).singleElement().extracting(LeaseLoss::reason).isEqualTo(Reason.EXPIRED);
        assertThat(hand.operations.sent(Request.Release.class)).hasSize(1);
        assertThatNobodyHolds();
    }

    @Test
    void acquisitionWhoseCallerCannotBeToldIsGivenBack() {
        hand.throwAtNextCallback(NO_MEMORY);

        CompletableFuture<Acquisition> acquisition = hand.waits(ONE, Duration.ZERO);
        hand.runtime.runFor(SECOND);

        assertThat(acquisition).isCompletedExceptionally();
        assertThat(catchThrowable(acquisition::join)).hasCause(NO_MEMORY);
        assertThatNobodyHolds();
    }

    @Test
    void acquisitionWhoseCallerCannotWaitIsGivenBack() {
        hand.runtime.throwAtNextAwait(new StackOverflowError());

        assertThatThrownBy(() -> hand.acquire(ONE)).isInstanceOf(StackOverflowError.class);
        hand.runtime.runFor(SECOND);

        assertThatNobodyHolds();
    }

    @Test
    void acquisitionThatTheThreadOfTheHandlesCannotTakeOnEnds() throws InterruptedException {
        Lease lease = hand.acquire(ONE);
        hand.operations.throwAtNextLookAtABelief(NO_MEMORY);

        CompletableFuture<Acquisition> again = hand.waits(ONE, HandLeases.HOUR);

        assertThat(again).isCompletedExceptionally();
        assertThat(catchThrowable(again::join)).hasCauseInstanceOf(LeaseStoreException.class);
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void attemptThatWasTakenOnAndCannotBeFollowedComesToNothing() {
        hand.operations.behindSubmit(() -> {
            throw NO_MEMORY;
        });

        assertThatThrownBy(() -> hand.acquire(ONE)).isInstanceOf(LeaseStoreException.class);
        hand.runtime.runFor(SECOND);

        assertThatNobodyHolds();
    }

    @Test
    void attemptWhoseEndCannotBeToldEitherEndsWithItsTime() throws InterruptedException {
        hand.operations.behindSubmit(() -> {
            hand.runtime.throwAtNextTaskOf("-handles", NO_MEMORY);
            throw NO_MEMORY;
        });
        hand.operations.script(operation -> {});
        CompletableFuture<Acquisition> acquisition = hand.waits(ONE, Duration.ZERO);

        hand.runtime.runFor(2 * HandLeases.BUDGET);

        assertThat(acquisition).isCompletedExceptionally();
        assertThatNobodyHolds();
        assertThat(hand.acquire(ONE).isHeld()).isTrue();
    }

    @Test
    void waiterWhoseRefusalCannotBeLoggedIsToldOfIt() {
        hand.operations.heldByAnother("one", "x", null);
        CompletableFuture<Acquisition> waiting = hand.waits(ONE, Duration.ofSeconds(5));
        log.throwAtNext(Level.DEBUG, NO_MEMORY);

        hand.runtime.runFor(6 * SECOND);

        assertThat(waiting).isCompletedWithValueMatching(Acquisition.NotAcquired.class::isInstance);
        assertThat(hand.leases.waiting()).isZero();
    }

    @Test
    void attemptOfWhichNobodyKnowsEndsEvenIfThatCannotBeLogged() throws InterruptedException {
        hand.operations.script(OperationEnds::beginCommit);
        CompletableFuture<Acquisition> acquisition = hand.waits(ONE, Duration.ZERO);
        log.throwAtNext(Level.ERROR, NO_MEMORY);

        hand.runtime.runFor(2 * HandLeases.BUDGET);

        assertThat(catchThrowable(acquisition::join)).hasCauseInstanceOf(LeaseOutcomeUnknownException.class);
        assertThat(hand.acquire(ONE).isHeld()).isTrue();
    }

    @Test
    void attemptWhoseAnswerCouldNotBePassedOnEndsWithItsTime() throws InterruptedException {
        hand.operations.script(operation -> {
            hand.runtime.throwAtNextTaskOf("-handles", NO_MEMORY);
            hand.operations.answer(operation);
        });
        CompletableFuture<Acquisition> acquisition = hand.waits(ONE, Duration.ZERO);

        hand.runtime.runFor(2 * HandLeases.BUDGET);

        assertThat(acquisition.join().orElseThrow().isHeld()).isTrue();
        acquisition.join().orElseThrow().close();
        assertThatNobodyHolds();
    }

    @Test
    void releaseWhoseFailureCannotBeLoggedIsTriedAgain() throws InterruptedException {
        Lease lease = hand.acquire(ONE);
        hand.operations.script(
                operation -> OperationEnds.fail(operation, new LeaseUnavailableException("no database", null)));
        log.throwAtNext(Level.DEBUG, NO_MEMORY);
        log.throwAtNext(Level.WARN, NO_MEMORY);

        lease.close();
        hand.runtime.runFor(60 * SECOND);

        assertThatNobodyHolds();
    }

    @Test
    void renewalWhoseFailureCannotBeLoggedIsTriedAgain() throws InterruptedException {
        Lease lease = hand.acquire(ONE.term(HandLeases.MINUTE));
        hand.operations.script(
                operation -> OperationEnds.fail(operation, new LeaseUnavailableException("no database", null)));
        log.throwAtNext(Level.DEBUG, NO_MEMORY);
        log.throwAtNext(Level.WARN, NO_MEMORY);

        hand.runtime.runFor(600 * SECOND);

        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void lossThatCannotBeLoggedIsToldAndTheLeaseIsGivenBack() throws InterruptedException {
        Lease lease = hand.acquire(ONE);
        lease.onLost(losses::add);
        hand.runtime.runDue();
        log.throwAtNext(Level.WARN, NO_MEMORY);

        hand.runtime.runFor(HandOperations.SESSION_NANOS);

        assertThat(losses).singleElement().extracting(LeaseLoss::reason).isEqualTo(Reason.EXPIRED);
        assertThat(hand.operations.sent(Request.Release.class)).hasSize(1);
        assertThatNobodyHolds();
    }

    @Test
    void closeTellsAllHoldersEvenIfOneOfTheLossesCannotBeLogged() throws InterruptedException {
        for (String name : List.of("one", "two", "three")) {
            hand.acquire(name).onLost(losses::add);
        }
        hand.runtime.runDue();
        log.throwAtNext(Level.INFO, NO_MEMORY);

        CompletableFuture<Void> closed = hand.leases.close();
        hand.runtime.runFor(SECOND);

        assertThat(losses).extracting(LeaseLoss::reason).containsExactly(Reason.CLOSED, Reason.CLOSED, Reason.CLOSED);
        assertThat(closed).isCompleted();
    }

    @Test
    void watchForWhichNoThreadCanBeStartedBeginsOnceOneCan() throws InterruptedException {
        hand.runtime.throwAtNextTaskOf("-watch", NO_MEMORY);
        hand.acquire(ONE);

        hand.runtime.runFor(10 * SECOND);

        assertThat(hand.changes.isOpen()).isTrue();
    }

    @Test
    void endThatCouldNotBePassedOnKeepsNoOtherFromBeingPassedOn() throws InterruptedException {
        Lease lease = hand.acquire(ONE);
        Lease other = hand.acquire("other");
        hand.runtime.runDue();
        hand.clock.advance(HandOperations.SESSION_NANOS);
        int waiting = hand.runtime.tasksWaiting();
        hand.runtime.throwAtNextTaskOf("-handles", NO_MEMORY);
        assertThatThrownBy(lease::isHeld).isSameAs(NO_MEMORY);

        assertThat(other.isHeld()).isFalse();

        assertThat(hand.runtime.tasksWaiting()).isEqualTo(waiting + 1);
    }

    @Test
    void acquisitionForWhichNoThreadCanBeStartedIsGivenBack() {
        hand.runtime.throwBehindNextTask(NO_MEMORY);
        assertThatThrownBy(() -> hand.acquire(ONE)).isSameAs(NO_MEMORY);
        hand.runtime.throwBehindNextTask(NO_MEMORY);
        assertThatThrownBy(() -> hand.leases.acquireAsync(ONE, HandLeases.HOUR)).isSameAs(NO_MEMORY);

        hand.runtime.runFor(SECOND);

        assertThatNobodyHolds();
    }
}
