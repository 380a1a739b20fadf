package dev.leasehold.engine.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.CorruptDocumentException;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseOutcomeUnknownException;
import dev.leasehold.engine.LeaseRefusedException;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.LeaseStoreException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.Refusal;
import dev.leasehold.engine.RunResult;
import dev.leasehold.engine.internal.commit.OperationEnds;
import dev.leasehold.engine.internal.commit.PendingOperation;
import dev.leasehold.engine.internal.metrics.EngineEvent.OperationEnded;
import dev.leasehold.engine.internal.metrics.OperationOutcome;
import dev.leasehold.engine.internal.rules.Request;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What an attempt to acquire a lease comes to. */
class AcquisitionTest {

    private static final long SECOND = FakeLeaseManager.SECOND;

    private final FakeLeaseManager hand = new FakeLeaseManager();

    @AfterEach
    void clearInterrupt() {
        Thread.interrupted();
    }

    @Test
    @DisplayName("HA-1: a free lease is acquired at once, by one operation")
    void freeLeaseIsAcquired() throws InterruptedException {
        Lease lease = hand.acquire(
                LeaseRequest.of("one").holder("h").comment("for tests").term(FakeLeaseManager.MINUTE));

        assertThat(lease.holder()).isEqualTo("h");
        assertThat(lease.token()).isEqualTo(1);
        assertThat(lease.comment()).isEqualTo("for tests");
        assertThat(lease.remaining()).isEqualTo(FakeLeaseManager.MINUTE);
        assertThat(hand.operations.sent()).hasSize(1);
        assertThat(hand.leaseManager.held()).isEqualTo(1);
        assertThat(hand.leaseManager.waiting()).isZero();
    }

    @Test
    void withoutAnOwnerEachAcquisitionIsAnOwnerOfItsOwn() throws InterruptedException {
        assertThat(hand.acquire("one").holder()).isEqualTo("a-1/1");
        assertThat(hand.acquire("two").holder()).isEqualTo("a-1/2");
        assertThat(hand.leaseManager
                        .tryAcquire(LeaseRequest.of("one"), Duration.ZERO)
                        .asOptional())
                .isEmpty();
    }

    @Test
    @DisplayName("HA-2: held by another: a value that shows by whom, since when, what for and until when")
    void heldByAnotherIsAValue() throws InterruptedException {
        Tenure other = hand.operations.heldByAnother("one", "h2", 60 * SECOND);

        Acquisition acquisition = hand.leaseManager.tryAcquire(LeaseRequest.of("one"), Duration.ZERO);

        assertThat(acquisition).isInstanceOfSatisfying(Acquisition.NotAcquired.class, no -> {
            assertThat(no.refusal().reason()).isEqualTo(Refusal.Reason.HELD);
            assertThat(no.refusal().operation())
                    .isEqualTo("acquisition of lease 'one' for 'a-1/1' in namespace 'billing'");
            assertThat(no.refusal().state()).isInstanceOfSatisfying(LeaseState.Held.class, held -> {
                assertThat(held.tenure()).isEqualTo(other);
                assertThat(held.latestExpiry()).isNotNull();
            });
        });
        assertThatThrownBy(acquisition::orElseThrow).isInstanceOf(LeaseRefusedException.class);
    }

    @Test
    @DisplayName("HA-3: an unreachable database is an exception, and nothing is held")
    void unreachableDatabaseIsAnException() {
        hand.operations.script(
                operation -> OperationEnds.fail(operation, new LeaseUnavailableException("no database", null)));

        assertThatThrownBy(() -> hand.acquire("one"))
                .isInstanceOf(LeaseUnavailableException.class)
                .hasMessage("no database");
        assertThat(hand.leaseManager.held()).isZero();
    }

    @Test
    @DisplayName("HA-3: a database that says nothing at all is an exception when the operation budget is over")
    void silentDatabaseIsAnExceptionInTime() {
        hand.operations.script(operation -> {});
        long beganNanos = hand.clock.monotonicNanos();

        assertThatThrownBy(() -> hand.acquire("one")).isInstanceOf(LeaseUnavailableException.class);

        assertThat(hand.clock.monotonicNanos() - beganNanos).isEqualTo(FakeLeaseManager.BUDGET);
    }

    @Test
    @DisplayName("HA-4: an outcome that stays unknown is said to be unknown in time, and a late landing is given back")
    void unknownOutcomeThatLandsIsGivenBack() {
        AtomicReference<PendingOperation> open = new AtomicReference<>();
        hand.operations.script(operation -> {
            OperationEnds.beginCommit(operation);
            open.set(operation);
        });

        assertThatThrownBy(() -> hand.acquire(LeaseRequest.of("one").holder("h")))
                .isInstanceOf(LeaseOutcomeUnknownException.class);
        assertThat(hand.leaseManager.held()).isZero();

        Tenure tenure = new Tenure(FakeOperations.NAMESPACE, "one", "h", 1);
        hand.operations.landLate(open.get(), tenure);
        hand.runtime.runDue();
        assertThat(hand.operations.sent(Request.Release.class))
                .containsExactly(new Request.Release(tenure, null, true));
        assertThat(hand.operations.holding("one")).isNull();
        assertThat(hand.leaseManager.held()).isZero();
    }

    @Test
    @DisplayName(
            "HA-4: what may have landed and will never be known is given back too: the session would keep it for ever")
    void outcomeThatIsNeverKnownIsGivenBack() {
        Tenure tenure = new Tenure(FakeOperations.NAMESPACE, "one", "h", 1);
        hand.operations.script(operation ->
                OperationEnds.lose(operation, tenure, new LeaseUnavailableException("the lease is damaged", null)));

        assertThatThrownBy(() -> hand.acquire(LeaseRequest.of("one").holder("h")))
                .isInstanceOf(LeaseOutcomeUnknownException.class);
        hand.runtime.runDue();

        assertThat(hand.operations.sent(Request.Release.class))
                .containsExactly(new Request.Release(tenure, null, true));
    }

    @Test
    @DisplayName(
            "HA-4: told to be unknown by the engine, with a wait: the wait is over, and a late landing is given back")
    void unknownOutcomeEndsTheWait() {
        AtomicReference<PendingOperation> open = new AtomicReference<>();
        hand.operations.script(operation -> {
            open.set(operation);
            OperationEnds.leaveUnknown(operation);
        });

        CompletableFuture<Acquisition> waiting =
                hand.waits(LeaseRequest.of("one").holder("h"), FakeLeaseManager.HOUR);

        assertThat(waiting)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(LeaseOutcomeUnknownException.class);
        hand.operations.landLate(open.get(), new Tenure(FakeOperations.NAMESPACE, "one", "h", 1));
        hand.runtime.runDue();
        assertThat(hand.operations.holding("one")).isNull();
    }

    @Test
    @DisplayName("HA-5: the same owner gets another handle of the same tenure, and the last one to close gives it up")
    void sameOwnerSharesTheTenure() throws InterruptedException {
        Lease first = hand.acquire(LeaseRequest.of("one").holder("h").comment("first"));
        Lease second = hand.acquire(LeaseRequest.of("one").holder("h").comment("second"));

        assertThat(second.tenure()).isEqualTo(first.tenure());
        assertThat(second.comment()).isEqualTo("first");
        assertThat(hand.leaseManager.held()).isEqualTo(1);
        assertThat(hand.operations.sent()).hasSize(1);

        first.close();
        assertThat(first.isHeld()).isFalse();
        assertThat(second.isHeld()).isTrue();
        assertThat(hand.operations.holding("one")).isEqualTo(second.tenure());

        second.close();
        assertThat(hand.operations.holding("one")).isNull();
        assertThat(hand.leaseManager.held()).isZero();
    }

    @Test
    void sameOwnerJoinsAnAcquisitionThatIsUnderWay() {
        CompletableFuture<Acquisition> first = hand.leaseManager
                .tryAcquireAsync(LeaseRequest.of("one").holder("h"), Duration.ZERO)
                .toCompletableFuture();
        CompletableFuture<Acquisition> second = hand.leaseManager
                .tryAcquireAsync(LeaseRequest.of("one").holder("h"), Duration.ZERO)
                .toCompletableFuture();
        hand.runtime.runDue();

        assertThat(second.join().orElseThrow().tenure())
                .isEqualTo(first.join().orElseThrow().tenure());
        assertThat(hand.operations.sent()).hasSize(1);
    }

    @Test
    @DisplayName("What was over when the answer came is for who had asked for it; who asked later gets what is held")
    void sameOwnerDoesNotJoinAnAcquisitionWhoseTimeIsOver() {
        AtomicReference<PendingOperation> open = new AtomicReference<>();
        hand.operations.script(open::set);
        LeaseRequest request = LeaseRequest.of("one").holder("h");
        CompletableFuture<Acquisition> first = hand.waits(request, FakeLeaseManager.HOUR);
        CompletableFuture<Acquisition> second = hand.waits(request, FakeLeaseManager.HOUR);

        hand.operations.answer(open.get());
        hand.operations.cutShort(new Tenure(FakeOperations.NAMESPACE, "one", "h", 1), LeaseLoss.Reason.EVICTED);
        hand.operations.vacate("one");
        hand.runtime.runFor(SECOND);

        assertThat(first.join().orElseThrow().token()).isEqualTo(1);
        assertThat(first.join().orElseThrow().isHeld()).isFalse();
        assertThat(second.join().orElseThrow().isHeld()).isTrue();
    }

    @Test
    @DisplayName("HA-6: what another engine holds under the same name is somebody else's")
    void sameHolderElsewhereIsSomebodyElse() throws InterruptedException {
        Tenure elsewhere = hand.operations.heldByAnother("one", "h", 60 * SECOND);

        Acquisition answer = hand.leaseManager.tryAcquire(
                LeaseRequest.of("one").holder("h").term(FakeLeaseManager.MINUTE), Duration.ZERO);

        assertThat(answer).isInstanceOf(Acquisition.NotAcquired.class);
        assertThat(hand.operations.holding("one")).isEqualTo(elsewhere);
    }

    @Test
    void sameHolderElsewhereIsSuperseded() throws InterruptedException {
        hand.operations.heldByAnother("one", "h", 60 * SECOND);

        Lease lease = hand.acquire(LeaseRequest.of("one").holder("h").supersede(true));

        assertThat(lease.token()).isEqualTo(2);
        assertThat(hand.acquire(LeaseRequest.of("one").holder("h").supersede(true))
                        .tenure())
                .as("what is held here is shared as always")
                .isEqualTo(lease.tenure());
    }

    @Test
    void refusalOfAnotherDoesNotAnswerWhoSupersedesTheHolder() {
        hand.operations.heldByAnother("one", "h", 60 * SECOND);
        LeaseRequest stranger = LeaseRequest.of("one").holder("h2");
        CompletableFuture<Acquisition> first = hand.leaseManager
                .tryAcquireAsync(stranger, FakeLeaseManager.MINUTE)
                .toCompletableFuture();
        CompletableFuture<Acquisition> back =
                hand.waits(LeaseRequest.of("one").holder("h").supersede(true), Duration.ZERO);

        assertThat(back.join().orElseThrow().token()).isEqualTo(2);
        assertThat(first).isNotDone();
    }

    @Test
    void whoSupersedesOneHolderIsAnsweredByTheRefusalOfWhatAnotherHolds() {
        hand.operations.heldByAnother("one", "h3", 60 * SECOND);
        hand.leaseManager.tryAcquireAsync(LeaseRequest.of("one").holder("h2"), FakeLeaseManager.MINUTE);
        CompletableFuture<Acquisition> back =
                hand.waits(LeaseRequest.of("one").holder("h").supersede(true), Duration.ZERO);

        assertThat(back.join()).isInstanceOf(Acquisition.NotAcquired.class);
        assertThat(hand.operations.sent(Request.Acquire.class)).noneMatch(Request.Acquire::supersede);
    }

    @Test
    void supersedingWithoutAHolderIsRefusedBeforeAnythingIsSent() {
        LeaseRequest request = LeaseRequest.of("one").supersede(true);

        assertThatThrownBy(() -> hand.acquire(request))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("supersede without a holder is refused for lease 'one':"
                        + " name the holder whose other incarnation it is to be taken from");
        assertThat(hand.operations.sent()).isEmpty();
    }

    @Test
    @DisplayName("HA-9: nothing is held before the acquisition has answered")
    void notHeldBeforeItIsAnswered() {
        AtomicReference<PendingOperation> open = new AtomicReference<>();
        hand.operations.script(open::set);

        CompletableFuture<Acquisition> waiting = hand.waits(LeaseRequest.of("one"), Duration.ZERO);
        assertThat(waiting).isNotDone();
        assertThat(hand.leaseManager.held()).isZero();

        hand.operations.answer(open.get());
        hand.runtime.runDue();
        assertThat(waiting.join().orElseThrow().isHeld()).isTrue();
    }

    @Test
    @DisplayName("HA-26: interrupted on arrival: no lease is left behind")
    void interruptedOnArrival() {
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> hand.acquire("one")).isInstanceOf(InterruptedException.class);

        hand.runtime.runDue();
        assertThat(hand.operations.holding("one")).isNull();
        assertThat(hand.leaseManager.held()).isZero();
        assertThat(hand.leaseManager.waiting()).isZero();
        assertThat(hand.operations.sent()).as("not even asked for").isEmpty();
        assertThat(hand.meters.events())
                .contains(new OperationEnded("acquire", "one", OperationOutcome.INTERRUPTED, null, 0));
    }

    @Test
    @DisplayName(
            "HA-26: interrupted on arrival while its owner holds the lease: it throws, however fast the answer would have been")
    void interruptedOnArrivalWhileItsOwnerHoldsTheLease() throws InterruptedException {
        Lease lease = hand.acquire(LeaseRequest.of("one").holder("h"));
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> hand.acquire(LeaseRequest.of("one").holder("h")))
                .isInstanceOf(InterruptedException.class);

        hand.runtime.runDue();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    @DisplayName("HA-26: interrupted after the commit was sent: the lease that is granted all the same is given back")
    void interruptedWhileCommitting() {
        AtomicReference<PendingOperation> open = new AtomicReference<>();
        hand.operations.script(operation -> {
            OperationEnds.beginCommit(operation);
            open.set(operation);
            Thread.currentThread().interrupt();
        });

        assertThatThrownBy(() -> hand.acquire("one")).isInstanceOf(InterruptedException.class);
        hand.runtime.runDue();
        hand.operations.landLate(open.get(), new Tenure(FakeOperations.NAMESPACE, "one", "a-1/1", 1));

        hand.runtime.runDue();
        assertThat(hand.operations.sent(Request.Release.class)).hasSize(1);
        assertThat(hand.operations.holding("one")).isNull();
        assertThat(hand.leaseManager.held()).isZero();
    }

    @Test
    @DisplayName("HA-26: cancelled before it is answered: no lease is left behind")
    void cancelledPromiseLeavesNoLease() {
        CompletableFuture<Acquisition> promise = hand.leaseManager
                .tryAcquireAsync(LeaseRequest.of("one"), Duration.ZERO)
                .toCompletableFuture();
        promise.cancel(true);
        hand.runtime.runDue();

        assertThat(hand.operations.holding("one")).isNull();
        assertThat(hand.leaseManager.held()).isZero();
    }

    private CompletableFuture<Lease> acquireAndCancelBeforeDelivery() {
        CompletableFuture<Lease> promise = hand.leaseManager
                .acquireAsync(LeaseRequest.of("one"), Duration.ZERO)
                .toCompletableFuture();
        hand.operations.script(operation -> {
            hand.operations.answer(operation);
            // The threads for callbacks come after the one of the handles.
            hand.callbacks.execute(() -> promise.cancel(true));
        });
        hand.runtime.runDue();
        return promise;
    }

    @Test
    @DisplayName("HA-26: cancelled between the grant and its delivery: the lease is given back")
    void cancelledBeforeDeliveryLeavesNoLease() {
        assertThat(acquireAndCancelBeforeDelivery()).isCancelled();
        assertThat(hand.operations.holding("one")).isNull();
        assertThat(hand.leaseManager.held()).isZero();
    }

    @Test
    @DisplayName("HA-33: the promise of a lease gives it, or throws what the other form throws")
    void promiseOfALease() {
        CompletableFuture<Lease> yes = hand.leaseManager
                .acquireAsync(LeaseRequest.of("one"), Duration.ZERO)
                .toCompletableFuture();
        CompletableFuture<Lease> no = hand.leaseManager
                .acquireAsync(LeaseRequest.of("one"), Duration.ZERO)
                .toCompletableFuture();
        hand.runtime.runDue();

        assertThat(yes.join().isHeld()).isTrue();
        assertThat(no)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(LeaseRefusedException.class);
    }

    @Test
    @DisplayName("HA-31: the exception of the body wins, and the lease is given up")
    void bodyThrows() throws InterruptedException {
        assertThatThrownBy(() -> {
                    try (Lease lease = hand.acquire("one")) {
                        throw new IllegalStateException("body of " + lease.name());
                    }
                })
                .isInstanceOf(IllegalStateException.class);
        assertThat(hand.operations.holding("one")).isNull();
    }

    @Test
    @DisplayName(
            "HA-32: a task runs while the lease is held; or is skipped; what it throws passes, and the lease is given up")
    void taskRunsWhileHeld() throws Exception {
        RunResult<String> ran = hand.leaseManager.runWhileHeld(LeaseRequest.of("one"), Duration.ZERO, lease -> {
            assertThat(lease.isHeld()).isTrue();
            assertThat(hand.leaseManager
                            .<String, RuntimeException>runWhileHeld(
                                    LeaseRequest.of("one"), Duration.ZERO, other -> "never")
                            .ran())
                    .isFalse();
            return "result";
        });
        assertThat(ran).isEqualTo(new RunResult.Ran<>("result", true));
        assertThat(hand.operations.holding("one")).isNull();

        assertThatThrownBy(() -> hand.leaseManager.runWhileHeld(LeaseRequest.of("one"), Duration.ZERO, lease -> {
                    throw new IOException("task");
                }))
                .isInstanceOf(IOException.class);
        assertThat(hand.operations.holding("one")).isNull();
    }

    @Test
    @DisplayName("HA-36: the token does not change while the same owner asks again and again")
    void tokenStaysWithinATenure() throws InterruptedException {
        Lease first = hand.acquire(LeaseRequest.of("one").holder("h").term(FakeLeaseManager.MINUTE));
        for (int i = 0; i < 10; i++) {
            hand.runtime.runFor(15 * SECOND);
            assertThat(hand.acquire(LeaseRequest.of("one").holder("h").term(FakeLeaseManager.MINUTE))
                            .token())
                    .isEqualTo(first.token());
        }
        assertThat(hand.operations.sent(Request.Acquire.class)).hasSize(1);
    }

    @Test
    void whatTryingAgainDoesNotHelpIsThrownAtOnce() {
        hand.operations.script(
                operation -> OperationEnds.fail(operation, new CorruptDocumentException("d", "token", "none")));
        hand.operations.script(
                operation -> OperationEnds.fail(operation, new LeaseStoreException("not allowed", null)));

        assertThat(hand.waits(LeaseRequest.of("one"), FakeLeaseManager.HOUR)).isCompletedExceptionally();
        assertThat(hand.waits(LeaseRequest.of("one"), FakeLeaseManager.HOUR)).isCompletedExceptionally();
        assertThat(hand.leaseManager.waiting()).isZero();
    }

    @Test
    void tenureThatIsBeingGivenBackIsNotGrantedAgain() throws InterruptedException {
        Lease lease = hand.acquire(LeaseRequest.of("one").holder("h"));
        hand.operations.script(
                operation -> OperationEnds.fail(operation, new LeaseUnavailableException("no database", null)));
        lease.close();
        CompletableFuture<Acquisition> again = hand.waits(LeaseRequest.of("one").holder("h"), Duration.ZERO);
        hand.runtime.runFor(SECOND);

        assertThat(again.join().orElseThrow().token()).isEqualTo(2);
    }
}
