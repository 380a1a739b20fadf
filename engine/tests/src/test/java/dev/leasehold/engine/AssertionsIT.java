package dev.leasehold.engine;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Hooks.Action;
import dev.leasehold.engine.Hooks.Point;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * A caller's own transaction asserts a tenure of {@code a}, 60 s under token 1, and writes one report. It commits only
 * while that tenure stands.
 */
@WithReplicaSet
class AssertionsIT {

    private Engines engines;
    private TestEngine a;
    private TestEngine b;
    private Tenure tenure;
    private LeaseAssertion assertion;
    private MongoCollection<BsonDocument> reports;
    private int runs;

    @BeforeEach
    void start(TestDatabase database) throws InterruptedException {
        engines = new Engines(database);
        a = engines.start("a");
        b = engines.start("b");
        tenure = a.claims("name", "h", ofSeconds(60));
        b.sees("name");
        assertion = a.engine().tenures().assertion(tenure);
        reports = a.client().getDatabase(database.name()).getCollection("reports", BsonDocument.class);
        reports.insertOne(new BsonDocument("_id", new BsonString("D")).append("written", new BsonInt32(0)));
    }

    @AfterEach
    void check() {
        engines.close();
    }

    private void write(ClientSession session) {
        runs++;
        reports.updateOne(session, Filters.eq("_id", "D"), Updates.inc("written", 1));
    }

    /** As the caller's transaction would run in an application. */
    private void runsGated(LeaseAssertion gate) {
        try (ClientSession session = a.client().startSession()) {
            session.withTransaction(() -> {
                write(session);
                gate.check(session);
                return null;
            });
        }
    }

    private int reportsWritten() {
        return reports.find(Filters.eq("_id", "D")).first().getInt32("written").getValue();
    }

    private long gates() {
        return engines.leaseDocument("name").getInt64("gates").getValue();
    }

    private void bothClocksPassTheExpiry() {
        a.clock().advance(ofSeconds(60).plusNanos(1));
        b.clock().advance(ofSeconds(60).plusNanos(1));
    }

    @Test
    @DisplayName("AS-1: while the lease is held the transaction commits, and nothing but the gates changes")
    void itCommitsWhileTheLeaseIsHeld() {
        BsonDocument expected = engines.leaseDocument("name").append("gates", new BsonInt64(1));

        runsGated(assertion);

        assertThat(reportsWritten()).isOne();
        assertThat(engines.leaseDocument("name")).isEqualTo(expected);
    }

    @Test
    @DisplayName("AS-2: an extension by another engine does no harm")
    void anExtensionDoesNoHarm() throws InterruptedException {
        b.extendsTo(tenure, ofHours(1));

        runsGated(assertion);

        assertThat(reportsWritten()).isOne();
        assertThat(gates()).isOne();
    }

    @Test
    @DisplayName("AS-3: past its expiry and not taken, the lease is still no other holder's")
    void anExpiryAloneDoesNoHarm() {
        a.clock().advance(ofHours(1));
        b.clock().advance(ofHours(1));

        runsGated(assertion);

        assertThat(reportsWritten()).isOne();
        assertThat(a.engine().tenures().isHeld(tenure)).isFalse();
    }

    private void assertFails(LeaseAssertion gate) {
        int runsBefore = runs;
        assertThatThrownBy(() -> runsGated(gate))
                .isInstanceOfSatisfying(
                        LeaseNotHeldException.class, e -> assertThat(e.tenure()).isEqualTo(gate.tenure()));
        assertThat(runs).isEqualTo(runsBefore + 1);
        assertThat(reportsWritten()).isZero();
        assertThat(gates()).isZero();
    }

    @Test
    @DisplayName("AS-4: after an expire the transaction fails at once")
    void itFailsAfterAnExpire() throws InterruptedException {
        bothClocksPassTheExpiry();
        b.expires("name");

        assertFails(assertion);
    }

    @Test
    @DisplayName("AS-4: after a release the transaction fails at once")
    void itFailsAfterARelease() throws InterruptedException {
        a.releases(tenure);

        assertFails(assertion);
    }

    @Test
    @DisplayName("AS-4: after a take-over the transaction fails at once")
    void itFailsAfterATakeOver() throws InterruptedException {
        bothClocksPassTheExpiry();
        b.takesOver("name", "h2", ofSeconds(60));

        assertFails(assertion);
    }

    @Test
    @DisplayName("AS-5: the same holder's next tenure passes its own assertion and not that of the first")
    void theNextTenureOfTheSameHolder() throws InterruptedException {
        a.releases(tenure);
        Tenure second = a.claims("name", "h", ofSeconds(60));

        assertFails(assertion);
        runsGated(a.engine().tenures().assertion(second));

        assertThat(reportsWritten()).isOne();
    }

    @Test
    @DisplayName("AS-6: a take-over that begins after the assertion waits for the transaction")
    void aTakeOverWaitsForTheTransaction() throws InterruptedException {
        bothClocksPassTheExpiry();
        try (ClientSession session = a.client().startSession()) {
            session.startTransaction();
            write(session);
            assertion.check(session);
            atTheSecondTryOfB(session::commitTransaction);

            Tenure next = b.takesOver("name", "h2", ofSeconds(60));

            assertThat(next.token()).isEqualTo(2);
        }
        assertThat(reportsWritten()).isOne();
        assertThat(engines.shortForm("name")).isEqualTo("h2/2");
        assertThat(b.hooks().transactions()).hasSize(2);
        assertThat(b.hooks().commands("commitTransaction")).hasSize(1);
    }

    private void atTheSecondTryOfB(Action action) {
        b.hooks().always(Point.BEFORE_UPDATE, () -> {
            if (b.hooks().transactions().size() == 2) {
                action.run();
            }
        });
    }

    @Test
    @DisplayName(
            "AS-7: a take-over between the transaction's first read and its assertion makes it run again, and fail")
    void aTakeOverBeforeTheAssertionMakesItFail() {
        bothClocksPassTheExpiry();
        try (ClientSession session = a.client().startSession()) {
            assertThatThrownBy(() -> session.withTransaction(() -> {
                        write(session);
                        bTakesOverOnce();
                        assertion.check(session);
                        return null;
                    }))
                    .isInstanceOf(LeaseNotHeldException.class)
                    .hasMessageContaining("h2");
        }
        assertThat(runs).isEqualTo(2);
        assertThat(reportsWritten()).isZero();
        assertThat(engines.shortForm("name")).isEqualTo("h2/2");
    }

    @Test
    @DisplayName(
            "AS-7, AS-5: the body that runs again asserts the original tenure, though the same holder has the lease again")
    void aBodyThatRunsAgainAssertsTheOriginalTenure() {
        try (ClientSession session = a.client().startSession()) {
            assertThatThrownBy(() -> session.withTransaction(() -> {
                        write(session);
                        aReleasesAndClaimsAgainOnce();
                        assertion.check(session);
                        return null;
                    }))
                    .isInstanceOfSatisfying(
                            LeaseNotHeldException.class,
                            e -> assertThat(e.tenure()).isEqualTo(tenure))
                    .hasMessageContaining("token 2");
        }
        assertThat(runs).isEqualTo(2);
        assertThat(reportsWritten()).isZero();
        assertThat(gates()).isZero();
        assertThat(engines.shortForm("name")).isEqualTo("h/2");
    }

    private void aReleasesAndClaimsAgainOnce() {
        if (runs == 1) {
            assertThatCode(() -> {
                        a.releases(tenure);
                        a.claims("name", "h", ofSeconds(60));
                    })
                    .doesNotThrowAnyException();
        }
    }

    private void bTakesOverOnce() {
        if (runs == 1) {
            assertThatCode(() -> b.takesOver("name", "h2", ofSeconds(60))).doesNotThrowAnyException();
        }
    }
}
