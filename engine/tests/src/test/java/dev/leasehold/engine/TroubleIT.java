package dev.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.mongodb.ServerAddress;
import com.mongodb.client.MongoClient;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Updates;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.replicaset.FailPoint;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What callers get when the way to the database breaks, on real clocks. */
@WithReplicaSet
class TroubleIT {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    /** An error without a label that leaves the driver's picture of the server as it is. */
    private static final int MAX_TIME_EXPIRED = 50;

    @AfterEach
    void checkSchema(TestDatabase database) {
        SchemaCheck.of(database);
    }

    private static LeaseEngineBuilder engine(MongoClient client, TestDatabase database) {
        return Engines.onTheSystemsClock(client, database, "a", Duration.ofSeconds(20));
    }

    private static LeaseEngineBuilder impatient(MongoClient client, TestDatabase database) {
        return Engines.onTheSystemsClock(client, database, "b", Duration.ofSeconds(2))
                .commandBudget(Duration.ofSeconds(1));
    }

    private static BsonDocument stored(TestDatabase database, String name) {
        return database.database()
                .getCollection("leases", BsonDocument.class)
                .find(Filters.eq("_id", "billing#" + name))
                .first();
    }

    @Test
    void anUnreachableServerEndsTheStartWithinTheBudget(TestDatabase database) {
        MongoClient client = database.newClient(settings ->
                settings.applyToClusterSettings(cluster -> cluster.hosts(List.of(new ServerAddress("127.0.0.1", 1)))));

        assertThatThrownBy(() -> impatient(client, database).build())
                .isInstanceOf(LeaseUnavailableException.class)
                .hasMessageContaining("billing")
                .hasMessageContaining("2000 ms");
    }

    @Test
    @DisplayName(
            "A unique index that was made meanwhile is named by each call that it fails, and no lost race is made of it")
    void aUniqueIndexOfAnotherIsNamed(TestDatabase database) throws InterruptedException {
        try (LeaseEngine engine = engine(database.newClient(), database).build()) {
            engine.tenures().claim("one", "h", MINUTE).orElseThrow();
            database.database()
                    .getCollection("leases")
                    .createIndex(Indexes.ascending("holder"), new IndexOptions().unique(true));

            assertThatThrownBy(() -> engine.tenures().claim("two", "h", MINUTE))
                    .isInstanceOf(LeaseStoreException.class)
                    .hasMessageContaining(
                            "the unique index 'holder_1' of the collection refused a document of a lease");

            database.database().getCollection("leases").dropIndex("holder_1");
            assertThat(engine.tenures().claim("two", "h", MINUTE).isGranted()).isTrue();
        }
    }

    @Test
    @DisplayName("An update that got lost is tried again")
    void aLostUpdateIsTriedAgain(TestDatabase database) throws InterruptedException {
        try (LeaseEngine engine = engine(database.newClient(), database).build()) {
            engine.tenures().claim("first", "h", MINUTE);
            database.activate(FailPoint.failCommands("update")
                    .closingConnection()
                    .times(1)
                    .forAppName(database.name()));

            Tenure tenure = engine.tenures().claim("name", "h", MINUTE).orElseThrow();

            assertThat(tenure.token()).isEqualTo(1);
            assertThat(stored(database, "name").getInt64("token").getValue()).isEqualTo(1);
        }
    }

    @Test
    void aServerThatNeverCommitsIsADefiniteNo(TestDatabase database) throws InterruptedException {
        try (LeaseEngine engine = impatient(database.newClient(), database).build();
                LeaseEngine patient = engine(database.newClient(), database).build()) {
            registers(engine);
            try (var commits = database.activate(FailPoint.failCommands("commitTransaction")
                    .withErrorCode(MAX_TIME_EXPIRED)
                    .forAppName(database.name()))) {
                Throwable no = definite(catchThrowable(() -> engine.tenures().claim("name", "h", MINUTE)));

                assertThat(no).isInstanceOf(LeaseUnavailableException.class).hasMessageContaining("'name'");
                assertThat(commits.timesEntered()).isPositive();
            }

            assertThat(engine.tenures().isHeld(new Tenure("billing", "name", "h", 1)))
                    .isFalse();
            assertThat(stored(database, "name")).isNull();
            assertThat(patient.tenures().claim("name", "h", MINUTE).isGranted()).isTrue();
        }
    }

    /** Its budget is short for that, and a name may be unknown for a while. */
    private static void registers(LeaseEngine engine) {
        AtomicInteger tries = new AtomicInteger();
        Awaitility.await()
                .ignoreExceptionsInstanceOf(LeaseException.class)
                .until(() -> engine.tenures()
                        .claim("first " + tries.incrementAndGet(), "h", MINUTE)
                        .isGranted());
    }

    /** The budget may be over just while the outcome of one of the commits is unknown; then the answer comes later. */
    private static Throwable definite(Throwable answer) {
        return answer instanceof LeaseOutcomeUnknownException unknown
                ? catchThrowable(() -> unknown.resolution()
                                .toCompletableFuture()
                                .orTimeout(30, TimeUnit.SECONDS)
                                .join())
                        .getCause()
                : answer;
    }

    @Test
    @DisplayName("UO-1: a commit that was applied and whose answer has an error without a label is no refusal")
    void anAppliedCommitIsNeverANo(TestDatabase database) throws InterruptedException {
        try (LeaseEngine engine = engine(database.newClient(), database).build()) {
            engine.tenures().claim("first", "h", MINUTE);
            database.activate(FailPoint.failCommands("commitTransaction")
                    .withWriteConcernError(100)
                    .times(1)
                    .forAppName(database.name()));

            Tenure tenure = engine.tenures().claim("name", "h", MINUTE).orElseThrow();

            assertThat(tenure.token()).isEqualTo(1);
            assertThat(engine.tenures().isHeld(tenure)).isTrue();
        }
    }

    @Test
    void aClosedClientIsSaidAndNothingIsDone(TestDatabase database) {
        MongoClient client = database.newClient();
        try (LeaseEngine engine = engine(client, database).build()) {
            client.close();

            assertThatThrownBy(() -> engine.tenures().claim("name", "h", MINUTE))
                    .isInstanceOf(LeaseStoreException.class)
                    .hasMessageContaining("closed before its engine");
        }
        assertThat(stored(database, "name")).isNull();
    }

    @Test
    void closingTheEngineLeavesTheClientOpenAndItsEntryWithoutASession(TestDatabase database)
            throws InterruptedException {
        MongoClient client = database.newClient();
        LeaseEngine engine = engine(client, database).build();
        Tenure tenure = engine.tenures().claim("name", "h", MINUTE).orElseThrow();

        engine.close();
        engine.close();

        assertThat(engine.tenures().isHeld(tenure)).isFalse();
        assertThatThrownBy(() -> engine.tenures().extend(tenure, MINUTE))
                .isInstanceOf(LeaseEngineClosedException.class);
        assertThat(clockEntries(client, database))
                .singleElement()
                .satisfies(entry ->
                        assertThat(entry.asDocument().keySet()).contains("time").doesNotContain("lsid"));
    }

    @Test
    @DisplayName("A timeout on the application's client does not keep an idle engine from writing the clock document")
    void aTimeoutOnTheClientDoesNotStopAnIdleEngine(TestDatabase database) throws InterruptedException {
        MongoClient client = database.newClient(settings -> settings.timeout(1, TimeUnit.SECONDS));
        try (LeaseEngine engine = engine(client, database).build()) {
            engine.tenures().claim("first", "h", MINUTE);
            database.database()
                    .getCollection("leases")
                    .updateOne(Filters.eq("_id", "billing"), Updates.set("writers", new BsonDocument()));
            // The driver's own clock has to pass the timeout; no hook can move it.
            Thread.sleep(1_100);

            assertThat(engine.tenures().claim("second", "h", MINUTE).isGranted())
                    .isTrue();
        }
        assertThat(clockEntries(client, database))
                .allSatisfy(entry -> assertThat(entry.asDocument().keySet()).doesNotContain("lsid"));
    }

    private static Collection<BsonValue> clockEntries(MongoClient client, TestDatabase database) {
        return client.getDatabase(database.name())
                .getCollection("leases", BsonDocument.class)
                .find(Filters.eq("_id", "billing"))
                .first()
                .getDocument("writers")
                .values();
    }
}
