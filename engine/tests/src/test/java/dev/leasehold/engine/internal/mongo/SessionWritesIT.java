package dev.leasehold.engine.internal.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.internal.store.ClockStatement;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.StoredLease;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.replicaset.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How a session begins, lives and ends in the clock document. {@code a} is registered and has none at first. */
class SessionWritesIT extends WithStores {

    private static final long SESSION = Fixture.MINUTE / 2;

    private TestWriter b;

    SessionWritesIT(TestDatabase database) {
        super(database);
    }

    @BeforeEach
    void anotherWriter() {
        b = stores.writer("b");
    }

    private void assertMissesAndChangesNothing(ClockWrite write) {
        BsonDocument before = stores.clock();

        assertThat(a.store().writeClock(write)).isEqualTo(WriteOutcome.MISSED);

        assertThat(stores.clock()).isEqualTo(before);
    }

    private WriterEntry.Sound entry(String writer) {
        return (WriterEntry.Sound) b.store().survey().writers().stream()
                .filter(entry -> entry.writer().equals(writer))
                .findAny()
                .orElseThrow();
    }

    private boolean isThere(String writer) {
        return stores.clock().getDocument("writers").containsKey(writer);
    }

    @Test
    @DisplayName("SE-1: the first write of a writer may begin its session")
    void registrationMayBeginTheSession() {
        TestWriter c = new TestWriter(stores.open(), "c");
        long ticks = stores.ticks();

        assertThat(c.store()
                        .writeClock(new ClockWrite.Register(
                                "c", Fixture.Z, c.store().driverSession(), SESSION)))
                .isEqualTo(WriteOutcome.APPLIED);

        assertThat(entry("c"))
                .isEqualTo(new WriterEntry.Sound(
                        "c", Fixture.Z, null, SESSION, c.store().driverSession()));
        assertThat(stores.ticks()).isEqualTo(ticks + 1);
    }

    @Test
    void joiningBeginsTheSessionOfARegisteredWriter() {
        a.commits(a.insert("x"));

        a.beats(a.join(SESSION));

        assertThat(entry("a"))
                .isEqualTo(new WriterEntry.Sound(
                        "a",
                        a.stampNanos(),
                        a.stampNanos() - 1,
                        SESSION,
                        a.store().driverSession()));
    }

    @Test
    void joiningTwiceMisses() {
        a.beats(a.join(SESSION));

        assertMissesAndChangesNothing(a.join(2 * SESSION));
    }

    @Test
    void joiningNeverMakesAnEntry() {
        assertThat(b.store().writeClock(new ClockWrite.Leave("b"))).isEqualTo(WriteOutcome.APPLIED);

        assertMissesAndChangesNothing(new ClockWrite.Join("b", Fixture.Z, Fixture.Z + 1, SESSION));
    }

    @Test
    void joiningDoesNotTakeTheTimeBack() {
        assertMissesAndChangesNothing(new ClockWrite.Join("a", Fixture.Z - 1, Fixture.Z, SESSION));
        assertMissesAndChangesNothing(new ClockWrite.Join("a", Fixture.Z + 1, Fixture.Z + 2, SESSION));
    }

    @Test
    @DisplayName("SE-3: a heartbeat is one write of the clock document, and leaves the leases byte for byte")
    void aHeartbeatMovesTheTimeAlone() {
        a.beats(a.join(SESSION)).commits(a.insert("x"), a.insert("y"));
        List<BsonDocument> leases = List.of(stores.lease("x"), stores.lease("y"));
        long ticks = stores.ticks();
        long transactionNanos = a.stampNanos();
        stores.sent().forget();

        a.beats(a.heartbeat());

        assertThat(stores.sent().names()).containsExactly("update");
        assertThat(stores.sent().the("update")).doesNotContainKey("autocommit");
        assertThat(entry("a"))
                .isEqualTo(new WriterEntry.Sound(
                        "a",
                        transactionNanos + 1,
                        transactionNanos,
                        SESSION,
                        a.store().driverSession()));
        assertThat(stores.ticks()).isEqualTo(ticks + 1);
        assertThat(List.of(stores.lease("x"), stores.lease("y"))).isEqualTo(leases);
    }

    @Test
    void aHeartbeatWithoutASessionMisses() {
        assertMissesAndChangesNothing(a.heartbeat());
    }

    @Test
    @DisplayName("SE-9: an eviction is one write, and leaves the documents of the leases")
    void anEvictionRemovesTheEntryAlone() {
        a.beats(a.join(SESSION)).commits(a.insert("x"));
        BsonDocument lease = stores.lease("x");
        long ticks = stores.ticks();

        assertThat(b.store().writeClock(new ClockWrite.Evict("a", a.stampNanos())))
                .isEqualTo(WriteOutcome.APPLIED);

        assertThat(isThere("a")).isFalse();
        assertThat(stores.ticks()).isEqualTo(ticks + 1);
        assertThat(stores.lease("x")).isEqualTo(lease);
    }

    @Test
    @DisplayName("SE-10: a heartbeat that came in between saves the session")
    void aHeartbeatInBetweenPreventsTheEviction() {
        a.beats(a.join(SESSION));
        long seenNanos = a.stampNanos();
        a.beats(a.heartbeat());

        assertMissesAndChangesNothing(new ClockWrite.Evict("a", seenNanos));
    }

    @Test
    void aWriterWithoutASessionCannotBeEvicted() {
        assertMissesAndChangesNothing(new ClockWrite.Evict("b", Fixture.Z));
    }

    @Test
    @DisplayName("SE-11: a heartbeat after the eviction does not bring the entry back")
    void aHeartbeatNeverMakesAnEntry() {
        a.beats(a.join(SESSION));
        assertThat(b.store().writeClock(new ClockWrite.Evict("a", a.stampNanos())))
                .isEqualTo(WriteOutcome.APPLIED);

        assertMissesAndChangesNothing(a.heartbeat());
        assertThat(isThere("a")).isFalse();
    }

    @Test
    void aHeartbeatThatWasOvertakenByATransactionMisses() {
        a.beats(a.join(SESSION));
        ClockWrite overtaken = a.heartbeat();
        a.commits(a.insert("x"));

        assertMissesAndChangesNothing(overtaken);
    }

    @Test
    @DisplayName("SE-14: leaving removes the entry in one write; leaving again misses")
    void leavingRemovesTheEntry() {
        a.beats(a.join(SESSION)).commits(a.insert("x"));
        BsonDocument lease = stores.lease("x");
        long ticks = stores.ticks();

        assertThat(a.store().writeClock(new ClockWrite.Leave("a"))).isEqualTo(WriteOutcome.APPLIED);

        assertThat(isThere("a")).isFalse();
        assertThat(stores.ticks()).isEqualTo(ticks + 1);
        assertThat(stores.lease("x")).isEqualTo(lease);
        assertMissesAndChangesNothing(new ClockWrite.Leave("a"));
    }

    @Test
    void theDriverSessionOfAWriterThatLeftGoesBackToTheApplication() {
        MongoClient client = stores.client(settings -> {});
        TestWriter c = new TestWriter(stores.on(client, Stores.BUDGET), "c").registered();
        assertThat(c.store().writeClock(new ClockWrite.Leave("c"))).isEqualTo(WriteOutcome.APPLIED);

        c.store().close();

        assertThat(Stream.generate(client::startSession).limit(4))
                .extracting(session -> session.getServerSession()
                        .getIdentifier()
                        .getBinary("id")
                        .asUuid())
                .contains(c.store().driverSession());
    }

    @Test
    @DisplayName("SE-18: only an eviction removes an entry with a session")
    void aSessionIsNotPruned() {
        a.beats(a.join(SESSION));

        assertMissesAndChangesNothing(new ClockWrite.Prune("a", a.stampNanos()));
        assertThat(b.store().writeClock(new ClockWrite.Evict("a", a.stampNanos())))
                .isEqualTo(WriteOutcome.APPLIED);
    }

    @Test
    @DisplayName("SE-19: a heartbeat waits behind an open transaction of another engine, and succeeds when that ends")
    void aHeartbeatIsQueuedBehindATransaction() {
        TestWriter c = new TestWriter(stores.openPatient(Duration.ofSeconds(20), settings -> {}), "c").registered();
        c.beats(c.join(SESSION));
        CompletableFuture<WriteOutcome> outcome;
        try (ClientSession other = stores.openTransactionOn(Fixture.NAMESPACE)) {
            ClockWrite heartbeat = c.heartbeat();
            outcome = CompletableFuture.supplyAsync(() -> c.store().writeClock(heartbeat));
            Awaitility.await().until(() -> stores.isServerBusyWithAnUpdate() || outcome.isDone());
            assertThat(outcome).isNotDone();
            other.commitTransaction();
        }

        assertThat(outcome.join()).isEqualTo(WriteOutcome.APPLIED);
        assertThat(entry("c").timeNanos()).isEqualTo(c.stampNanos());
    }

    @Test
    @DisplayName("SE-16: a caller's open assertion and heartbeats do not meet")
    void heartbeatsAndAssertionsDoNotConflict() {
        a.beats(a.join(SESSION)).commits(a.insert("x"));
        LeaseAssertion assertion = LeaseAssertion.of(new Tenure(Fixture.NAMESPACE, "x", "h", 1), stores.documents());
        try (ClientSession caller = database.client().startSession()) {
            caller.startTransaction();
            a.beats(a.heartbeat());
            assertion.check(caller);
            a.beats(a.heartbeat());
            caller.commitTransaction();
        }

        assertThat(stores.lease("x").getInt64("gates").getValue()).isOne();
    }

    @Test
    @DisplayName(
            "A transaction that takes a lease from an overdue session ends the session in its statement of the clock")
    void aTransactionEvictsAndTakesInOne() {
        a.beats(a.join(SESSION)).commits(a.insert("x"));

        assertThat(b.commit(evicting("a", a.stampNanos()), b.replace("x", "h2", 2)))
                .isEqualTo(WriteOutcome.APPLIED);

        assertThat(isThere("a")).isFalse();
        assertThat(((StoredLease.Sound)
                                b.store().read(Set.of("x"), "b").leases().get(0))
                        .document()
                        .token())
                .isEqualTo(2);
    }

    @Test
    @DisplayName("SE-10: a heartbeat in between makes the whole transaction miss")
    void aTransactionThatEvictsMissesALivingSession() {
        a.beats(a.join(SESSION)).commits(a.insert("x"));
        long seenNanos = a.stampNanos();
        a.beats(a.heartbeat());
        BsonDocument lease = stores.lease("x");

        assertThat(b.commit(evicting("a", seenNanos), b.replace("x", "h2", 2))).isEqualTo(WriteOutcome.MISSED);

        assertThat(entry("a").timeNanos()).isEqualTo(a.stampNanos());
        assertThat(stores.lease("x")).isEqualTo(lease);
    }

    private ClockStatement evicting(String writer, long seenNanos) {
        return new ClockStatement(
                b.key(), Fixture.Z, b.nextStampNanos(), null, Set.of(), Map.of(writer, seenNanos), null);
    }

    @Test
    void aSessionLeaseIsStoredWithoutAnExpiryAndReadAsSuch() {
        a.beats(a.join(SESSION)).commits(a.insert("x"));
        stores.documents().updateOne(Filters.eq("_id", "billing#x"), Updates.unset("expiry"));

        assertThat(b.store().read(Set.of("x"), "b").leases())
                .singleElement()
                .isInstanceOfSatisfying(
                        StoredLease.Sound.class,
                        sound -> assertThat(sound.document().isSessionLease()).isTrue());
        assertThat(stores.entry("a").get("session")).isEqualTo(new BsonInt64(SESSION));
    }
}
