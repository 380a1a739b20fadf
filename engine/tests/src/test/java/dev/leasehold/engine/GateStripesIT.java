package dev.leasehold.engine;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.mongodb.MongoCommandException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.Updates;
import com.mongodb.event.CommandFailedEvent;
import com.mongodb.event.CommandListener;
import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.LeaseIds;
import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Hooks.Point;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The lease {@code name} with four gate stripes. That they always show what the lease shows is checked after every test. */
class GateStripesIT extends WithAnEngine {

    private static final int STRIPES = 4;
    private static final LeaseRequest STRIPED = LeaseRequest.of("name").gateStripes(STRIPES);

    private List<BsonDocument> stripes() {
        return IntStream.rangeClosed(1, LeaseIds.STRIPES_MAX)
                .mapToObj(stripe -> engines.documents()
                        .find(Filters.eq("_id", stripeId(stripe)))
                        .first())
                .takeWhile(stripe -> stripe != null)
                .toList();
    }

    private static String stripeId(int stripe) {
        return LeaseIds.stripeId(Engines.NAMESPACE, "name", stripe);
    }

    /** As {@link Engines#shortForm}, of the lease and of each of its stripes. */
    private List<String> shortForms() {
        List<String> forms = new ArrayList<>(List.of(engines.shortForm("name")));
        for (BsonDocument stripe : stripes()) {
            String holder =
                    stripe.isNull("holder") ? "-" : stripe.getString("holder").getValue();
            forms.add(holder + "/" + stripe.getInt64("token").getValue());
        }
        return forms;
    }

    private void assertAllShow(String form) {
        assertThat(shortForms()).hasSize(1 + STRIPES).containsOnly(form);
    }

    /** The assertion of a tenure on the lease document alone. */
    private LeaseAssertion plain(Tenure tenure, MongoClient client) {
        return LeaseAssertion.of(
                tenure, client.getDatabase(engines.database().name()).getCollection(Engines.COLLECTION));
    }

    @Nested
    @DisplayName("Transactions beside each other")
    class BesideEachOther {

        private final AtomicInteger conflicts = new AtomicInteger();
        private MongoClient client;

        @BeforeEach
        void countConflicts() {
            client = engines.database()
                    .newClient(settings -> settings.addCommandListener(new CommandListener() {
                        @Override
                        public void commandFailed(CommandFailedEvent event) {
                            if (event.getThrowable() instanceof MongoCommandException e && e.getErrorCode() == 112) {
                                conflicts.incrementAndGet();
                            }
                        }
                    }));
        }

        /** Asserts in a transaction that stays open until all others have asserted too. */
        private void assertsBeside(LeaseAssertion assertion, CyclicBarrier all) throws Exception {
            try (ClientSession session = client.startSession()) {
                session.startTransaction();
                all.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
                try {
                    assertion.check(session);
                } catch (MongoCommandException e) {
                    assertThat(e.getErrorCode()).isEqualTo(112);
                } finally {
                    all.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
                }
                if (session.hasActiveTransaction()) {
                    session.abortTransaction();
                }
            }
        }

        @ParameterizedTest
        @DisplayName("AS-13: of 8 transactions at the same time as many assert the lease as there are stripes")
        @CsvSource({"0, 7", "1, 7", "4, 4", "8, 0", "16, 0"})
        void conflictsGetFewer(int stripes, int expected) throws Exception {
            Lease lease = a.acquires(LeaseRequest.of("name").gateStripes(stripes));
            LeaseAssertion assertion = plain(lease.tenure(), client).gateStripes(stripes);
            CyclicBarrier all = new CyclicBarrier(8);

            List<Future<?>> threads = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                threads.add(callers.submit(() -> {
                    assertsBeside(assertion, all);
                    return null;
                }));
            }
            for (Future<?> thread : threads) {
                get(thread);
            }

            assertThat(conflicts).hasValue(expected);
        }

        @Test
        @DisplayName("AS-13: with a transaction for each stripe none is run twice, whichever handle it comes by")
        void handlesOfATenureShareTheStripes() throws Exception {
            Lease lease = a.acquires(STRIPED.holder("h"));
            Lease again = a.acquires(LeaseRequest.of("name").holder("h"));
            CyclicBarrier all = new CyclicBarrier(STRIPES);
            AtomicInteger runs = new AtomicInteger();

            List<Future<?>> threads = new ArrayList<>();
            for (int i = 0; i < STRIPES; i++) {
                Lease mine = i % 2 == 0 ? lease : again;
                threads.add(callers.submit(() -> {
                    try (ClientSession session = a.client().startSession()) {
                        return mine.inTransaction(session, open -> {
                            runs.incrementAndGet();
                            return together(all);
                        });
                    }
                }));
            }
            for (Future<?> thread : threads) {
                get(thread);
            }

            assertThat(runs).hasValue(STRIPES);
            assertThat(stripes())
                    .allSatisfy(stripe ->
                            assertThat(stripe.getInt64("gates").getValue()).isOne());
            assertThat(engines.leaseDocument("name").getInt64("gates").getValue())
                    .isZero();
        }

        private int together(CyclicBarrier all) {
            try {
                return all.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        @Test
        @DisplayName("AS-13: a stripe that another caller keeps in an open transaction costs one retry")
        void stripeOfAnotherCallerCostsOneRetry() throws InterruptedException {
            Tenure tenure = a.acquires(STRIPED.holder("h")).tenure();
            try (ClientSession other = client.startSession();
                    ClientSession session = client.startSession()) {
                other.startTransaction();
                plain(tenure, client).gateStripes(1).check(other);

                LeaseAssertion assertion = plain(tenure, client).gateStripes(STRIPES);
                session.withTransaction(() -> {
                    assertion.check(session);
                    return null;
                });
                other.abortTransaction();
            }

            assertThat(conflicts).hasValue(1);
            assertThat(stripes().get(1).getInt64("gates").getValue()).isOne();
        }
    }

    @Nested
    @DisplayName("Every change of tenure writes them all")
    class EveryChangeOfTenure {

        @Test
        @DisplayName("AS-13: a session lease: acquired, released, acquired again, ended by force")
        void sessionLease() throws InterruptedException {
            Lease lease = a.acquires(STRIPED.holder("h"));
            assertAllShow("h/1");
            assertThat(stripes())
                    .allSatisfy(stripe -> assertThat(stripe)
                            .containsOnlyKeys("_id", "type", "namespace", "name", "holder", "token", "gates"));

            lease.close();
            assertAllShow("-/1");

            a.acquires(LeaseRequest.of("name").holder("h2"));
            assertAllShow("h2/2");

            a.engine().admin().forceExpire("name", "it hangs");
            assertAllShow("-/3");
            assertThat(a.hooks().leaseWrites()).as("without a transaction").isEmpty();
        }

        @Test
        @DisplayName("AS-13: a term lease: claimed, released, claimed, taken over, expired")
        void termLease() throws InterruptedException {
            a.acquires(STRIPED.holder("h").term(ofSeconds(60))).close();
            assertAllShow("-/1");

            Tenure tenure = a.claims("name", "h", ofSeconds(60));
            assertAllShow("h/2");
            a.releases(tenure);
            assertAllShow("-/2");

            a.claims("name", "h", ofSeconds(60));
            a.clock().advance(ofSeconds(61));
            a.takesOver("name", "h", ofSeconds(60));
            assertAllShow("h/4");

            a.clock().advance(ofSeconds(61));
            a.expires("name");
            assertAllShow("-/4");
        }

        @Test
        @DisplayName(
                "AS-13: a lease of a session that is over: taken together with the session, and taken from a writer that is gone")
        void leaseOfADeadSession() throws InterruptedException {
            TestEngine b = engines.start("b");
            b.acquires(STRIPED.holder("h"));
            a.sees("name");
            a.clock().advance(ofHours(1));
            a.takesOver("name", "h2", ofSeconds(60));
            assertAllShow("h2/2");

            a.releases(new Tenure(Engines.NAMESPACE, "name", "h2", 2));
            TestEngine c = engines.start("c");
            c.acquires(STRIPED.holder("h3"));
            engines.removeEntry(c.writer());
            a.acquires(LeaseRequest.of("name").holder("h4"));
            assertAllShow("h4/4");
        }
    }

    @Test
    @DisplayName("Once the validity has ended the assertion is on the lease, where one that ends the tenure meets it")
    void assertionOfAnEndedValidityIsOnTheLease() throws InterruptedException {
        Lease lease = a.acquires(STRIPED.holder("h").term(ofSeconds(60)));
        try (ClientSession session = a.client().startSession()) {
            session.startTransaction();
            assertThat(documentOf(lease.assertion().asWriteModel(session))).isEqualTo(stripeId(1));

            a.clock().advance(ofSeconds(61));

            assertThat(documentOf(lease.assertion().asWriteModel(session))).isEqualTo(Engines.NAMESPACE + "#name");
        }
    }

    private static String documentOf(UpdateOneModel<BsonDocument> model) {
        return model.getFilter().toBsonDocument().getString("_id").getValue();
    }

    @Test
    void housekeepingRemovesThemWithTheLease() throws InterruptedException {
        a.acquires(STRIPED).close();
        engines.documents().deleteOne(Filters.eq("_id", stripeId(3)));
        a.acquires("other").close();
        a.clock().advance(ofHours(1).plusSeconds(1));

        assertThat(a.engine().housekeeping().leasesRemoved()).isEqualTo(2);

        assertThat(engines.documents()
                        .find()
                        .map(document -> document.getString("_id").getValue()))
                .containsExactly(Engines.NAMESPACE);
        Lease again = a.acquires(LeaseRequest.of("name").holder("h").gateStripes(1));
        assertThat(shortForms()).containsExactly("h/2", "h/2");
        a.commitsUnder(again.assertion());
    }

    @Test
    @DisplayName("Each removal has the operation budget, however long those before it take")
    void housekeepingTakesTheTimeThatItNeeds() throws InterruptedException {
        for (int i = 0; i < 60; i++) {
            a.acquires(LeaseRequest.of("lease-" + i).gateStripes(LeaseIds.STRIPES_MAX))
                    .close();
        }
        a.clock().advance(ofHours(1).plusSeconds(1));
        a.hooks().always(Point.AFTER_COMMIT, () -> a.clock().advance(ofSeconds(4)));

        assertThat(a.engine().housekeeping().leasesRemoved()).isEqualTo(60);

        assertThat(engines.documents().countDocuments(Filters.eq("type", "gate")))
                .isZero();
    }

    @Test
    void damagedOrMissingStripeRefusesUntilTheNextTenure() throws InterruptedException {
        engines.expectCorruptDocuments();
        Lease lease = a.acquires(STRIPED.holder("h"));
        engines.documents().updateOne(Filters.eq("_id", stripeId(1)), Updates.set("token", "1"));
        engines.documents().updateOne(Filters.eq("_id", stripeId(2)), Updates.set("holder", 1));
        engines.documents().updateOne(Filters.eq("_id", stripeId(3)), Updates.unset("token"));
        engines.documents().deleteOne(Filters.eq("_id", stripeId(4)));

        for (int stripe = 1; stripe <= STRIPES; stripe++) {
            assertThatExceptionOfType(LeaseNotHeldException.class)
                    .isThrownBy(() -> a.commitsUnder(lease.assertion()))
                    .withMessageContaining("its gate stripe " + stripe + " does not show that tenure")
                    .withMessageContaining("it is held by 'h', token 1");
        }
        a.commitsUnder(plain(lease.tenure(), a.client()));

        lease.close();
        assertAllShow("-/1");
        a.acquires(STRIPED.holder("h"));
        assertAllShow("h/2");
    }
}
