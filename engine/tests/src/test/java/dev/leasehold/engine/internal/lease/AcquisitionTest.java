package dev.leasehold.engine.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseOutcomeUnknownException;
import dev.leasehold.engine.LeaseRefusedException;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.LeaseStoreException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.Refusal;
import dev.leasehold.engine.internal.metrics.EngineEvent.OperationEnded;
import dev.leasehold.engine.internal.metrics.OperationOutcome;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.store.StoredLease;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.world.ScriptedStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What an attempt to acquire a lease comes to. */
class AcquisitionTest {

    private static final long SECOND = SteppedLeases.SECOND;

    private final SteppedLeases a = new SteppedLeases();

    @AfterEach
    void clearInterrupt() {
        Thread.interrupted();
    }

    @Test
    @DisplayName("HA-1: a free lease is acquired at once, by one operation")
    void freeLeaseIsAcquired() throws InterruptedException {
        Lease lease = a.acquire(
                LeaseRequest.of("one").holder("h").comment("for tests").term(SteppedLeases.MINUTE));

        assertThat(lease.holder()).isEqualTo("h");
        assertThat(lease.token()).isEqualTo(1);
        assertThat(lease.comment()).isEqualTo("for tests");
        assertThat(lease.remaining()).isEqualTo(SteppedLeases.MINUTE);
        assertThat(a.sent()).hasSize(1);
        assertThat(a.leaseManager.held()).isEqualTo(1);
        assertThat(a.leaseManager.waiting()).isZero();
    }

    @Test
    void withoutANameEachAcquisitionIsAnotherHolder() throws InterruptedException {
        assertThat(a.acquire("one").holder()).isEqualTo("a#1/1");
        assertThat(a.acquire("two").holder()).isEqualTo("a#1/2");
        assertThat(a.leaseManager
                        .tryAcquire(LeaseRequest.of("one"), Duration.ZERO)
                        .asOptional())
                .isEmpty();
    }

    @Test
    @DisplayName("HA-2: held by another: a value that shows by which holder, since when, what for and until when")
    void heldByAnotherIsAValue() throws InterruptedException {
        Tenure other = a.heldByAnother("one", "h2", 60 * SECOND);

        Acquisition acquisition = a.leaseManager.tryAcquire(LeaseRequest.of("one"), Duration.ZERO);

        assertThat(acquisition).isInstanceOfSatisfying(Acquisition.NotAcquired.class, no -> {
            assertThat(no.refusal().reason()).isEqualTo(Refusal.Reason.HELD);
            assertThat(no.refusal().operation())
                    .isEqualTo("acquisition of lease 'one' for 'a#1/1' in namespace 'billing'");
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
        a.store.fail(new LeaseUnavailableException("no database", null));

        assertThatThrownBy(() -> a.acquire("one"))
                .isInstanceOf(LeaseUnavailableException.class)
                .hasRootCauseMessage("no database");
        assertThat(a.leaseManager.held()).isZero();
    }

    @Test
    @DisplayName("HA-3: a database that says nothing at all is an exception when the operation budget is over")
    void silentDatabaseIsAnExceptionInTime() {
        a.store.onRead(() -> a.runtime.runFor(SteppedLeases.BUDGET));
        long beganNanos = a.clock.monotonicNanos();

        assertThatThrownBy(() -> a.acquire("one")).isInstanceOf(LeaseUnavailableException.class);

        assertThat(a.clock.monotonicNanos() - beganNanos).isEqualTo(SteppedLeases.BUDGET);
    }

    @Test
    @DisplayName("HA-4: an outcome that stays unknown is said to be unknown in time, and a late landing is given back")
    void unknownOutcomeThatLandsIsGivenBack() {
        a.store.onWrite(write -> {
            write.send();
            a.runtime.runFor(SteppedLeases.BUDGET);
            return ScriptedStore.unknown();
        });

        assertThatThrownBy(() -> a.acquire(LeaseRequest.of("one").holder("h")))
                .isInstanceOf(LeaseOutcomeUnknownException.class);
        assertThat(a.leaseManager.held()).isZero();
        Tenure landed = a.holding("one");
        assertThat(landed).isNotNull();

        a.runtime.runFor(SECOND);
        assertThat(a.sent(Request.Release.class)).containsExactly(new Request.Release(landed, null, true, null));
        assertThat(a.holding("one")).isNull();
        assertThat(a.leaseManager.held()).isZero();
    }

    @Test
    @DisplayName(
            "HA-4: what may have landed and will never be known is given back too: the session would keep it for ever")
    void outcomeThatIsNeverKnownIsGivenBack() throws InterruptedException {
        a.acquire("other");
        a.vacate("one");
        a.store.onWrite(write -> {
            write.send();
            a.store.put(new StoredLease.Corrupt("one", "billing#one", "expiry", "a double"));
            return ScriptedStore.unknown();
        });

        assertThatThrownBy(() -> a.acquire(LeaseRequest.of("one").holder("h")))
                .isInstanceOf(LeaseOutcomeUnknownException.class);
        a.runtime.runDue();

        assertThat(a.sent(Request.Release.class))
                .containsExactly(
                        new Request.Release(new Tenure(SteppedLeases.NAMESPACE, "one", "h", 2), null, true, null));
    }

    @Test
    @DisplayName(
            "HA-4: told to be unknown by the engine, with a wait: the wait is over, and a late landing is given back")
    void unknownOutcomeEndsTheWait() {
        a.store.onWrite(write -> {
            write.send();
            a.clock.advance(SteppedLeases.BUDGET + 1);
            return ScriptedStore.unknown();
        });

        CompletableFuture<Acquisition> waiting = a.waits(LeaseRequest.of("one").holder("h"), SteppedLeases.HOUR);

        assertThatThrownBy(() -> waiting.getNow(null)).hasCauseInstanceOf(LeaseOutcomeUnknownException.class);
        assertThat(a.holding("one")).isNotNull();
        a.runtime.runFor(SECOND);
        assertThat(a.holding("one")).isNull();
    }

    @Test
    @DisplayName("HA-5: the same holder gets another handle of the same tenure, and the last one to close releases it")
    void sameHolderSharesTheTenure() throws InterruptedException {
        Lease first = a.acquire(LeaseRequest.of("one").holder("h").comment("first"));
        Lease second = a.acquire(LeaseRequest.of("one").holder("h").comment("second"));

        assertThat(second.tenure()).isEqualTo(first.tenure());
        assertThat(second.comment()).isEqualTo("first");
        assertThat(a.leaseManager.held()).isEqualTo(1);
        assertThat(a.sent()).hasSize(1);

        first.close();
        assertThat(first.isHeld()).isFalse();
        assertThat(second.isHeld()).isTrue();
        assertThat(a.holding("one")).isEqualTo(second.tenure());

        second.close();
        assertThat(a.holding("one")).isNull();
        assertThat(a.leaseManager.held()).isZero();
    }

    @Test
    void sameHolderJoinsAnAcquisitionThatIsUnderWay() {
        CompletableFuture<Acquisition> first = a.asks(LeaseRequest.of("one").holder("h"), Duration.ZERO);
        CompletableFuture<Acquisition> second = a.asks(LeaseRequest.of("one").holder("h"), Duration.ZERO);
        a.runtime.runDue();

        assertThat(second.join().orElseThrow().tenure())
                .isEqualTo(first.join().orElseThrow().tenure());
        assertThat(a.sent()).hasSize(1);
    }

    @Test
    @DisplayName(
            "What was over when the answer came is for the caller that had asked for it; one that asked later gets what is held")
    void sameHolderDoesNotJoinAnAcquisitionWhoseTimeIsOver() {
        LeaseRequest request = LeaseRequest.of("one").holder("h");
        List<CompletableFuture<Acquisition>> later = new ArrayList<>();
        a.store.onWrite(write -> {
            later.add(a.waits(request, SteppedLeases.HOUR));
            WriteOutcome outcome = write.send();
            a.clock.advance(SteppedLeases.SESSION);
            return outcome;
        });

        CompletableFuture<Acquisition> first = a.waits(request, SteppedLeases.HOUR);
        a.runtime.runFor(SECOND);

        assertThat(first.join().orElseThrow().token()).isEqualTo(1);
        assertThat(first.join().orElseThrow().isHeld()).isFalse();
        assertThat(later.get(0).join().orElseThrow().isHeld()).isTrue();
    }

    @Test
    void sameHolderElsewhereIsSuperseded() throws InterruptedException {
        a.heldByAnother("one", "h", 60 * SECOND);

        Lease lease = a.acquire(LeaseRequest.of("one").holder("h").supersede(true));

        assertThat(lease.token()).isEqualTo(2);
        assertThat(a.acquire(LeaseRequest.of("one").holder("h").supersede(true)).tenure())
                .as("what is held here is shared as always")
                .isEqualTo(lease.tenure());
    }

    @Test
    void refusalOfAnotherDoesNotAnswerOneThatSupersedesTheHolder() {
        a.heldByAnother("one", "h", 60 * SECOND);
        LeaseRequest stranger = LeaseRequest.of("one").holder("h2");
        CompletableFuture<Acquisition> first = a.asks(stranger, SteppedLeases.MINUTE);
        CompletableFuture<Acquisition> back =
                a.waits(LeaseRequest.of("one").holder("h").supersede(true), Duration.ZERO);

        assertThat(back.join().orElseThrow().token()).isEqualTo(2);
        assertThat(first).isNotDone();
    }

    @Test
    void callThatSupersedesOneHolderIsAnsweredByTheRefusalOfWhatAnotherHolds() {
        a.heldByAnother("one", "h3", 60 * SECOND);
        a.leaseManager.tryAcquireAsync(LeaseRequest.of("one").holder("h2"), SteppedLeases.MINUTE);
        CompletableFuture<Acquisition> back =
                a.waits(LeaseRequest.of("one").holder("h").supersede(true), Duration.ZERO);

        assertThat(back.join()).isInstanceOf(Acquisition.NotAcquired.class);
        assertThat(a.sent(Request.Acquire.class)).noneMatch(Request.Acquire::supersede);
    }

    @Test
    void supersedingWithoutAHolderIsRefusedBeforeAnythingIsSent() {
        LeaseRequest request = LeaseRequest.of("one").supersede(true);

        assertThatThrownBy(() -> a.acquire(request))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("supersede without a holder is refused for lease 'one':"
                        + " name the holder whose other incarnation it is to be taken from");
        assertThat(a.sent()).isEmpty();
    }

    @Test
    @DisplayName("HA-9: nothing is held before the acquisition has answered")
    void notHeldBeforeItIsAnswered() {
        CompletableFuture<Acquisition> waiting = a.asks(LeaseRequest.of("one"), Duration.ZERO);
        a.store.onWrite(write -> {
            WriteOutcome outcome = write.send();
            a.runtime.runDue();
            assertThat(waiting).isNotDone();
            assertThat(a.leaseManager.held()).isZero();
            return outcome;
        });

        a.runtime.runDue();
        assertThat(waiting.join().orElseThrow().isHeld()).isTrue();
    }

    @Test
    @DisplayName("HA-26: interrupted on arrival: no lease is left behind")
    void interruptedOnArrival() {
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> a.acquire("one")).isInstanceOf(InterruptedException.class);

        a.runtime.runDue();
        assertThat(a.holding("one")).isNull();
        assertThat(a.leaseManager.held()).isZero();
        assertThat(a.leaseManager.waiting()).isZero();
        assertThat(a.sent()).as("not even asked for").isEmpty();
        assertThat(a.meters.events())
                .contains(new OperationEnded("acquire", "one", OperationOutcome.INTERRUPTED, null, 0));
    }

    @Test
    @DisplayName(
            "HA-26: interrupted on arrival while its holder holds the lease: it throws, however fast the answer would have been")
    void interruptedOnArrivalWhileItsHolderHoldsTheLease() throws InterruptedException {
        Lease lease = a.acquire(LeaseRequest.of("one").holder("h"));
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> a.acquire(LeaseRequest.of("one").holder("h")))
                .isInstanceOf(InterruptedException.class);

        a.runtime.runDue();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    @DisplayName("HA-26: interrupted after the commit was sent: the lease that is granted all the same is given back")
    void interruptedWhileCommitting() {
        a.store.onWrite(write -> {
            write.send();
            Thread.currentThread().interrupt();
            return ScriptedStore.unknown();
        });

        assertThatThrownBy(() -> a.acquire("one")).isInstanceOf(InterruptedException.class);
        assertThat(a.holding("one")).isNotNull();

        a.runtime.runFor(SECOND);
        assertThat(a.sent(Request.Release.class)).hasSize(1);
        assertThat(a.holding("one")).isNull();
        assertThat(a.leaseManager.held()).isZero();
    }

    @Test
    @DisplayName("HA-33: the future of a lease gives it, or throws what the other form throws")
    void futureOfALease() {
        CompletableFuture<Lease> yes = a.leaseManager
                .acquireAsync(LeaseRequest.of("one"), Duration.ZERO)
                .toCompletableFuture();
        CompletableFuture<Lease> no = a.leaseManager
                .acquireAsync(LeaseRequest.of("one"), Duration.ZERO)
                .toCompletableFuture();
        a.runtime.runDue();

        assertThat(yes.join().isHeld()).isTrue();
        assertThatThrownBy(() -> no.getNow(null)).hasCauseInstanceOf(LeaseRefusedException.class);
    }

    @Test
    @DisplayName("HA-31: the exception of the body wins, and the lease is released")
    void bodyThrows() throws InterruptedException {
        assertThatThrownBy(() -> {
                    try (Lease lease = a.acquire("one")) {
                        throw new IllegalStateException("body of " + lease.name());
                    }
                })
                .isInstanceOf(IllegalStateException.class);
        assertThat(a.holding("one")).isNull();
    }

    @Test
    @DisplayName("HA-36: the token does not change while the same holder asks again and again")
    void tokenStaysWithinATenure() throws InterruptedException {
        Lease first = a.acquire(LeaseRequest.of("one").holder("h").term(SteppedLeases.MINUTE));
        for (int i = 0; i < 10; i++) {
            a.runtime.runFor(15 * SECOND);
            assertThat(a.acquire(LeaseRequest.of("one").holder("h").term(SteppedLeases.MINUTE))
                            .token())
                    .isEqualTo(first.token());
        }
        assertThat(a.sent(Request.Acquire.class)).hasSize(1);
    }

    @Test
    void whatTryingAgainDoesNotHelpIsThrownAtOnce() {
        a.store.put(new StoredLease.Corrupt("damaged", "billing#damaged", "expiry", "a double"));
        a.refuseWrites(1, new LeaseStoreException("not allowed", null));

        assertThat(a.waits(LeaseRequest.of("damaged"), SteppedLeases.HOUR)).isCompletedExceptionally();
        assertThat(a.waits(LeaseRequest.of("one"), SteppedLeases.HOUR)).isCompletedExceptionally();
        assertThat(a.leaseManager.waiting()).isZero();
    }

    @Test
    void tenureThatIsBeingGivenBackIsNotGrantedAgain() throws InterruptedException {
        Lease lease = a.acquire(LeaseRequest.of("one").holder("h"));
        a.refuseWrites(1, new LeaseUnavailableException("no database", null));
        lease.close();
        CompletableFuture<Acquisition> again = a.waits(LeaseRequest.of("one").holder("h"), Duration.ZERO);
        a.runtime.runFor(SECOND);

        assertThat(again.join().orElseThrow().token()).isEqualTo(2);
    }
}
