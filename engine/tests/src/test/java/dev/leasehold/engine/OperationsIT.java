package dev.leasehold.engine;

import static dev.leasehold.engine.TestEngine.refused;
import static dev.leasehold.engine.world.TestClock.Z;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Refusal.Reason;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** One engine alone: what each operation allows, and what it leaves in the database. */
class OperationsIT extends WithEngines {

    private static final long SECOND = 1_000_000_000L;

    private TestEngine a;

    @BeforeEach
    void startA() {
        a = engines.start("a");
    }

    private Tenure held(Duration duration) throws InterruptedException {
        return a.claims("name", "h", duration);
    }

    private void assertStored(String shortForm, long written) {
        assertThat(engines.shortForm("name")).isEqualTo(shortForm);
        assertThat(Engines.written(stored())).isEqualTo(written);
    }

    @Test
    @DisplayName("OP-1: a claim stores holder, first token, writer, stamp and expiry to the nanosecond")
    void aClaimStoresWhatItPromises() throws InterruptedException {
        Tenure tenure = held(ofSeconds(60));

        assertThat(tenure).isEqualTo(new Tenure(Engines.NAMESPACE, "name", "h", 1));
        assertStored("h/1", Z);
        assertThat(Engines.expiry(stored())).isEqualTo(Z + 60 * SECOND);
        assertThat(Engines.writer(stored())).startsWith("a#");
        assertThat(a.latestNanos("name")).isEqualTo(Z + 60 * SECOND);
    }

    @Test
    @DisplayName("OP-2: each lease has a holder and an expiry of its own")
    void leasesAreIndependent() throws InterruptedException {
        a.claims("short", "h1", ofSeconds(1));
        a.claims("medium", "h2", ofSeconds(60));
        a.claims("long", "h3", ofHours(1));
        // The clock stands still: each stamp, and the term with it, is 1 ns ahead of the one before.

        assertThat(engines.shortForm("short")).isEqualTo("h1/1");
        assertThat(engines.shortForm("medium")).isEqualTo("h2/1");
        assertThat(engines.shortForm("long")).isEqualTo("h3/1");
        assertThat(a.latestNanos("short")).isEqualTo(Z + SECOND);
        assertThat(a.latestNanos("medium")).isEqualTo(Z + 1 + 60 * SECOND);
        assertThat(a.latestNanos("long")).isEqualTo(Z + 2 + 3600 * SECOND);
    }

    @Test
    @DisplayName("OP-3: a held lease refuses another holder, and shows which one holds it until when")
    void aHeldLeaseRefusesAnother() throws InterruptedException {
        Tenure tenure = held(ofSeconds(60));

        Refusal refusal = refused(a.engine().tenures().claim("name", "h2", ofSeconds(60)), Reason.HELD);

        assertThat(((LeaseState.Held) refusal.state()).tenure()).isEqualTo(tenure);
        assertThat(TestEngine.latestNanos(refusal.state())).isEqualTo(Z + 60 * SECOND);
        assertStored("h/1", Z);
    }

    @Test
    @DisplayName("OP-4: a claim never extends, not even for the same holder")
    void aClaimNeverExtends() throws InterruptedException {
        held(ofSeconds(60));

        refused(a.engine().tenures().claim("name", "h", ofHours(1)), Reason.HELD);

        assertThat(Engines.expiry(stored())).isEqualTo(Z + 60 * SECOND);
    }

    @Test
    @DisplayName("OP-5: a lease past its expiry still refuses a claim")
    void aClaimNeverTakesOver() throws InterruptedException {
        held(ofSeconds(60));
        a.clock().advance(ofHours(1));

        Refusal refusal = refused(a.engine().tenures().claim("name", "h2", ofSeconds(60)), Reason.HELD_PAST_EXPIRY);

        assertThat(refusal.state().status()).isEqualTo(LeaseStatus.EXPIRED);
        assertStored("h/1", Z);
    }

    @Test
    @DisplayName("OP-10: at exactly the expiry nothing may be taken")
    void equalityIsNotExpired() throws InterruptedException {
        held(ofSeconds(60));
        a.clock().advance(ofSeconds(60));

        refused(a.engine().tenures().expire("name"), Reason.NOT_EXPIRED);
        refused(a.engine().tenures().takeOver("name", "h2", ofSeconds(30)), Reason.NOT_EXPIRED);

        assertStored("h/1", Z);
    }

    @Test
    @DisplayName("OP-14: an unknown lease is refused, and nothing is created")
    void anUnknownLeaseIsRefused() throws InterruptedException {
        Tenure tenure = new Tenure(Engines.NAMESPACE, "name", "h", 1);

        refused(a.engine().tenures().extend(tenure, ofSeconds(1)), Reason.NO_SUCH_LEASE);
        refused(a.engine().tenures().expire("name"), Reason.NO_SUCH_LEASE);
        refused(a.engine().tenures().takeOver("name", "h", ofSeconds(1)), Reason.NO_SUCH_LEASE);
        refused(a.engine().tenures().release(tenure), Reason.NO_SUCH_LEASE);

        assertThat(stored()).isNull();
    }

    @Test
    @DisplayName("Never again 7, OP-16: a late or repeated release changes nothing and says so")
    void releaseTwiceIsHarmless() throws InterruptedException {
        Tenure tenure = held(ofSeconds(60));

        assertThat(a.releases(tenure)).isEqualTo(tenure);
        assertStored("-/1", Z + 1);
        refused(a.engine().tenures().release(tenure), Reason.VACANT);
        assertStored("-/1", Z + 1);

        a.claims("name", "h2", ofSeconds(60));
        refused(a.engine().tenures().release(tenure), Reason.NOT_THAT_TENURE);
        assertThat(engines.shortForm("name")).isEqualTo("h2/2");
    }

    @Test
    @DisplayName("Never again 7, OP-19: tokens strictly increase over release, expiry and take-over")
    void tokensStrictlyIncrease() throws InterruptedException {
        Tenure first = held(ofSeconds(1));
        a.releases(first);
        Tenure second = held(ofSeconds(1));
        a.clock().advance(ofSeconds(2));
        a.expires("name");
        Tenure third = held(ofSeconds(1));
        a.clock().advance(ofSeconds(2));
        Tenure fourth = a.takesOver("name", "h", ofSeconds(1));

        assertThat(new long[] {first.token(), second.token(), third.token(), fourth.token()})
                .containsExactly(1, 2, 3, 4);
    }

    @Test
    @DisplayName("Never again 2: a backward step of the wall clock neither blocks a write nor shortens what it grants")
    void aBackwardStepOfTheWallBlocksNoWrite() throws InterruptedException {
        Tenure tenure = held(ofSeconds(60));
        a.clock().stepWall(ofHours(-1));
        a.clock().advance(ofSeconds(1));

        a.extendsTo(tenure, ofSeconds(60));

        assertStored("h/1", Z + SECOND);
        assertThat(Engines.expiry(stored())).isEqualTo(Z + 61 * SECOND);
    }
}
