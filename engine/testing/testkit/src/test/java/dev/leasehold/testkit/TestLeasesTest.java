package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.RunResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How time moves, and what two engines see of each other. */
class TestLeasesTest {

    private final TestLeases leases = TestLeases.create();

    @AfterEach
    void close() {
        leases.close();
    }

    @Test
    void whatNeedNotWaitMovesNoTime() throws InterruptedException {
        Instant before = leases.clock().instant();

        Lease lease = leases.engine().acquire(LeaseRequest.of("x").waitAtMost(Duration.ofMinutes(1)));
        boolean held = lease.isHeld();
        lease.close();

        assertThat(held).isTrue();
        assertThat(lease.isHeld()).isFalse();
        assertThat(leases.clock().instant()).isEqualTo(before);
    }

    @Test
    void aLeaseIsKeptForAsLongAsTimeIsMoved() throws InterruptedException {
        Lease lease = leases.engine().tryAcquire("x").orElseThrow();

        leases.advance(Duration.ofHours(3));

        assertThat(lease.isHeld()).isTrue();
        assertThat(leases.clock().instant()).isEqualTo("2031-03-03T12:40:00Z");
    }

    @Test
    @DisplayName(
            "A daily job on a plain engine, which has never read the lease, runs 24 hours after its holder was killed")
    void aLeaseOfALongDeadProcessIsFreeAtTheFirstAsk() throws InterruptedException {
        LeaseEngine b = leases.engine("b");
        leases.engine("a").tryAcquire("nightly").orElseThrow();
        leases.engine("a").tryAcquire(LeaseRequest.of("of a term").term(Duration.ofMinutes(5)));
        leases.machine("a").kill();

        leases.advance(Duration.ofHours(24));

        assertThat(b.runWhileHeld("nightly", lease -> "ran")).isEqualTo(new RunResult.Ran<>("ran", true));
        assertThat(b.runWhileHeld("of a term", lease -> "ran")).isEqualTo(new RunResult.Ran<>("ran", true));
    }

    @Test
    void aWaitForALeaseThatIsHeldLastsAsLongAsItWasAskedTo() throws InterruptedException {
        leases.engine("a").tryAcquire("x").orElseThrow();
        Instant before = leases.clock().instant();

        Acquisition answer = leases.engine("b").tryAcquire(LeaseRequest.of("x").waitAtMost(Duration.ofSeconds(7)));

        assertThat(answer).isInstanceOf(Acquisition.NotAcquired.class);
        assertThat(Duration.between(before, leases.clock().instant())).isEqualTo(Duration.ofSeconds(7));
    }

    @Test
    void aWaiterGetsTheLeaseThatAnotherEngineGivesUpWithoutTimePassing() throws InterruptedException {
        Lease first = leases.engine("a").tryAcquire("x").orElseThrow();
        CompletableFuture<Lease> second = leases.engine("b")
                .acquireAsync(LeaseRequest.of("x").waitAtMost(Duration.ofMinutes(1)))
                .toCompletableFuture();
        leases.advance(Duration.ofSeconds(10));
        Instant before = leases.clock().instant();

        first.close();

        assertThat(second).isCompleted();
        assertThat(second.join().token()).isGreaterThan(first.token());
        assertThat(leases.clock().instant()).isEqualTo(before);
    }

    @Test
    void afterTheSessionOfAKilledEngineAnotherTakesOver() throws InterruptedException {
        Lease lost = leases.engine("a").tryAcquire("x").orElseThrow();
        leases.machine("a").kill();

        Acquisition early = leases.engine("b").tryAcquire(LeaseRequest.of("x").waitAtMost(Duration.ofSeconds(29)));
        boolean stillHeld = lost.isHeld();
        Lease taken = leases.engine("b").acquire(LeaseRequest.of("x").waitAtMost(Duration.ofSeconds(2)));

        assertThat(early).isInstanceOf(Acquisition.NotAcquired.class);
        assertThat(stillHeld).isTrue();
        assertThat(lost.isHeld()).isFalse();
        assertThat(taken.token()).isGreaterThan(lost.token());
        assertThatThrownBy(() -> lost.inTransaction(leases.startSession(), session -> 1))
                .isInstanceOf(LeaseNotHeldException.class);
    }

    @Test
    void clocksMayBeApartByHoursAndDriftApartWithoutAnyHarm() throws InterruptedException {
        LeaseEngine early = leases.engine("early", Duration.ofHours(-5));
        LeaseEngine fast = leases.machine("fast", Duration.ofDays(2), 900).engine();
        Lease lease = early.tryAcquire("x").orElseThrow();

        leases.advance(Duration.ofHours(1));
        Acquisition other = fast.tryAcquire(LeaseRequest.of("x"));

        assertThat(lease.isHeld()).isTrue();
        assertThat(other).isInstanceOf(Acquisition.NotAcquired.class);
    }

    @Test
    void moreDriftThanTheBoundLetsTwoBeValid() throws InterruptedException {
        LeaseEngine slow = leases.machine("slow", Duration.ZERO, -500_000).engine();
        Lease lost = slow.tryAcquire(LeaseRequest.of("x").term(Duration.ofMinutes(10), Duration.ofMinutes(4)))
                .orElseThrow();
        leases.machine("slow").disconnect();

        // Time of day ends what the monotonic clock, which is wrong, would still allow.
        leases.machine("slow").stepWallClock(Duration.ofMinutes(-10));
        Lease taken = leases.engine("b").acquire(LeaseRequest.of("x").waitAtMost(Duration.ofMinutes(11)));

        assertThat(taken.isHeld()).isTrue();
        assertThat(lost.isHeld()).isTrue();
    }

    @Test
    void theSameCallsHaveTheSameOutcome() throws InterruptedException {
        assertThat(contest()).isEqualTo(contest());
    }

    /** Three engines for one lease, all of them slowed down by failures. */
    private static List<String> contest() throws InterruptedException {
        List<String> outcome = new ArrayList<>();
        try (TestLeases leases = TestLeases.create()) {
            for (String name : List.of("a", "b", "c")) {
                leases.engine(name)
                        .acquireAsync(LeaseRequest.of("x").waitAtMost(Duration.ofMinutes(5)))
                        .thenAccept(lease -> {
                            outcome.add(name + " " + lease.token() + " "
                                    + leases.clock().instant());
                            lease.close();
                        });
            }
            leases.machine("a").failNext(StoreFailure.REFUSED_ONCE);
            leases.machine("b").disconnect();
            leases.advance(Duration.ofSeconds(3));
            leases.machine("b").reconnect();
            leases.advance(Duration.ofMinutes(1));
        }
        assertThat(outcome).hasSize(3);
        return outcome;
    }

    @Test
    void failureOfTheNextOperationStrikesTheOnlyMachineThatTheTestHasNamed() {
        LeaseEngine only = leases.engine("only");

        leases.failNext(StoreFailure.UNAVAILABLE);

        assertThatThrownBy(() -> only.tryAcquire("report")).isInstanceOf(LeaseUnavailableException.class);
    }

    @Test
    void failureOfTheNextOperationOfOneOfSeveralMachinesIsAskedFor() {
        leases.engine("a");
        leases.engine("b");

        assertThatThrownBy(() -> leases.failNext(StoreFailure.UNAVAILABLE))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("[a, b]");
    }

    @Test
    void settingsAreThoseOfTheBuilderAndAreChecked() throws InterruptedException {
        try (TestLeases others = TestLeases.create(builder -> builder.sessionLength(Duration.ofMinutes(2)))) {
            Lease lease = others.engine().tryAcquire("x").orElseThrow();

            assertThat(lease.remaining()).isEqualTo(Duration.ofMinutes(2));
        }
        try (TestLeases wrong = TestLeases.create(
                builder -> builder.sessionLength(Duration.ofSeconds(1)).operationBudget(Duration.ofSeconds(2)))) {
            assertThatThrownBy(wrong::engine)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("session length PT1S");
        }
    }

    @Test
    void aRestartedMachineHasANewEngine() throws InterruptedException {
        LeaseEngine first = leases.engine();
        first.tryAcquire("x").orElseThrow();

        LeaseEngine second = leases.machine("test").restart();

        assertThat(second).isNotSameAs(first);
        assertThat(leases.engine()).isSameAs(second);
        assertThatThrownBy(() -> first.tryAcquire("y").orElseThrow())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'test' was killed");
        assertThat(second.acquire(LeaseRequest.of("x").waitAtMost(Duration.ofSeconds(31)))
                        .isHeld())
                .isTrue();
    }

    @Test
    void nothingCanBeDoneWithWhatIsClosed() throws InterruptedException {
        LeaseEngine engine = leases.engine();
        leases.close();

        leases.close();

        assertThatThrownBy(() -> leases.advance(Duration.ofSeconds(1))).hasMessageContaining("closed");
        assertThatThrownBy(() -> engine.tryAcquire("x").orElseThrow()).hasMessageContaining("closed");
    }

    @Test
    @DisplayName("Numbers with which no clock could go on are refused, each time with the value and the rule")
    void numbersOutOfRangeAreRefused() {
        Duration longest = Duration.ofDays(36_500);
        TestMachine machine = leases.machine("a", longest, 999_999);
        for (long drift : List.of(Long.MAX_VALUE, 1_000_000L, -1_000_000L, Long.MIN_VALUE)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> leases.machine("b", Duration.ZERO, drift))
                    .withMessage("drift " + drift + " ppm is refused: it must be -999999 to 999999");
        }
        for (Duration tooLong : List.of(longest.plusNanos(1), Duration.ofSeconds(Long.MAX_VALUE))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> leases.engine("b", tooLong))
                    .withMessage("clocks that are " + tooLong
                            + " ahead are refused: it must be at most 36500 days, ahead or behind");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> leases.engine("b", tooLong.negated()))
                    .withMessageContaining("PT-");
            for (Consumer<Duration> move :
                    List.<Consumer<Duration>>of(leases::advance, machine::pause, machine::freeze)) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> move.accept(tooLong))
                        .withMessage("duration " + tooLong + " is refused: the clock of a test moves by 36500 days at"
                                + " most, and PT876000H are left");
            }
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> machine.stepWallClock(tooLong))
                    .withMessageContaining("ahead are refused");
        }
    }

    @Test
    @DisplayName("A clock that was moved is not moved beyond what nanoseconds can carry")
    void movesAddUp() {
        Duration longest = Duration.ofDays(36_500);
        TestMachine machine = leases.machine("a", Duration.ofDays(1), 999_999);
        leases.advance(longest.minusDays(1));
        machine.stepWallClock(longest.minusDays(1));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> leases.advance(longest))
                .withMessageContaining("and PT24H are left");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> machine.stepWallClock(Duration.ofNanos(1)))
                .withMessageContaining("ahead are refused");
        leases.advance(Duration.ofDays(1));
        assertThat(leases.clock().instant())
                .isEqualTo(Instant.parse("2031-03-03T09:40:00Z").plus(longest));
    }

    @Test
    void aMachineIsMadeOnce() {
        leases.machine("a");

        assertThatThrownBy(() -> leases.engine("a", Duration.ofSeconds(1)))
                .hasMessageContaining("'a' is there already");
        assertThatThrownBy(() -> leases.machine("b", Duration.ZERO, -1_000_000)).hasMessageContaining("-1000000 ppm");
        assertThatThrownBy(() -> leases.advance(Duration.ofNanos(-1))).hasMessageContaining("does not go back");
    }
}
