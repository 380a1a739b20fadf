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
import dev.leasehold.engine.internal.commit.OperationEnds;
import dev.leasehold.engine.internal.commit.PendingOperation;
import dev.leasehold.engine.internal.metrics.EngineEvent.OperationEnded;
import dev.leasehold.engine.internal.metrics.OperationOutcome;
import dev.leasehold.engine.internal.rules.Request;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What an attempt to acquire a lease comes to. */
class AcquisitionTest {

    private static final long SECOND = FakeLeaseManager.SECOND;

    private final FakeLeaseManager fake = new FakeLeaseManager();

    @AfterEach
    void clearInterrupt() {
        Thread.interrupted();
    }

    @Test
    @DisplayName("HA-1: a free lease is acquired at once, by one operation")
    void freeLeaseIsAcquired() throws InterruptedException {
        Lease lease = fake.acquire(
                LeaseRequest.of("one").holder("h").comment("for tests").term(FakeLeaseManager.MINUTE));

        assertThat(lease.holder()).isEqualTo("h");
        assertThat(lease.token()).isEqualTo(1);
        assertThat(lease.comment()).isEqualTo("for tests");
        assertThat(lease.remaining()).isEqualTo(FakeLeaseManager.MINUTE);
        assertThat(fake.operations.sent()).hasSize(1);
        assertThat(fake.leaseManager.held()).isEqualTo(1);
        assertThat(fake.leaseManager.waiting()).isZero();
    }

    @Test
    void withoutANameEachAcquisitionIsAnotherHolder() throws InterruptedException {
        assertThat(fake.acquire("one").holder()).isEqualTo("a-1/1");
        assertThat(fake.acquire("two").holder()).isEqualTo("a-1/2");
        assertThat(fake.leaseManager
                        .tryAcquire(LeaseRequest.of("one"), Duration.ZERO)
                        .asOptional())
                .isEmpty();
    }

    @Test
    @DisplayName("HA-2: held by another: a value that shows by whom, since when, what for and until when")
    void heldByAnotherIsAValue() throws InterruptedException {
        Tenure other = fake.operations.heldByAnother("one", "h2", 60 * SECOND);

        Acquisition acquisition = fake.leaseManager.tryAcquire(LeaseRequest.of("one"), Duration.ZERO);

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
        fake.operations.script(
                operation -> OperationEnds.fail(operation, new LeaseUnavailableException("no database", null)));

        assertThatThrownBy(() -> fake.acquire("one"))
                .isInstanceOf(LeaseUnavailableException.class)
                .hasMessage("no database");
        assertThat(fake.leaseManager.held()).isZero();
    }

    @Test
    @DisplayName("HA-3: a database that says nothing at all is an exception when the operation budget is over")
    void silentDatabaseIsAnExceptionInTime() {
        fake.operations.script(operation -> {});
        long beganNanos = fake.clock.monotonicNanos();

        assertThatThrownBy(() -> fake.acquire("one")).isInstanceOf(LeaseUnavailableException.class);

        assertThat(fake.clock.monotonicNanos() - beganNanos).isEqualTo(FakeLeaseManager.BUDGET);
    }

    @Test
    @DisplayName("HA-4: an outcome that stays unknown is said to be unknown in time, and a late landing is given back")
    void unknownOutcomeThatLandsIsGivenBack() {
        AtomicReference<PendingOperation> open = new AtomicReference<>();
        fake.operations.script(operation -> {
            OperationEnds.beginCommit(operation);
            open.set(operation);
        });

        assertThatThrownBy(() -> fake.acquire(LeaseRequest.of("one").holder("h")))
                .isInstanceOf(LeaseOutcomeUnknownException.class);
        assertThat(fake.leaseManager.held()).isZero();

        Tenure tenure = new Tenure(FakeOperations.NAMESPACE, "one", "h", 1);
        fake.operations.landLate(open.get(), tenure);
        fake.runtime.runDue();
        assertThat(fake.operations.sent(Request.Release.class))
                .containsExactly(new Request.Release(tenure, null, true));
        assertThat(fake.operations.holding("one")).isNull();
        assertThat(fake.leaseManager.held()).isZero();
    }

    @Test
    @DisplayName(
            "HA-4: what may have landed and will never be known is given back too: the session would keep it for ever")
    void outcomeThatIsNeverKnownIsGivenBack() {
        Tenure tenure = new Tenure(FakeOperations.NAMESPACE, "one", "h", 1);
        fake.operations.script(operation ->
                OperationEnds.lose(operation, tenure, new LeaseUnavailableException("the lease is damaged", null)));

        assertThatThrownBy(() -> fake.acquire(LeaseRequest.of("one").holder("h")))
                .isInstanceOf(LeaseOutcomeUnknownException.class);
        fake.runtime.runDue();

        assertThat(fake.operations.sent(Request.Release.class))
                .containsExactly(new Request.Release(tenure, null, true));
    }

    @Test
    @DisplayName(
            "HA-4: told to be unknown by the engine, with a wait: the wait is over, and a late landing is given back")
    void unknownOutcomeEndsTheWait() {
        AtomicReference<PendingOperation> open = new AtomicReference<>();
        fake.operations.script(operation -> {
            open.set(operation);
            OperationEnds.leaveUnknown(operation);
        });

        CompletableFuture<Acquisition> waiting =
                fake.waits(LeaseRequest.of("one").holder("h"), FakeLeaseManager.HOUR);

        assertThat(waiting)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(LeaseOutcomeUnknownException.class);
        fake.operations.landLate(open.get(), new Tenure(FakeOperations.NAMESPACE, "one", "h", 1));
        fake.runtime.runDue();
        assertThat(fake.operations.holding("one")).isNull();
    }

    @Test
    @DisplayName("HA-5: the same holder gets another handle of the same tenure, and the last one to close releases it")
    void sameHolderSharesTheTenure() throws InterruptedException {
        Lease first = fake.acquire(LeaseRequest.of("one").holder("h").comment("first"));
        Lease second = fake.acquire(LeaseRequest.of("one").holder("h").comment("second"));

        assertThat(second.tenure()).isEqualTo(first.tenure());
        assertThat(second.comment()).isEqualTo("first");
        assertThat(fake.leaseManager.held()).isEqualTo(1);
        assertThat(fake.operations.sent()).hasSize(1);

        first.close();
        assertThat(first.isHeld()).isFalse();
        assertThat(second.isHeld()).isTrue();
        assertThat(fake.operations.holding("one")).isEqualTo(second.tenure());

        second.close();
        assertThat(fake.operations.holding("one")).isNull();
        assertThat(fake.leaseManager.held()).isZero();
    }

    @Test
    void sameHolderJoinsAnAcquisitionThatIsUnderWay() {
        CompletableFuture<Acquisition> first = fake.leaseManager
                .tryAcquireAsync(LeaseRequest.of("one").holder("h"), Duration.ZERO)
                .toCompletableFuture();
        CompletableFuture<Acquisition> second = fake.leaseManager
                .tryAcquireAsync(LeaseRequest.of("one").holder("h"), Duration.ZERO)
                .toCompletableFuture();
        fake.runtime.runDue();

        assertThat(second.join().orElseThrow().tenure())
                .isEqualTo(first.join().orElseThrow().tenure());
        assertThat(fake.operations.sent()).hasSize(1);
    }

    @Test
    @DisplayName("What was over when the answer came is for who had asked for it; who asked later gets what is held")
    void sameHolderDoesNotJoinAnAcquisitionWhoseTimeIsOver() {
        AtomicReference<PendingOperation> open = new AtomicReference<>();
        fake.operations.script(open::set);
        LeaseRequest request = LeaseRequest.of("one").holder("h");
        CompletableFuture<Acquisition> first = fake.waits(request, FakeLeaseManager.HOUR);
        CompletableFuture<Acquisition> second = fake.waits(request, FakeLeaseManager.HOUR);

        fake.operations.answer(open.get());
        fake.operations.cutShort(new Tenure(FakeOperations.NAMESPACE, "one", "h", 1), LeaseLoss.Reason.EVICTED);
        fake.operations.vacate("one");
        fake.runtime.runFor(SECOND);

        assertThat(first.join().orElseThrow().token()).isEqualTo(1);
        assertThat(first.join().orElseThrow().isHeld()).isFalse();
        assertThat(second.join().orElseThrow().isHeld()).isTrue();
    }

    @Test
    @DisplayName("HA-6: what another engine holds under the same name belongs to another holder")
    void sameHolderElsewhereIsAnotherHolder() throws InterruptedException {
        Tenure elsewhere = fake.operations.heldByAnother("one", "h", 60 * SECOND);

        Acquisition answer = fake.leaseManager.tryAcquire(
                LeaseRequest.of("one").holder("h").term(FakeLeaseManager.MINUTE), Duration.ZERO);

        assertThat(answer).isInstanceOf(Acquisition.NotAcquired.class);
        assertThat(fake.operations.holding("one")).isEqualTo(elsewhere);
    }

    @Test
    void sameHolderElsewhereIsSuperseded() throws InterruptedException {
        fake.operations.heldByAnother("one", "h", 60 * SECOND);

        Lease lease = fake.acquire(LeaseRequest.of("one").holder("h").supersede(true));

        assertThat(lease.token()).isEqualTo(2);
        assertThat(fake.acquire(LeaseRequest.of("one").holder("h").supersede(true))
                        .tenure())
                .as("what is held here is shared as always")
                .isEqualTo(lease.tenure());
    }

    @Test
    void refusalOfAnotherDoesNotAnswerWhoSupersedesTheHolder() {
        fake.operations.heldByAnother("one", "h", 60 * SECOND);
        LeaseRequest stranger = LeaseRequest.of("one").holder("h2");
        CompletableFuture<Acquisition> first = fake.leaseManager
                .tryAcquireAsync(stranger, FakeLeaseManager.MINUTE)
                .toCompletableFuture();
        CompletableFuture<Acquisition> back =
                fake.waits(LeaseRequest.of("one").holder("h").supersede(true), Duration.ZERO);

        assertThat(back.join().orElseThrow().token()).isEqualTo(2);
        assertThat(first).isNotDone();
    }

    @Test
    void whoSupersedesOneHolderIsAnsweredByTheRefusalOfWhatAnotherHolds() {
        fake.operations.heldByAnother("one", "h3", 60 * SECOND);
        fake.leaseManager.tryAcquireAsync(LeaseRequest.of("one").holder("h2"), FakeLeaseManager.MINUTE);
        CompletableFuture<Acquisition> back =
                fake.waits(LeaseRequest.of("one").holder("h").supersede(true), Duration.ZERO);

        assertThat(back.join()).isInstanceOf(Acquisition.NotAcquired.class);
        assertThat(fake.operations.sent(Request.Acquire.class)).noneMatch(Request.Acquire::supersede);
    }

    @Test
    void supersedingWithoutAHolderIsRefusedBeforeAnythingIsSent() {
        LeaseRequest request = LeaseRequest.of("one").supersede(true);

        assertThatThrownBy(() -> fake.acquire(request))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("supersede without a holder is refused for lease 'one':"
                        + " name the holder whose other incarnation it is to be taken from");
        assertThat(fake.operations.sent()).isEmpty();
    }

    @Test
    @DisplayName("HA-9: nothing is held before the acquisition has answered")
    void notHeldBeforeItIsAnswered() {
        AtomicReference<PendingOperation> open = new AtomicReference<>();
        fake.operations.script(open::set);

        CompletableFuture<Acquisition> waiting = fake.waits(LeaseRequest.of("one"), Duration.ZERO);
        assertThat(waiting).isNotDone();
        assertThat(fake.leaseManager.held()).isZero();

        fake.operations.answer(open.get());
        fake.runtime.runDue();
        assertThat(waiting.join().orElseThrow().isHeld()).isTrue();
    }

    @Test
    @DisplayName("HA-26: interrupted on arrival: no lease is left behind")
    void interruptedOnArrival() {
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> fake.acquire("one")).isInstanceOf(InterruptedException.class);

        fake.runtime.runDue();
        assertThat(fake.operations.holding("one")).isNull();
        assertThat(fake.leaseManager.held()).isZero();
        assertThat(fake.leaseManager.waiting()).isZero();
        assertThat(fake.operations.sent()).as("not even asked for").isEmpty();
        assertThat(fake.meters.events())
                .contains(new OperationEnded("acquire", "one", OperationOutcome.INTERRUPTED, null, 0));
    }

    @Test
    @DisplayName(
            "HA-26: interrupted on arrival while its holder holds the lease: it throws, however fast the answer would have been")
    void interruptedOnArrivalWhileItsHolderHoldsTheLease() throws InterruptedException {
        Lease lease = fake.acquire(LeaseRequest.of("one").holder("h"));
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> fake.acquire(LeaseRequest.of("one").holder("h")))
                .isInstanceOf(InterruptedException.class);

        fake.runtime.runDue();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    @DisplayName("HA-26: interrupted after the commit was sent: the lease that is granted all the same is given back")
    void interruptedWhileCommitting() {
        AtomicReference<PendingOperation> open = new AtomicReference<>();
        fake.operations.script(operation -> {
            OperationEnds.beginCommit(operation);
            open.set(operation);
            Thread.currentThread().interrupt();
        });

        assertThatThrownBy(() -> fake.acquire("one")).isInstanceOf(InterruptedException.class);
        fake.runtime.runDue();
        fake.operations.landLate(open.get(), new Tenure(FakeOperations.NAMESPACE, "one", "a-1/1", 1));

        fake.runtime.runDue();
        assertThat(fake.operations.sent(Request.Release.class)).hasSize(1);
        assertThat(fake.operations.holding("one")).isNull();
        assertThat(fake.leaseManager.held()).isZero();
    }

    @Test
    @DisplayName("HA-26: cancelled before it is answered: no lease is left behind")
    void cancelledFutureLeavesNoLease() {
        CompletableFuture<Acquisition> future = fake.leaseManager
                .tryAcquireAsync(LeaseRequest.of("one"), Duration.ZERO)
                .toCompletableFuture();
        future.cancel(true);
        fake.runtime.runDue();

        assertThat(fake.operations.holding("one")).isNull();
        assertThat(fake.leaseManager.held()).isZero();
    }

    private CompletableFuture<Lease> acquireAndCancelBeforeDelivery() {
        CompletableFuture<Lease> future = fake.leaseManager
                .acquireAsync(LeaseRequest.of("one"), Duration.ZERO)
                .toCompletableFuture();
        fake.operations.script(operation -> {
            fake.operations.answer(operation);
            // The threads for callbacks come after the one of the handles.
            fake.callbacks.execute(() -> future.cancel(true));
        });
        fake.runtime.runDue();
        return future;
    }

    @Test
    @DisplayName("HA-26: cancelled between the grant and its delivery: the lease is given back")
    void cancelledBeforeDeliveryLeavesNoLease() {
        assertThat(acquireAndCancelBeforeDelivery()).isCancelled();
        assertThat(fake.operations.holding("one")).isNull();
        assertThat(fake.leaseManager.held()).isZero();
    }

    @Test
    @DisplayName("HA-33: the future of a lease gives it, or throws what the other form throws")
    void futureOfALease() {
        CompletableFuture<Lease> yes = fake.leaseManager
                .acquireAsync(LeaseRequest.of("one"), Duration.ZERO)
                .toCompletableFuture();
        CompletableFuture<Lease> no = fake.leaseManager
                .acquireAsync(LeaseRequest.of("one"), Duration.ZERO)
                .toCompletableFuture();
        fake.runtime.runDue();

        assertThat(yes.join().isHeld()).isTrue();
        assertThat(no)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(LeaseRefusedException.class);
    }

    @Test
    @DisplayName("HA-31: the exception of the body wins, and the lease is released")
    void bodyThrows() throws InterruptedException {
        assertThatThrownBy(() -> {
                    try (Lease lease = fake.acquire("one")) {
                        throw new IllegalStateException("body of " + lease.name());
                    }
                })
                .isInstanceOf(IllegalStateException.class);
        assertThat(fake.operations.holding("one")).isNull();
    }

    @Test
    @DisplayName("HA-36: the token does not change while the same holder asks again and again")
    void tokenStaysWithinATenure() throws InterruptedException {
        Lease first = fake.acquire(LeaseRequest.of("one").holder("h").term(FakeLeaseManager.MINUTE));
        for (int i = 0; i < 10; i++) {
            fake.runtime.runFor(15 * SECOND);
            assertThat(fake.acquire(LeaseRequest.of("one").holder("h").term(FakeLeaseManager.MINUTE))
                            .token())
                    .isEqualTo(first.token());
        }
        assertThat(fake.operations.sent(Request.Acquire.class)).hasSize(1);
    }

    @Test
    void whatTryingAgainDoesNotHelpIsThrownAtOnce() {
        fake.operations.script(
                operation -> OperationEnds.fail(operation, new CorruptDocumentException("d", "token", "none")));
        fake.operations.script(
                operation -> OperationEnds.fail(operation, new LeaseStoreException("not allowed", null)));

        assertThat(fake.waits(LeaseRequest.of("one"), FakeLeaseManager.HOUR)).isCompletedExceptionally();
        assertThat(fake.waits(LeaseRequest.of("one"), FakeLeaseManager.HOUR)).isCompletedExceptionally();
        assertThat(fake.leaseManager.waiting()).isZero();
    }

    @Test
    void tenureThatIsBeingGivenBackIsNotGrantedAgain() throws InterruptedException {
        Lease lease = fake.acquire(LeaseRequest.of("one").holder("h"));
        fake.operations.script(
                operation -> OperationEnds.fail(operation, new LeaseUnavailableException("no database", null)));
        lease.close();
        CompletableFuture<Acquisition> again = fake.waits(LeaseRequest.of("one").holder("h"), Duration.ZERO);
        fake.runtime.runFor(SECOND);

        assertThat(again.join().orElseThrow().token()).isEqualTo(2);
    }
}
