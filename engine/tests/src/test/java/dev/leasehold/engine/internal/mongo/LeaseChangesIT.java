package dev.leasehold.engine.internal.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.mongodb.MongoNamespace;
import com.mongodb.client.MongoClient;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.RenameCollectionOptions;
import com.mongodb.client.model.Updates;
import dev.leasehold.engine.LeaseStoreException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.mongo.documents.Fixture;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.LeaseChange;
import dev.leasehold.engine.internal.store.LeaseChange.Freed;
import dev.leasehold.engine.internal.store.LeaseChanges;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.replicaset.FailPoint;
import dev.leasehold.replicaset.TestDatabase;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.codecs.configuration.CodecRegistries;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What the watch of others' writes tells. {@code x} is held under token 1, and nothing was told of it. */
class LeaseChangesIT extends WithStores {

    private static final LeaseChange LAST = new Freed("last", null);
    private static final LeaseChange CLOCK_LOST = new LeaseChange.ClockLost(Fixture.NAMESPACE);
    private static final LeaseChange CLOCK_REPLACED = new LeaseChange.ClockReplaced(Fixture.NAMESPACE);

    private Watch watch;

    LeaseChangesIT(TestDatabase database) {
        super(database);
    }

    @BeforeEach
    void watchBegins() {
        a.commits(a.insert("x"), a.insert("last"));
        watch = Watch.begun(stores.open());
    }

    @AfterEach
    void watchEnds() {
        watch.changes().close();
    }

    /** Everything that was told before the last event, which this makes. */
    private List<LeaseChange> told() {
        a.commits(a.remove("last"));
        List<LeaseChange> told = watch.toldUpTo(LAST);
        return told.subList(0, told.indexOf(LAST));
    }

    @Test
    void pinsThatAreTakenAwayByHandAreTold() {
        stores.edit("billing#x", Updates.set("pins", List.of("ops")));
        stores.edit("billing#x", Updates.unset("pins"));
        stores.edit("billing#x", Updates.set("pins", List.of("ops", "audit", "more", "and more")));
        stores.documents()
                .updateOne(
                        Filters.eq("_id", "billing#x"), List.of(new Document("$set", new Document("pins", List.of()))));

        assertThat(told()).containsExactly(new Freed("x", null), new Freed("x", null));
    }

    private void clockWrite(ClockWrite write) {
        assertThat(a.store().writeClock(write)).isEqualTo(WriteOutcome.APPLIED);
    }

    @Test
    @DisplayName(
            "Heartbeats, renewals, assertions, claims of new names and other namespaces are not even sent to the client")
    void theServerKeepsBackWhatEndsNothing() {
        stores.expectCorruptDocuments();
        stores.sent().forget();
        a.beats(a.join(Fixture.MINUTE)).beats(a.heartbeat());
        a.commits(a.insert("new")).commits(a.replace("x", "h", 1));
        stores.edit("billing#x", Updates.inc("gates", 1L));
        stores.edit("billing#x", Updates.set("comment", "by hand"));
        clockWrite(new ClockWrite.Barrier("a"));
        stores.writer("b");
        for (String id : List.of("billing2#x", "billin#x", "billing!0#x", "billing2", "billing.b#x")) {
            stores.documents().insertOne(BsonDocument.parse("{_id: '" + id + "', holder: 'h', writers: {b: 1}}"));
            stores.edit(id, Updates.combine(Updates.set("holder", null), Updates.unset("writers.b")));
        }

        assertThat(told()).isEmpty();
        assertThat(stores.sent().answers().stream()
                        .filter(answer -> answer.containsKey("cursor"))
                        .map(answer -> answer.getDocument("cursor").getArray("nextBatch", new BsonArray()))
                        .flatMap(BsonArray::stream)
                        .toList())
                .as("events sent")
                .hasSize(1);
    }

    @Test
    void theCallThatBeginsReturnsAtOnceAndTheNextWaitsForWhatComes() {
        LeaseChanges changes = stores.open().changes();
        stores.sent().forget();

        assertThat(changes.await()).isEmpty();

        assertThat(stores.sent().names()).containsExactly("find", "aggregate");
        assertThat(changes.await()).isEmpty();
        assertThat(stores.sent().the("getMore").getNumber("maxTimeMS").longValue())
                .isEqualTo(500);
        changes.close();
    }

    @Test
    void theWritingSessionIsNotUsed() {
        MongoLeaseStore store = stores.open();
        stores.sent().forget();
        Watch.begun(store).changes().close();

        assertThat(stores.sent().all())
                .extracting(
                        command -> command.getDocument("lsid").getBinary("id").asUuid())
                .isNotEmpty()
                .doesNotContain(store.driverSession());
    }

    @Test
    @DisplayName("A close beside an await that waits is safe, and the await ends with nothing")
    void aCloseBesideAnAwaitEndsIt() {
        LeaseChanges changes = watch.changes();
        stores.sent().forget();
        CompletableFuture<List<LeaseChange>> awaiting = CompletableFuture.supplyAsync(changes::await);
        Awaitility.await().until(() -> stores.sent().names().contains("getMore"));

        changes.close();

        assertThat(awaiting.join()).isEmpty();
        assertThat(stores.sent().names()).containsExactly("getMore", "killCursors");
        assertThat(changes.await()).isEmpty();
        changes.close();
        assertThat(stores.sent().names()).hasSize(2);
    }

    @Test
    void aClientThatIsClosedRightAfterTheWatchStaysQuiet() {
        MongoClient client = stores.client(settings -> {});
        LeaseChanges changes = stores.on(client, Stores.BUDGET).changes();
        changes.await();
        CompletableFuture<List<LeaseChange>> awaiting = CompletableFuture.supplyAsync(changes::await);

        changes.close();
        client.close();

        assertThat(awaiting.join()).isEmpty();
    }

    @Test
    void aWatchOfAClosedClientSaysSo() {
        MongoClient client = stores.client(settings -> {});
        LeaseChanges changes = stores.on(client, Stores.BUDGET).changes();
        client.close();

        assertThatExceptionOfType(LeaseStoreException.class)
                .isThrownBy(changes::await)
                .withMessageContaining("the MongoClient was closed before its engine");
    }

    @Test
    @DisplayName("What the driver cannot resume is told, and the next call begins again")
    void afterAFailureTheNextCallBeginsAgain() {
        int changeStreamHistoryLost = 286;
        database.activate(FailPoint.failCommands("getMore")
                .withErrorCode(changeStreamHistoryLost)
                .times(1)
                .forAppName(database.name()));

        assertThatExceptionOfType(LeaseUnavailableException.class).isThrownBy(watch.changes()::await);
        assertThat(watch.changes().await()).isEmpty();

        a.commits(a.replace("x", null, 1));
        assertThat(told()).contains(new Freed("x", null));
    }

    @Test
    @DisplayName("The driver resumes by itself where the connection is lost, and nothing is missed")
    void aLostConnectionIsResumed() {
        database.activate(
                FailPoint.failCommands("getMore").closingConnection().times(1).forAppName(database.name()));
        a.commits(a.replace("x", null, 1));

        assertThat(told()).containsExactly(new Freed("x", null));
    }

    @Test
    @DisplayName("A drop and a rename of the collection are told, and end the watch; the next call begins again")
    void aCollectionThatIsGoneIsToldAndEndsTheWatch() {
        stores.documents().drop();
        assertEnds();

        stores.open();
        watch = Watch.begun(stores.open());
        stores.documents()
                .renameCollection(new MongoNamespace(database.name(), "elsewhere"), new RenameCollectionOptions());
        assertEnds();
    }

    private void assertEnds() {
        assertThat(watch.toldUpTo(CLOCK_LOST)).contains(CLOCK_LOST);
        assertThatExceptionOfType(LeaseUnavailableException.class)
                .isThrownBy(() -> watch.toldUpTo(LAST))
                .withMessageContaining("dropped or renamed");
        assertThat(watch.changes().await()).isEmpty();
    }

    @Test
    @DisplayName("A clock document that is deleted, replaced, or given another map of writers, is told")
    void aClockDocumentThatIsGoneIsTold() {
        BsonDocument clock = stores.clock();
        stores.edit("billing", Updates.set("writers", new BsonDocument()));
        stores.edit("billing", Updates.unset("writers"));
        stores.documents().replaceOne(Filters.eq("_id", "billing"), clock);
        stores.documents().deleteOne(Filters.eq("_id", "billing"));
        stores.documents().insertOne(clock);

        assertThat(told()).containsExactly(CLOCK_REPLACED, CLOCK_REPLACED, CLOCK_REPLACED, CLOCK_LOST);
    }

    @Test
    void theClientsCodecsAndTimeoutDoNotMatter() {
        MongoClient odd = stores.client(
                settings -> settings.codecRegistry(CodecRegistries.fromCodecs()).timeout(10, TimeUnit.SECONDS));
        Watch other = Watch.begun(stores.on(odd, Stores.BUDGET).changes());

        a.commits(a.replace("x", null, 1));

        assertThat(other.toldUpTo(new Freed("x", null))).contains(new Freed("x", null));
        other.changes().close();
    }

    @Test
    void theServerIsAskedToWaitForLessThanTheClientsTimeout() {
        MongoClient hasty = stores.client(settings -> settings.timeout(900, TimeUnit.MILLISECONDS));
        LeaseChanges changes = stores.on(hasty, Stores.BUDGET).changes();
        stores.sent().forget();

        Awaitility.await()
                .ignoreExceptionsInstanceOf(LeaseUnavailableException.class)
                .until(() -> {
                    changes.await();
                    return stores.sent().names().contains("getMore");
                });

        assertThat(stores.sent().all())
                .filteredOn(command -> command.getFirstKey().equals("getMore"))
                .extracting(command -> command.getNumber("maxTimeMS").longValue())
                .containsOnly(450L);
        changes.close();
    }
}
