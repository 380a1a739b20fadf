package dev.leasehold.engine.internal.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.ServerAddress;
import com.mongodb.ServerApi;
import com.mongodb.ServerApiVersion;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.model.Collation;
import com.mongodb.client.model.CreateCollectionOptions;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import dev.leasehold.engine.CorruptDocumentException;
import dev.leasehold.engine.LeaseStoreException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.UnsupportedDeploymentException;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.IdleTransaction;
import dev.leasehold.engine.internal.store.LeaseChange.Freed;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.replicaset.FailPoint;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.codecs.StringCodec;
import org.bson.codecs.configuration.CodecRegistries;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a store finds, refuses and makes when it is opened. */
@WithReplicaSet
class StoreInitializerIT {

    private final TestDatabase database;
    private final Stores stores;

    StoreInitializerIT(TestDatabase database) {
        this.database = database;
        stores = new Stores(database);
    }

    @AfterEach
    void close() {
        stores.close();
    }

    private void assertUnsupported(String why) {
        assertThatExceptionOfType(UnsupportedDeploymentException.class)
                .isThrownBy(stores::open)
                .withMessageContaining(why)
                .withMessageContaining(database.name() + ".leases");
    }

    @Test
    @DisplayName("PE-1: opening makes the clock document, with majority")
    void openingMakesTheClockDocumentWithMajority() {
        stores.on(stores.client(settings -> {}), Stores.BUDGET).open();

        BsonDocument clock = stores.clock();
        assertThat(clock.remove("tokenFloor").asInt64().getValue()).isGreaterThan(1_000_000_000_000_000L);
        assertThat(clock).isEqualTo(BsonDocument.parse("""
                {_id: "billing", type: "clock", schema: 1, writers: {}, ticks: NumberLong(0)}"""));
        assertThat(stores.sent().the("update").getDocument("writeConcern").get("w"))
                .isEqualTo(new BsonString("majority"));
    }

    @Test
    @DisplayName("PE-2: many stores that open at once make one clock document")
    void manyStoresOpenAtOnce() {
        List<MongoLeaseStore> unopened = IntStream.range(0, 8)
                .mapToObj(i -> stores.on(stores.client(settings -> {}), Stores.BUDGET))
                .toList();

        CompletableFuture.allOf(unopened.stream()
                        .map(store -> CompletableFuture.runAsync(store::open))
                        .toArray(CompletableFuture[]::new))
                .join();

        assertThat(stores.documents().countDocuments()).isEqualTo(1);
        assertThat(stores.clock().getDocument("writers")).isEmpty();
    }

    @Test
    void eachStoreHasADriverSessionOfItsOwnThatIsKnownBeforeItIsOpen() {
        MongoClient client = stores.client(settings -> {});
        MongoLeaseStore one = stores.on(client, Stores.BUDGET);
        MongoLeaseStore other = stores.on(client, Stores.BUDGET);

        assertThat(one.driverSession()).isEqualTo(one.driverSession()).isNotEqualTo(other.driverSession());
        assertThat(stores.sent().names()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}|type|is missing",
                "{type: 'invoice', total: 5}|type|is a string \"invoice\"",
                "{type: 7}|type|is an int32 7",
                "{type: 'clock', schema: 2, writers: {}, ticks: {$numberLong: '0'}, tokenFloor: {$numberLong: '0'}}"
                        + "|schema|is an int32 2; this engine knows no schema newer than 1",
                "{type: 'clock', schema: 1, writers: null, ticks: {$numberLong: '0'}, tokenFloor: {$numberLong: '0'}}"
                        + "|writers|is null"
            })
    @DisplayName("CO-1, CO-2, CO-3: a foreign, spoilt or newer document in the clock's place is named and left alone")
    void aForeignDocumentInTheClocksPlaceIsNamedAndLeftAlone(String foreign, String field, String found) {
        stores.expectCorruptDocuments();
        BsonDocument document = new BsonDocument("_id", new BsonString("billing"));
        document.putAll(BsonDocument.parse(foreign));
        stores.documents().insertOne(document);

        assertThatExceptionOfType(CorruptDocumentException.class)
                .isThrownBy(stores::open)
                .withMessageContaining("document 'billing' is unusable: field '" + field + "': " + found);
        assertThat(stores.clock()).isEqualTo(document);
    }

    @Test
    void aCollectionWithACollationIsRefused() {
        Collation caseless = Collation.builder().locale("en").build();
        database.database().createCollection("leases", new CreateCollectionOptions().collation(caseless));

        assertUnsupported("collation of locale 'en'");
        assertThat(stores.documents().countDocuments()).isZero();
    }

    @Test
    void aCollectionWithAUniqueIndexOfAnotherIsRefusedByTheNameOfThat() {
        stores.open();
        database.database()
                .getCollection("leases")
                .createIndex(Indexes.ascending("name"), new IndexOptions().unique(true));

        assertUnsupported("unique index 'name_1'");
    }

    @Test
    void aUserThatMayNotListIndexesMayLeaveThemUnseen() {
        stores.open();
        database.activate(
                FailPoint.failCommands("listIndexes").withErrorCode(13).forAppName(database.name()));

        stores.open();
    }

    @ParameterizedTest
    @CsvSource({"listCollections", "update", "find"})
    void aMissingRightIsNamedAsSuch(String command) {
        database.activate(FailPoint.failCommands(command).withErrorCode(13).forAppName(database.name()));

        assertThatExceptionOfType(LeaseStoreException.class)
                .isThrownBy(stores::open)
                .withMessageContaining("lacks a right")
                .withMessageContaining("readWrite on database '" + database.name() + "'");
    }

    @Test
    void aClockThatNoMajorityHasIsUnavailable() {
        database.activate(
                FailPoint.failCommands("update").withWriteConcernError(64).forAppName(database.name()));

        assertThatExceptionOfType(LeaseUnavailableException.class).isThrownBy(stores::open);
    }

    @Test
    void aServerThatDoesNotAnswerIsUnavailable() {
        assertThatExceptionOfType(LeaseUnavailableException.class)
                .isThrownBy(() -> stores.open(settings -> settings.applyToClusterSettings(
                        cluster -> cluster.hosts(List.of(new ServerAddress("127.0.0.1", 1)))
                                .serverSelectionTimeout(100, TimeUnit.MILLISECONDS))))
                .withMessageContaining("'billing'");
    }

    @Test
    void theClientsOwnSettingsDoNotMatter() {
        MongoLeaseStore store = stores.open(settings -> settings.writeConcern(WriteConcern.W1)
                .readConcern(ReadConcern.LOCAL)
                .readPreference(ReadPreference.secondaryPreferred())
                .codecRegistry(CodecRegistries.fromCodecs(new StringCodec())));
        TestWriter a = new TestWriter(store, "a").registered();

        a.commits(a.insert("x"));

        assertThat(stores.sent().all()).allSatisfy(command -> {
            if (command.containsKey("writeConcern")) {
                assertThat(command.getDocument("writeConcern").get("w")).isEqualTo(new BsonString("majority"));
            }
        });
        assertThat(store.page(null, 10, "a").snapshot().leases()).hasSize(1);
        try (ClientSession other = stores.openTransactionOn("billing")) {
            UUID stuck =
                    other.getServerSession().getIdentifier().getBinary("id").asUuid();
            assertThat(store.idleTransactions())
                    .extracting(IdleTransaction::driverSession)
                    .contains(stuck);
            store.endTransactions(List.of(stuck));
            assertThat(stores.clockIsFree()).isTrue();
        }
    }

    @Test
    @DisplayName("A client that does not ask for acknowledgement has its leases acknowledged all the same")
    void aClientThatAsksForNoAcknowledgementWillDo() {
        MongoLeaseStore store = stores.open(settings -> settings.writeConcern(WriteConcern.UNACKNOWLEDGED));
        TestWriter a = new TestWriter(store, "a").registered();
        assertThat(stores.clock().getDocument("writers")).containsKey("a");

        a.commits(a.insert("x"));
        assertThat(store.writeClock(new ClockWrite.Unlist("a"))).isEqualTo(WriteOutcome.APPLIED);

        assertThat(stores.lease("x")).isNotNull();
        assertThat(stores.entry("a")).doesNotContainKey("lsid");
        assertThat(stores.clockIsFree()).isTrue();
    }

    @Test
    void aClientWithATimeoutForEveryOperationWillDo() {
        MongoLeaseStore store = stores.open(settings -> settings.timeout(10, TimeUnit.SECONDS));
        TestWriter a = new TestWriter(store, "a").registered();

        a.commits(a.insert("x"));
        assertThat(a.commit(a.insert("x"))).isEqualTo(WriteOutcome.MISSED);

        assertThat(store.page(null, 10, "a").snapshot().leases()).hasSize(1);
    }

    @Test
    @DisplayName("A client that keeps to the stable API does all but free a blocked namespace, and is told why not")
    void aClientThatKeepsToTheStableApiWillDo() {
        MongoLeaseStore store = stores.open(settings -> settings.serverApi(ServerApi.builder()
                .version(ServerApiVersion.V1)
                .strict(true)
                .deprecationErrors(true)
                .build()));
        TestWriter a = new TestWriter(store, "a").registered();
        a.commits(a.insert("x"));
        Watch watch = Watch.begun(store.changes());

        assertThat(a.commitApart(a.replace("x", "h2", 2))).isEqualTo(WriteOutcome.APPLIED);
        assertThat(store.writeLeases("a", List.of(a.takes("x", null, 2)))).isEqualTo(WriteOutcome.APPLIED);
        assertThat(watch.toldUpTo(new Freed("x", null))).contains(new Freed("x", null));
        a.commits(a.remove("x"));
        assertThat(store.survey().writers()).hasSize(1);

        assertThatExceptionOfType(LeaseStoreException.class)
                .isThrownBy(store::idleTransactions)
                .withMessageContaining("apiStrict");
        watch.changes().close();
    }

    @Test
    void closingLeavesTheClientOpen() {
        MongoClient client = stores.client(settings -> {});
        MongoLeaseStore store = stores.on(client, Stores.BUDGET);
        store.open();

        store.close();
        store.close();

        assertThat(client.getDatabase(database.name()).getCollection("leases").countDocuments())
                .isEqualTo(1);
    }
}
