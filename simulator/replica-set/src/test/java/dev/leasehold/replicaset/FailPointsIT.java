package dev.leasehold.replicaset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoSocketReadException;
import com.mongodb.MongoWriteConcernException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.bson.Document;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@WithReplicaSet
class FailPointsIT {

    private static final FailPoint FAILING_INSERT =
            FailPoint.failCommands("insert").withErrorCode(8000);

    private TestDatabase database;
    private MongoCollection<Document> things;

    @BeforeEach
    void collectionOfItsOwnClient(TestDatabase fresh) {
        database = fresh;
        MongoClient client = fresh.newClient(builder -> builder.retryWrites(false));
        things = client.getDatabase(fresh.name()).getCollection("things");
    }

    @Test
    void theNamedClientGetsTheErrorAndOthersDoNot() {
        database.activate(FAILING_INSERT.forAppName(database.name()));

        assertThatThrownBy(() -> things.insertOne(new Document()))
                .isInstanceOfSatisfying(
                        MongoCommandException.class,
                        e -> assertThat(e.getErrorCode()).isEqualTo(8000));
        assertThatCode(() -> database.database().getCollection("things").insertOne(new Document()))
                .doesNotThrowAnyException();
    }

    @Test
    void aClosedConnectionIsFelt() {
        database.activate(FailPoint.failCommands("insert").closingConnection().forAppName(database.name()));

        assertThatThrownBy(() -> things.insertOne(new Document())).isInstanceOf(MongoSocketReadException.class);
    }

    @Test
    void aWriteConcernErrorComesAfterTheWrite() {
        database.activate(
                FailPoint.failCommands("insert").withWriteConcernError(64).forAppName(database.name()));

        assertThatThrownBy(() -> things.insertOne(new Document())).isInstanceOf(MongoWriteConcernException.class);
        assertThat(things.countDocuments()).isEqualTo(1);
    }

    @Test
    void itFailsAsOftenAsAskedAndCountsTheHits() {
        things.insertOne(new Document());
        ActiveFailPoint failing = database.activate(FAILING_INSERT.times(1).forAppName(database.name()));

        assertThat(failing.timesEntered()).isZero();
        assertThatThrownBy(() -> things.insertOne(new Document())).isInstanceOf(MongoCommandException.class);
        things.insertOne(new Document());

        assertThat(failing.timesEntered()).isEqualTo(1);
    }

    @Test
    void aBlockedCommandCanBeWaitedFor() {
        ActiveFailPoint blocking = database.activate(
                FailPoint.failCommands("insert").blocking(Duration.ofSeconds(3)).forAppName(database.name()));

        CompletableFuture<?> insert = CompletableFuture.runAsync(() -> things.insertOne(new Document()));
        blocking.awaitEntered(1, Duration.ofSeconds(10));

        assertThat(insert).isNotDone();
        insert.join();
    }

    @Test
    void closingTheDatabaseSwitchesItOff() {
        try (TestDatabase other = database.set().newDatabase()) {
            other.activate(FAILING_INSERT.forAppName(database.name()));
        }

        assertThatCode(() -> things.insertOne(new Document())).doesNotThrowAnyException();
    }

    /** As by a timeout of JUnit in the middle of a try statement. */
    @Test
    void anInterruptedThreadSwitchesItOffToo() {
        ActiveFailPoint failing = database.activate(FAILING_INSERT.forAppName(database.name()));

        Thread.currentThread().interrupt();
        failing.close();

        assertThat(Thread.interrupted()).isTrue();
        assertThatCode(() -> things.insertOne(new Document())).doesNotThrowAnyException();
    }
}
