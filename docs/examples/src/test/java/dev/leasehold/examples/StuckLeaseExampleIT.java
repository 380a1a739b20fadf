package dev.leasehold.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoCollection;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The page for the night: its commands are carried out, and its orders do what it says. */
@WithReplicaSet
class StuckLeaseExampleIT {

    private static final Pattern COMMAND =
            Pattern.compile("```js\ndb\\.(runCommand|adminCommand)\\((\\{.*?})\\)\n```", Pattern.DOTALL);

    private final TestDatabase database;
    private final LeaseEngine engine;
    private final LeaseEngine other;

    StuckLeaseExampleIT(TestDatabase database) {
        this.database = database;
        engine = LeaseEngine.builder(database.newClient())
                .database(database.name())
                .namespace("billing")
                .build();
        other = LeaseEngine.builder(database.newClient())
                .database(database.name())
                .namespace("billing")
                .build();
    }

    @AfterEach
    void close() {
        engine.close();
        other.close();
    }

    @Test
    void everyCommandOfThePageIsCarriedOut() throws IOException, InterruptedException {
        Lease lease = engine.acquire("invoices");
        String page = Files.readString(Path.of("..", "runbook.md"));
        List<Document> answers = COMMAND.matcher(page)
                .results()
                .map(command -> (command.group(1).equals("adminCommand")
                                ? database.client().getDatabase("admin")
                                : database.database())
                        .runCommand(BsonDocument.parse(command.group(2))))
                .toList();

        assertThat(answers).hasSize(4);
        assertThat(found(answers.get(0)).getString("holder")).isEqualTo(lease.holder());
        String writer = found(answers.get(0)).getString("writer");
        assertThat(found(answers.get(1)).get("writers", Document.class)).containsKey(writer);
        assertThat(found(answers.get(2)).getLong("ticks")).isPositive();
    }

    private static Document found(Document answer) {
        return answer.get("cursor", Document.class)
                .getList("firstBatch", Document.class)
                .get(0);
    }

    @Test
    void leaseThatIsEndedByForceIsFreeForOthers() throws InterruptedException {
        engine.acquire("invoices");
        assertThat(other.tryAcquire("invoices").asOptional()).isEmpty();

        assertThat(StuckLeaseExample.force(other, "invoices").isGranted()).isTrue();

        assertThat(other.tryAcquire("invoices").asOptional()).isPresent();
    }

    @Test
    void pinnedLeaseIsFreeWhenEveryPinIsGone() throws InterruptedException {
        engine.acquire("invoices").close();
        engine.admin().pin("invoices", "audit");
        engine.admin().pin("invoices", "somebody else");
        assertThat(other.tryAcquire("invoices").asOptional()).isEmpty();

        StuckLeaseExample.unpin(other, "invoices");

        assertThat(other.admin().inspect("invoices"))
                .isInstanceOfSatisfying(
                        LeaseState.Vacant.class,
                        vacant -> assertThat(vacant.pins()).isEmpty());
        assertThat(other.tryAcquire("invoices").asOptional()).isPresent();
    }

    @Test
    void leaseOfAWriterWithoutAnEntryIsFree() throws InterruptedException {
        MongoCollection<Document> leases = database.database().getCollection("leases");
        engine.acquire("invoices");
        engine.close();
        assertThat(leases.find(new Document("_id", "billing")).first().get("writers", Document.class))
                .isEmpty();
        assertThat(other.tryAcquire("invoices").asOptional()).isPresent();
    }
}
