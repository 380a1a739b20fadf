package dev.leasehold.engine;

import static dev.leasehold.engine.TestEngine.refused;
import static dev.leasehold.engine.world.TestClock.Z;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Hooks.Action;
import dev.leasehold.engine.Hooks.Point;
import dev.leasehold.engine.Refusal.Reason;
import dev.leasehold.engine.world.TestClock;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * What happens when {@code b} writes between the decision of {@code a} and its transaction. Whatever is meant to happen
 * meanwhile runs in a hook just before the update command of {@code a}.
 */
class RacesIT extends WithEngines {

    private static final long SECOND = 1_000_000_000L;

    private TestEngine a;
    private TestEngine b;
    private Tenure tenure;

    private void meanwhile(Action action) {
        a.hooks().once(Point.BEFORE_UPDATE, action);
    }

    private static void assertHeldUnder(Refusal refusal, String holder, long token, long latestNanos) {
        assertThat(((LeaseState.Held) refusal.state()).tenure())
                .isEqualTo(new Tenure(Engines.NAMESPACE, "name", holder, token));
        assertThat(TestEngine.latestNanos(refusal.state())).isEqualTo(latestNanos);
    }

    @Test
    @DisplayName("RA-1: an engine that starts while another one starts and claims sees its lease")
    void anotherStartsAndClaimsDuringTheStart() throws InterruptedException {
        Hooks hooks = new Hooks();
        hooks.once(Point.BEFORE_CLOCK_WRITE, () -> engines.start("b").claims("somewhere", "holder", ofSeconds(60)));

        a = engines.start(Engines.NAMESPACE, "a", TestClock.atZ(), hooks);

        assertThat(((LeaseState.Held) a.sees("somewhere")).tenure())
                .isEqualTo(new Tenure(Engines.NAMESPACE, "somewhere", "holder", 1));
    }

    @Test
    @DisplayName("A writer that joins between the read of a lease and that of the clock does not look absent")
    void aWriterThatJoinsDuringARead() throws InterruptedException {
        a = engines.start("a");
        b = engines.start("b");
        b.hooks().forgetCommands();
        b.hooks().always(Point.BEFORE_READ, () -> {
            if (b.hooks().commands("find").size() == 2) {
                a.acquires(LeaseRequest.of("name").holder("h"));
            }
        });

        assertThat(b.sees("name")).isEqualTo(new LeaseState.Absent("name"));

        assertThat(engines.shortForm("name")).isEqualTo("h/1");
    }

    /** There is no lease yet. */
    @Nested
    class FirstClaim {

        @BeforeEach
        void startBoth() {
            a = engines.start("a");
            b = engines.start("b");
        }

        @Test
        @DisplayName("RA-2: of two first claims one wins, and the other is told at once")
        void oneOfTwoFirstClaimsWins() throws InterruptedException {
            meanwhile(() -> b.claims("name", "h2", ofSeconds(60)));

            Refusal refusal = refused(a.engine().tenures().claim("name", "h", ofSeconds(60)), Reason.HELD);

            assertHeldUnder(refusal, "h2", 1, Z + 60 * SECOND);
            assertThat(a.hooks().transactions()).hasSize(1);
            assertThat(a.hooks().commands("commitTransaction")).isEmpty();
            assertThat(Engines.writer(stored())).startsWith("b#");
        }

        private boolean othersAreBusy = true;
        private boolean bHolds;

        @Test
        @DisplayName("RA-3: contention without end is said when the time is over, and nothing comes of the claim")
        void contentionEndsWithTheTimeBudget() throws InterruptedException {
            a.hooks().always(Point.BEFORE_READ, this::bGivesWay);
            a.hooks().always(Point.BEFORE_UPDATE, this::bComesFirst);

            assertThatThrownBy(() -> a.engine().tenures().claim("name", "h", ofSeconds(60)))
                    .isInstanceOf(LeaseContentionException.class)
                    .hasMessageContaining("'name'")
                    .hasMessageContaining("'h'");

            // The budget is 10 s, and an attempt takes 3 s.
            assertThat(a.hooks().transactions()).hasSize(4);
            othersAreBusy = false;
            // Whatever was still on its way would go along with the next transaction.
            a.claims("other", "h", ofSeconds(60));
            assertThat(a.hooks().transactions()).hasSize(5);
            assertThat(a.hooks().commands("commitTransaction")).hasSize(1);
            assertThat(engines.shortForm("name")).isEqualTo("h2/4");
        }

        private void bComesFirst() throws InterruptedException {
            if (othersAreBusy) {
                b.claims("name", "h2", ofSeconds(1));
                bHolds = true;
                a.clock().advance(ofSeconds(3));
            }
        }

        private void bGivesWay() throws InterruptedException {
            if (othersAreBusy && bHolds) {
                b.clock().advance(ofSeconds(60));
                b.expires("name");
                bHolds = false;
            }
        }
    }

    /** {@code a} holds it for 60 s, and {@code b} has seen that. */
    @Nested
    class HeldByA {

        @BeforeEach
        void aClaimsAndBReads() throws InterruptedException {
            a = engines.start("a");
            b = engines.start("b");
            tenure = a.claims("name", "h", ofSeconds(60));
            b.sees("name");
        }

        private void bothClocksAdvance(Duration duration) {
            a.clock().advance(duration);
            b.clock().advance(duration);
        }

        @Test
        @DisplayName("RA-4: an extension past that of another engine is written over it")
        void theLongerExtensionIsWrittenOver() throws InterruptedException {
            meanwhile(() -> b.extendsTo(tenure, ofSeconds(90)));

            a.extendsTo(tenure, ofSeconds(120));

            assertThat(engines.shortForm("name")).isEqualTo("h/1");
            assertThat(Engines.writer(stored())).startsWith("a#");
            // The stamps of a: its claim, the attempt that missed, the one that landed. Its clock stood still
            // meanwhile, so
            // the last stamp and the term are 2 ns ahead of it. b counts from the stamp, and so comes out right.
            assertThat(Engines.written(stored())).isEqualTo(Z + 2);
            assertThat(Engines.expiry(stored())).isEqualTo(Z + 2 + 120 * SECOND);
            assertThat(b.latestNanos("name")).isEqualTo(Z + 120 * SECOND);
        }

        @Test
        @DisplayName("RA-5: an extension short of that of another engine keeps its expiry")
        void theShorterExtensionKeepsTheExpiry() throws InterruptedException {
            meanwhile(() -> b.extendsTo(tenure, ofSeconds(120)));

            a.extendsTo(tenure, ofSeconds(90));

            assertThat(engines.shortForm("name")).isEqualTo("h/1");
            assertThat(Engines.writer(stored())).startsWith("a#");
            assertThat(Engines.expiry(stored())).isEqualTo(Z + 120 * SECOND + 1);
        }

        @Test
        @DisplayName("RA-6: an extension of a lease that was expired is refused")
        void anExpiredLeaseIsNotExtended() throws InterruptedException {
            meanwhile(() -> {
                b.clock().advance(ofSeconds(90));
                b.expires("name");
            });

            Refusal refusal = refused(a.engine().tenures().extend(tenure, ofSeconds(120)), Reason.VACANT);

            assertThat(refusal.state()).isEqualTo(new LeaseState.Vacant("name", 1, null, Set.of()));
            assertThat(engines.shortForm("name")).isEqualTo("-/1");
        }

        @Test
        @DisplayName("RA-7: an extension of a lease that was taken over is refused")
        void aTakenLeaseIsNotExtended() throws InterruptedException {
            meanwhile(() -> {
                b.clock().advance(ofSeconds(90));
                b.takesOver("name", "h2", ofSeconds(60));
            });

            Refusal refusal = refused(a.engine().tenures().extend(tenure, ofSeconds(120)), Reason.NOT_THAT_TENURE);

            assertHeldUnder(refusal, "h2", 2, Z + 60 * SECOND);
            assertThat(engines.shortForm("name")).isEqualTo("h2/2");
        }

        @Test
        @DisplayName("RA-8: an extension never lands on another tenure of the same holder")
        void anotherTenureOfTheSameHolderIsNotExtended() throws InterruptedException {
            meanwhile(() -> {
                b.clock().advance(ofSeconds(61));
                b.expires("name");
                b.claims("name", "h", ofSeconds(1));
            });

            // To more than the 60 s that are left by the view of a: those would be answered without a write.
            Refusal refusal = refused(a.engine().tenures().extend(tenure, ofSeconds(61)), Reason.NOT_THAT_TENURE);

            assertThat(((LeaseState.Held) refusal.state()).tenure().token()).isEqualTo(2);
            assertThat(Engines.writer(stored())).startsWith("b#");
        }

        @Test
        @DisplayName("RA-9: what was extended meanwhile is not expired")
        void whatWasExtendedIsNotExpired() throws InterruptedException {
            a.clock().advance(ofSeconds(90));
            meanwhile(() -> {
                b.clock().advance(ofSeconds(90));
                b.extendsTo(tenure, ofSeconds(30));
            });

            Refusal refusal = refused(a.engine().tenures().expire("name"), Reason.NOT_EXPIRED);

            assertHeldUnder(refusal, "h", 1, Z + 120 * SECOND);
        }

        @Test
        @DisplayName("RA-10: what was expired meanwhile is not expired twice")
        void whatWasExpiredIsNotExpiredTwice() throws InterruptedException {
            a.clock().advance(ofSeconds(90));
            meanwhile(() -> {
                b.clock().advance(ofSeconds(90));
                b.expires("name");
            });

            Refusal refusal = refused(a.engine().tenures().expire("name"), Reason.VACANT);

            assertThat(refusal.state()).isEqualTo(new LeaseState.Vacant("name", 1, null, Set.of()));
            assertThat(Engines.writer(stored())).startsWith("b#");
        }

        @Test
        @DisplayName("RA-11: what was expired and claimed meanwhile is not expired")
        void whatWasClaimedAnewIsNotExpired() throws InterruptedException {
            a.clock().advance(ofSeconds(90));
            meanwhile(() -> {
                // One nanosecond before the claim, whose stamp thus is the clock itself.
                b.clock().advance(90 * SECOND - 1);
                b.expires("name");
                b.clock().advance(1);
                b.claims("name", "h", ofSeconds(60));
            });

            Refusal refusal = refused(a.engine().tenures().expire("name"), Reason.NOT_EXPIRED);

            assertHeldUnder(refusal, "h", 2, Z + 150 * SECOND);
        }

        @Test
        @DisplayName("RA-12: an extension never brings a released tenure back")
        void anExtensionNeverBringsATenureBack() throws InterruptedException {
            meanwhile(() -> b.releases(tenure));

            refused(a.engine().tenures().extend(tenure, ofSeconds(120)), Reason.VACANT);

            assertThat(engines.shortForm("name")).isEqualTo("-/1");
        }

        @Test
        @DisplayName("RA-13: a release overtaken by an extension of the same tenure goes through")
        void aReleaseOvertakenByAnExtensionGoesThrough() throws InterruptedException {
            a.hooks().forgetCommands();
            meanwhile(() -> b.extendsTo(tenure, ofSeconds(90)));

            a.releases(tenure);

            assertThat(engines.shortForm("name")).isEqualTo("-/1");
            assertThat(a.hooks().transactions()).hasSize(2);
        }

        @Test
        @DisplayName("RA-14: of two take-overs exactly one wins")
        void oneOfTwoTakeOversWins() throws InterruptedException {
            bothClocksAdvance(ofSeconds(60).plusNanos(1));
            meanwhile(() -> b.takesOver("name", "h2", ofSeconds(60)));

            Refusal refusal = refused(a.engine().tenures().takeOver("name", "h3", ofSeconds(60)), Reason.NOT_EXPIRED);

            assertHeldUnder(refusal, "h2", 2, Z + 120 * SECOND + 1);
            assertThat(engines.shortForm("name")).isEqualTo("h2/2");
        }

        @Test
        @DisplayName("Never again 5, RA-15: a claim is never refused from memory")
        void aClaimIsNeverRefusedFromMemory() throws InterruptedException {
            b.releases(tenure);

            assertThat(a.claims("name", "h2", ofSeconds(60)).token()).isEqualTo(2);
        }

        @Test
        @DisplayName("RA-16: a read is measured on the monotonic clock, however the wall clock steps")
        void theWallTakesNoPartInARead() throws InterruptedException {
            b.hooks().once(Point.AFTER_LEASE_READ, () -> b.clock().stepWall(ofMillis(-10)));
            assertThat(b.latestNanos("name")).isEqualTo(Z + 60 * SECOND);

            b.hooks().once(Point.AFTER_LEASE_READ, () -> b.clock().stepWall(ofHours(-1)));
            assertThat(b.latestNanos("name")).isEqualTo(Z + 60 * SECOND);
        }

        @Test
        @DisplayName("RA-17: nothing is concluded from a read during which the monotonic clock went back")
        void aMonotonicClockThatWentBackIsAnError() throws InterruptedException {
            bothClocksAdvance(ofSeconds(5));
            a.extendsTo(tenure, ofSeconds(60));
            b.hooks().once(Point.AFTER_LEASE_READ, () -> b.clock().stepMonotonic(ofMillis(-10)));

            assertThatThrownBy(() -> b.sees("name"))
                    .isInstanceOf(ClockAnomalyException.class)
                    .hasMessageContaining(" 10000000 ns");

            assertTheOldViewStays();
        }

        /** The view of {@code b} does not know the extension yet: a release by it misses first. */
        private void assertTheOldViewStays() throws InterruptedException {
            b.clock().stepMonotonic(ofMillis(10));
            b.hooks().forgetCommands();

            b.releases(tenure);

            assertThat(b.hooks().transactions()).hasSize(2);
        }
    }

    /** Threads of one process that do not know of each other. */
    @Nested
    class WithinOneEngine {

        private final ExecutorService threads = Executors.newCachedThreadPool();

        @BeforeEach
        void aClaims() throws InterruptedException {
            a = engines.start("a");
            tenure = a.claims("name", "h", ofSeconds(60));
        }

        @AfterEach
        void end() {
            threads.shutdownNow();
        }

        @Test
        @DisplayName("An extension that lands while the lease is being released brings no validity back")
        void anExtensionUnderWayBringsNoValidityBack() throws Exception {
            CompletableFuture<Future<Tenure>> release = new CompletableFuture<>();
            a.hooks().once(Point.BEFORE_COMMIT, () -> {
                release.complete(threads.submit(() -> a.releases(tenure)));
                a.runtime().untilCallersWait(2);
                assertThat(a.engine().tenures().isHeld(tenure)).isFalse();
            });

            a.extendsTo(tenure, ofSeconds(90));

            release.get().get(60, TimeUnit.SECONDS);
            assertThat(engines.shortForm("name")).isEqualTo("-/1");
            assertThat(a.engine().tenures().isHeld(tenure)).isFalse();
            assertThat(a.engine().tenures().remaining(tenure)).isZero();
        }
    }
}
