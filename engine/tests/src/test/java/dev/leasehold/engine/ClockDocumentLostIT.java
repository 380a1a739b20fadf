package dev.leasehold.engine;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.mongodb.MongoNamespace;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Hooks.Point;
import dev.leasehold.engine.LeaseLoss.Reason;
import dev.leasehold.engine.world.TestClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonValue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The clock document is gone, by hand, while {@code a} holds leases and listens. No clock moves unless a test says so, so
 * what a learns, it learns by a change or a read, never by a heartbeat or the end of a validity.
 */
class ClockDocumentLostIT extends WithEngines {

    private TestEngine a;

    @BeforeEach
    void startOne() {
        engines.expectCorruptDocuments();
        a = engines.start("a");
    }

    /** What happens to the clock document. */
    enum Mishap {
        CLOCK_DELETED(engines -> engines.documents().deleteOne(Filters.eq("_id", Engines.NAMESPACE))),
        WRITERS_LOST(engines ->
                engines.documents().updateOne(Filters.eq("_id", Engines.NAMESPACE), Updates.unset("writers"))),
        OLDER_CLOCK_PUT_BACK(engines -> {
            BsonDocument clock = engines.clockDocument();
            for (BsonValue entry : clock.getDocument("writers").values()) {
                long time = entry.asDocument().getInt64("time").getValue();
                entry.asDocument().put("time", new BsonInt64(time - 15));
            }
            putBack(engines, clock);
        }),
        ANOTHER_CLOCK_PUT_THERE(engines -> {
            BsonDocument clock = engines.clockDocument();
            clock.put("writers", new BsonDocument());
            clock.put("ticks", new BsonInt64(0));
            putBack(engines, clock);
        }),
        COLLECTION_DROPPED(engines -> engines.documents().drop()),
        COLLECTION_RENAMED(engines -> engines.documents()
                .renameCollection(new MongoNamespace(engines.database().name(), "elsewhere"))),
        DATABASE_DROPPED(engines -> engines.database().database().drop());

        private final Consumer<Engines> mishap;

        Mishap(Consumer<Engines> mishap) {
            this.mishap = mishap;
        }

        void happen(Engines engines) {
            mishap.accept(engines);
        }

        private static void putBack(Engines engines, BsonDocument clock) {
            engines.documents().replaceOne(Filters.eq("_id", Engines.NAMESPACE), clock);
        }
    }

    /** Holds leases for so long that its engine listens for changes. */
    private void listens() {
        int before = a.hooks().waitsForChanges();
        a.clock().advance(ofSeconds(2));
        a.settles();
        // Opened, and asked for more: what happens from here on is told.
        Awaitility.await().until(() -> a.hooks().waitsForChanges() > before);
        a.settles();
    }

    private static CompletableFuture<LeaseLoss> lossOf(Lease lease) {
        CompletableFuture<LeaseLoss> loss = new CompletableFuture<>();
        lease.onLost(loss::complete);
        return loss;
    }

    private static LeaseLoss get(CompletableFuture<LeaseLoss> loss) throws Exception {
        return loss.get(60, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("All validities end at a change, and holders are told why, although no time passes")
    void allValiditiesEndAtOnce(Mishap mishap) throws Exception {
        Lease session = a.acquires("session");
        Lease term = a.acquires(LeaseRequest.of("term").term(ofSeconds(60)));
        Tenure byHand = a.claims("by hand", "h", ofSeconds(60));
        CompletableFuture<LeaseLoss> sessionLoss = lossOf(session);
        CompletableFuture<LeaseLoss> termLoss = lossOf(term);
        listens();
        assertThat(session.isHeld()).isTrue();

        mishap.happen(engines);

        assertThat(get(sessionLoss).reason()).isEqualTo(Reason.CLOCK_DOCUMENT_LOST);
        assertThat(get(sessionLoss).message()).contains("clock document").doesNotContain("expired");
        assertThat(get(termLoss).reason()).isEqualTo(Reason.CLOCK_DOCUMENT_LOST);
        assertThat(session.isHeld()).isFalse();
        assertThat(term.isHeld()).isFalse();
        assertThat(a.engine().tenures().isHeld(byHand)).isFalse();
    }

    @ParameterizedTest
    @EnumSource(names = {"CLOCK_DELETED", "COLLECTION_DROPPED", "COLLECTION_RENAMED", "DATABASE_DROPPED"})
    @DisplayName("One change event is enough: the engine's thread may hang in a read meanwhile")
    void oneChangeEventIsEnough(Mishap mishap) throws Exception {
        Lease lease = a.acquires("name");
        listens();
        CountDownLatch lost = new CountDownLatch(1);
        CountDownLatch reading = new CountDownLatch(1);
        a.hooks().once(Point.BEFORE_READ, () -> {
            reading.countDown();
            assertThat(lost.await(60, TimeUnit.SECONDS)).isTrue();
        });
        CompletableFuture<List<LeaseState>> read = CompletableFuture.supplyAsync(() -> {
            try {
                return a.engine().refresh(List.of("other"));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        assertThat(reading.await(60, TimeUnit.SECONDS)).isTrue();

        mishap.happen(engines);
        Awaitility.await().until(() -> !lease.isHeld());

        lost.countDown();
        assertThat(read.handle((states, failure) -> failure).get(60, TimeUnit.SECONDS))
                .hasCauseInstanceOf(CorruptDocumentException.class);
    }

    @Test
    @DisplayName(
            "An entry that is removed by hand ends the session at the change, and nothing is said of an expired session")
    void anEntryThatIsRemovedByHandEndsTheSession() throws Exception {
        Lease session = a.acquires("session");
        Lease term = a.acquires(LeaseRequest.of("term").term(ofSeconds(60)));
        CompletableFuture<LeaseLoss> loss = lossOf(session);
        listens();

        engines.removeEntry(a.writer());

        assertThat(get(loss).reason()).isEqualTo(Reason.EVICTED);
        assertThat(get(loss).message()).contains("by hand").doesNotContain("had expired");
        assertThat(term.isHeld()).as("it counts from its own document").isTrue();
    }

    @Test
    @DisplayName("Without a change stream the next heartbeat finds it, and so does any read")
    void theNextHeartbeatFindsIt() throws Exception {
        engines.withoutChanges();
        CompletableFuture<LeaseLoss> loss = lossOf(a.acquires("name"));

        Mishap.CLOCK_DELETED.happen(engines);
        a.clock().advance(ofSeconds(10));

        assertThat(get(loss).reason()).isEqualTo(Reason.CLOCK_DOCUMENT_LOST);
    }

    @Test
    void aReadFindsIt() throws Exception {
        CompletableFuture<LeaseLoss> loss = lossOf(a.acquires("name"));

        Mishap.CLOCK_DELETED.happen(engines);
        assertThatExceptionOfType(CorruptDocumentException.class).isThrownBy(() -> a.sees("other"));

        assertThat(get(loss).reason()).isEqualTo(Reason.CLOCK_DOCUMENT_LOST);
    }

    @Test
    @DisplayName("A missed clock statement finds it")
    void aMissedClockStatementFindsIt() throws Exception {
        CompletableFuture<LeaseLoss> loss = lossOf(a.acquires("name"));
        Tenure term = a.claims("term", "h", ofSeconds(60));

        Mishap.CLOCK_DELETED.happen(engines);
        assertThatExceptionOfType(CorruptDocumentException.class)
                .isThrownBy(() -> a.engine().tenures().release(term));

        assertThat(get(loss).reason()).isEqualTo(Reason.CLOCK_DOCUMENT_LOST);
    }

    @Test
    @DisplayName("No vacant lease is granted any more once a change has told of it")
    void noVacantLeaseIsGrantedAnyMore() throws Exception {
        a.acquires("vacant").close();
        CompletableFuture<LeaseLoss> loss = lossOf(a.acquires("name"));
        listens();

        Mishap.CLOCK_DELETED.happen(engines);
        get(loss);

        assertThatExceptionOfType(CorruptDocumentException.class)
                .isThrownBy(() -> a.engine().tryAcquire(LeaseRequest.of("vacant")));
        assertThat(engines.shortForm("vacant")).isEqualTo("-/1");
    }

    @Test
    @DisplayName("Only the validities of the partition end whose clock document is gone")
    void onlyOnePartitionEnds() throws Exception {
        TestEngine divided = startDivided();
        List<Lease> leases = new ArrayList<>();
        for (String name : List.of("a", "b", "c", "d", "e", "f", "g", "h")) {
            leases.add(divided.acquires(name));
        }
        Lease lost = leases.stream()
                .filter(lease -> lease.tenure().namespace().equals("divided~1"))
                .findFirst()
                .orElseThrow();
        CompletableFuture<LeaseLoss> loss = lossOf(lost);
        int before = divided.hooks().waitsForChanges();
        divided.clock().advance(ofSeconds(2));
        divided.settles();
        Awaitility.await().until(() -> divided.hooks().waitsForChanges() > before);

        engines.documents().deleteOne(Filters.eq("_id", "divided~1"));

        assertThat(get(loss).reason()).isEqualTo(Reason.CLOCK_DOCUMENT_LOST);
        assertThat(leases)
                .allSatisfy(lease -> assertThat(lease.isHeld())
                        .isEqualTo(!lease.tenure().namespace().equals("divided~1")));
    }

    private TestEngine startDivided() {
        return engines.start("divided", "a", 4);
    }

    // ---- engines that start ----

    @ParameterizedTest
    @EnumSource
    @DisplayName(
            "An engine that would make the clock document and finds a lease refuses to start, and names the runbook")
    void anEngineThatFindsALeaseRefusesToStart(Remainder remainder) throws InterruptedException {
        remainder.leaving.leave(a, engines);
        Mishap.CLOCK_DELETED.happen(engines);
        List<BsonDocument> before = engines.documents().find().into(new ArrayList<>());

        assertThatExceptionOfType(CorruptDocumentException.class)
                .isThrownBy(() -> engines.start("c"))
                .satisfies(corrupt -> assertThat(corrupt.documentId()).isEqualTo(Engines.NAMESPACE))
                .satisfies(corrupt -> assertThat(corrupt.field()).isEqualTo("_id"))
                .withMessageContaining("is missing")
                .withMessageContaining("A deleted clock document")
                .withMessageContaining("runbook");

        assertThat(engines.documents().find()).containsExactlyElementsOf(before);
    }

    /** What is left of a namespace. */
    enum Remainder {
        SESSION((a, engines) -> a.acquires("name")),
        TERM((a, engines) -> a.claims("name", "h", ofSeconds(60))),
        VACANT((a, engines) -> a.acquires("name").close()),
        CORRUPT((a, engines) ->
                engines.documents().insertOne(BsonDocument.parse("{_id: 'billing#\\u001b[31m', a: 1}")));

        private interface Leaving {
            void leave(TestEngine a, Engines engines) throws InterruptedException;
        }

        private final Leaving leaving;

        Remainder(Leaving leaving) {
            this.leaving = leaving;
        }
    }

    @Test
    @DisplayName("Leases of other namespaces and of other partitions do not matter")
    void leasesOfOtherNamespacesDoNotMatter() throws InterruptedException {
        a.acquires("name");
        TestEngine other = engines.start("billing2", "o", TestClock.atZ());
        other.acquires("name");
        engines.documents().insertOne(BsonDocument.parse("{_id: 'billing3!1#name', a: 1}"));

        engines.start("billing3", "c", TestClock.atZ()).acquires("name");
    }

    @Test
    @DisplayName("In a divided namespace the partition is named whose clock document is missing")
    void theNamedPartition() throws InterruptedException {
        TestEngine divided = startDivided();
        for (String name : List.of("a", "b", "c", "d", "e", "f", "g", "h")) {
            divided.acquires(name);
        }
        engines.documents().deleteOne(Filters.eq("_id", "divided~2"));

        assertThatExceptionOfType(CorruptDocumentException.class)
                .isThrownBy(this::startDivided)
                .withMessageContaining("'divided~2' is missing");
    }

    // ---- a namespace that is made anew ----

    @Test
    @DisplayName("After a drop a namespace begins above every token that it ever had, also twice in one second")
    void afterADropANamespaceBeginsAboveEveryToken() throws InterruptedException {
        long last = 0;
        for (int i = 0; i < 5; i++) {
            engines.documents().drop();
            try (LeaseEngine engine = anew("e" + i)) {
                for (int j = 0; j < 3; j++) {
                    try (Lease lease = engine.tryAcquire("name").orElseThrow()) {
                        assertThat(lease.token()).isGreaterThan(last);
                        last = lease.token();
                    }
                }
            }
        }
    }

    /** With the token floor that it gives a new namespace. */
    private LeaseEngine anew(String instance) {
        return Engines.start(LeaseEngine.builder(engines.database().newClient())
                .database(engines.database().name())
                .namespace(Engines.NAMESPACE)
                .instance(instance)
                .operationBudget(ofSeconds(20)));
    }

    @Test
    @DisplayName("After a drop the former holder is told by one change, and the next one has a greater token")
    void theFormerHolderIsTold() throws Exception {
        Lease former = a.acquires("name");
        CompletableFuture<LeaseLoss> loss = lossOf(former);
        listens();

        engines.documents().drop();
        try (LeaseEngine c = anew("c");
                Lease next = c.tryAcquire("name").orElseThrow()) {
            assertThat(get(loss).reason()).isEqualTo(Reason.CLOCK_DOCUMENT_LOST);
            assertThat(former.isHeld()).isFalse();
            assertThat(next.isHeld()).isTrue();
            assertThat(next.token()).isGreaterThan(former.token());
        }
        // It goes on under the new clock document.
        a.acquires("name").close();
    }

    @Test
    @DisplayName("A lease document that was deleted is told as that, by a change and by a refused extension")
    void aLeaseDocumentThatWasDeletedIsToldAsThat() throws Exception {
        Lease session = a.acquires("session");
        Lease term = a.acquires(LeaseRequest.of("term").term(ofSeconds(60)));
        CompletableFuture<LeaseLoss> sessionLoss = lossOf(session);
        CompletableFuture<LeaseLoss> termLoss = lossOf(term);
        listens();

        engines.documents().deleteMany(Filters.in("_id", "billing#session", "billing#term"));
        a.clock().advance(Duration.ofMillis(60));
        a.settles();

        assertThat(get(sessionLoss).reason()).isEqualTo(Reason.LEASE_DOCUMENT_LOST);
        assertThat(get(termLoss).reason()).isEqualTo(Reason.LEASE_DOCUMENT_LOST);
        assertThat(get(termLoss).message()).contains("deleted");
    }

    @Test
    @DisplayName("A renewal that finds no document tells that it was deleted")
    void aRenewalThatFindsNoDocument() throws Exception {
        engines.withoutChanges();
        Lease term = a.acquires(LeaseRequest.of("term").term(ofSeconds(60)));
        CompletableFuture<LeaseLoss> loss = lossOf(term);

        engines.documents().deleteOne(Filters.eq("_id", "billing#term"));
        a.clock().advance(ofSeconds(20));

        assertThat(get(loss).reason()).isEqualTo(Reason.LEASE_DOCUMENT_LOST);
    }
}
