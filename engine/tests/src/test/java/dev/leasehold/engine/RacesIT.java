package dev.leasehold.engine;

import static dev.leasehold.engine.TestEngine.refused;
import static dev.leasehold.engine.world.TestClock.Z;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Hooks.Action;
import dev.leasehold.engine.Hooks.Point;
import dev.leasehold.engine.Refusal.Reason;
import dev.leasehold.engine.world.TestClock;
import java.time.Duration;
import java.util.Set;
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
    }
}
