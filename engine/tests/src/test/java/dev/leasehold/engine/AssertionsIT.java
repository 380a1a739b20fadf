package dev.leasehold.engine;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.ClientSession;
import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Hooks.Point;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * A caller's own transaction asserts a tenure of {@code a}, 60 s under token 1, and writes one report. It commits only
 * while that tenure stands.
 */
class AssertionsIT extends WithEngines {

    private TestEngine a;
    private TestEngine b;
    private Tenure tenure;
    private LeaseAssertion assertion;

    @BeforeEach
    void aHoldsAndBReads() throws InterruptedException {
        a = engines.start("a");
        b = engines.start("b");
        tenure = a.claims("name", "h", ofSeconds(60));
        b.sees("name");
        assertion = a.engine().tenures().assertion(tenure);
        engines.reports().insertOne(new BsonDocument());
    }

    private long reportsWritten() {
        return engines.reports().countDocuments() - 1;
    }

    @Test
    @DisplayName("AS-1: while the lease is held the transaction commits, and nothing but the gates changes")
    void itCommitsWhileTheLeaseIsHeld() {
        BsonDocument expected = stored().append("gates", new BsonInt64(1));

        a.commitsUnder(assertion);

        assertThat(reportsWritten()).isOne();
        assertThat(stored()).isEqualTo(expected);
    }

    @Test
    @DisplayName("AS-2: an extension by another engine does no harm")
    void anExtensionDoesNoHarm() throws InterruptedException {
        b.extendsTo(tenure, ofHours(1));

        a.commitsUnder(assertion);

        assertThat(reportsWritten()).isOne();
        assertThat(stored().getInt64("gates").getValue()).isOne();
    }

    @Test
    @DisplayName("AS-3: past its expiry and not taken, the lease is still no other holder's")
    void anExpiryAloneDoesNoHarm() {
        a.clock().advance(ofHours(1));
        b.clock().advance(ofHours(1));

        a.commitsUnder(assertion);

        assertThat(reportsWritten()).isOne();
        assertThat(a.engine().tenures().isHeld(tenure)).isFalse();
    }

    @Test
    @DisplayName("AS-6: a take-over that begins after the assertion waits for the transaction")
    void aTakeOverWaitsForTheTransaction() throws InterruptedException {
        b.clock().advance(ofSeconds(60).plusNanos(1));
        try (ClientSession session = a.client().startSession()) {
            session.startTransaction();
            a.reports().insertOne(session, new BsonDocument());
            assertion.check(session);
            b.hooks().always(Point.BEFORE_UPDATE, () -> {
                if (b.hooks().transactions().size() == 2) {
                    session.commitTransaction();
                }
            });

            assertThat(b.takesOver("name", "h2", ofSeconds(60)).token()).isEqualTo(2);
        }
        assertThat(reportsWritten()).isOne();
        assertThat(engines.shortForm("name")).isEqualTo("h2/2");
        assertThat(b.hooks().transactions()).hasSize(2);
        assertThat(b.hooks().commands("commitTransaction")).hasSize(1);
    }
}
