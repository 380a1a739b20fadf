package dev.leasehold.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.model.CreateCollectionOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Updates;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.bson.Document;
import org.bson.types.Binary;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What doctor finds, each made for real. */
@WithReplicaSet
class DoctorIT {

    private TestDatabase database;
    private Service service;
    private Tool tool;

    @BeforeEach
    void start(TestDatabase fresh) {
        database = fresh;
        service = Service.on(database, "shop:1");
        tool = Tool.on(database);
    }

    @AfterEach
    void end() {
        service.close();
    }

    private Tool.Result doctor(String look) {
        return tool.run("doctor", "--json", "--all", "--look", look);
    }

    private static List<String> found(Tool.Result result, String severity, String check) {
        List<String> found = new ArrayList<>();
        for (JsonNode finding : result.json()) {
            if (finding.path("severity").asText().equals(severity)
                    && finding.path("check").asText().equals(check)) {
                found.add(finding.path("found").asText());
                assertThat(finding.has("remedy")).as("remedy of " + finding).isEqualTo(!severity.equals("OK"));
            }
        }
        return found;
    }

    @Test
    @DisplayName("A namespace that is well has no problem")
    void aNamespaceThatIsWell() throws InterruptedException {
        service.holds("invoices");

        Tool.Result well = doctor("0s");

        assertThat(well.exitCode()).as(well.out()).isZero();
        assertThat(found(well, "OK", "deployment")).singleElement().asString().contains("MongoDB ");
        assertThat(found(well, "OK", "collection")).hasSize(1);
        assertThat(found(well, "OK", "leases")).containsExactly("all lease documents keep to the schema, 1 in number");
        assertThat(found(well, "OK", "server-settings")).isNotEmpty();
        assertThat(found(well, "OK", "open-transactions")).hasSize(1);
        Tool.Result text = tool.run("doctor", "--look", "0s", "--all");
        assertThat(text.out()).contains("0 problems").contains("ok       connection: the servers answered");
        assertThat(found(well, "OK", "clocks")).containsExactly("no clock of 1 engine is seen to be wrong");
    }

    @Test
    @DisplayName("A clock document that an open transaction blocks is found, with the transaction and how to end it")
    void aBlockedClockDocument() throws InterruptedException {
        service.holds("invoices");
        try (ClientSession blocking = database.client().startSession()) {
            blocking.startTransaction();
            Service.documents(database)
                    .updateOne(blocking, Filters.eq("_id", Tool.NAMESPACE), Updates.set("touched", 1));
            untilAnEngineWaits();

            Tool.Result blocked = doctor("6s");

            assertThat(blocked.exitCode()).as(blocked.out()).isEqualTo(9);
            assertThat(found(blocked, "PROBLEM", "clock-document"))
                    .singleElement()
                    .asString()
                    .contains("the clock document of billing is blocked");
            assertThat(found(blocked, "NOTICE", "open-transactions")).isNotEmpty();
            assertThat(blocked.out()).contains("killSessions");
            blocking.abortTransaction();
        }
    }

    private void untilAnEngineWaits() {
        Document waiting = new Document("op", "update").append("writeConflicts", new Document("$gt", 0));
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> database.client()
                                .getDatabase("admin")
                                .aggregate(List.of(
                                        new Document("$currentOp", new Document("allUsers", true)),
                                        new Document("$match", waiting)))
                                .first()
                        != null);
    }

    @Test
    @DisplayName("A transaction that an engine left open is told from one of a caller")
    void aTransactionThatAnEngineLeftOpen() throws InterruptedException {
        service.holds("invoices").close();
        MongoClient client = database.newClient();
        try (ClientSession left = client.startSession()) {
            left.startTransaction();
            client.getDatabase(database.name())
                    .getCollection("leases")
                    .updateOne(left, Filters.eq("_id", "billing#invoices"), Updates.set("touched", 1));
            Document entry = new Document("time", 1L)
                    .append("lsid", left.getServerSession().getIdentifier().get("id"));
            Service.documents(database)
                    .updateOne(Filters.eq("_id", Tool.NAMESPACE), Updates.set("writers.dead:7#1", entry));

            Tool.Result stuck = doctor("2s");

            assertThat(stuck.exitCode()).as(stuck.out()).isEqualTo(9);
            assertThat(found(stuck, "PROBLEM", "open-transactions"))
                    .singleElement()
                    .asString()
                    .contains("a transaction of engine dead:7#1")
                    .contains(database.name());
        }
    }

    @Test
    void corruptDocumentsAreFound() throws InterruptedException {
        service.holds("invoices").close();
        Service.documents(database).updateOne(Filters.eq("_id", "billing#invoices"), Updates.set("token", "seven"));
        Service.documents(database)
                .updateOne(
                        Filters.eq("_id", Tool.NAMESPACE),
                        Updates.set("writers.broken:1#1", new Document("time", "noon")));

        Tool.Result corrupt = doctor("0s");

        assertThat(corrupt.exitCode()).isEqualTo(9);
        assertThat(found(corrupt, "PROBLEM", "leases"))
                .singleElement()
                .asString()
                .contains("billing#invoices");
        assertThat(found(corrupt, "PROBLEM", "writers"))
                .singleElement()
                .asString()
                .contains("broken:1#1");
    }

    @Test
    void aNewerSchemaIsFound() {
        Service.documents(database).updateOne(Filters.eq("_id", Tool.NAMESPACE), Updates.set("schema", 2));

        Tool.Result newer = doctor("0s");

        assertThat(newer.exitCode()).isEqualTo(9);
        assertThat(found(newer, "PROBLEM", "schema")).isNotEmpty();
        assertThat(newer.out()).contains("upgrade what is older");
    }

    @Test
    void aClockDocumentThatIsDamagedOrMissingIsFound() {
        Service.documents(database).updateOne(Filters.eq("_id", Tool.NAMESPACE), Updates.unset("ticks"));
        assertThat(found(doctor("0s"), "PROBLEM", "clock-document")).isNotEmpty();

        Service.documents(database).deleteOne(Filters.eq("_id", Tool.NAMESPACE));
        Tool.Result missing = doctor("0s");
        assertThat(missing.exitCode()).isEqualTo(9);
        assertThat(found(missing, "PROBLEM", "clock-document"))
                .singleElement()
                .asString()
                .contains("is missing");
    }

    @Test
    @DisplayName("An engine that is dead is found by a look that is longer than its session")
    void aDeadEngineIsFound() {
        Document entry = new Document("time", 1L)
                .append("session", Duration.ofSeconds(1).toNanos())
                .append("lsid", new Binary((byte) 4, new byte[16]));
        Service.documents(database)
                .updateOne(Filters.eq("_id", Tool.NAMESPACE), Updates.set("writers.dead:7#1", entry));

        assertThat(found(doctor("0s"), "OK", "sessions"))
                .singleElement()
                .asString()
                .contains("says nothing yet");
        assertThat(found(doctor("2s"), "NOTICE", "sessions"))
                .singleElement()
                .asString()
                .contains("engine dead:7#1 gave no sign of life")
                .contains("it is dead, stopped or cut off");
    }

    @Test
    @DisplayName("Engines that were built for different drifts are found")
    void differentDriftsAreFound() throws InterruptedException {
        service.holds("invoices");
        assertThat(found(doctor("0s"), "OK", "drift"))
                .containsExactly("all engines were built for a drift of 1000 ppm");
        try (LeaseEngine other = LeaseEngine.builder(database.newClient())
                .database(database.name())
                .namespace(Tool.NAMESPACE)
                .instance("shop:2")
                .maximumDriftPpm(50)
                .build()) {
            other.acquire(LeaseRequest.of("reports").waitAtMost(Duration.ofSeconds(30)));

            Tool.Result different = doctor("0s");

            assertThat(different.exitCode()).isEqualTo(9);
            assertThat(found(different, "PROBLEM", "drift"))
                    .singleElement()
                    .asString()
                    .contains("50 ppm, such as shop:2#")
                    .contains("1000 ppm, such as shop:1#");
        }
    }

    @Test
    void anIndexThatDeletesIsFound() {
        Service.documents(database)
                .createIndex(Indexes.ascending("since"), new IndexOptions().expireAfter(30L, TimeUnit.DAYS));

        assertThat(found(doctor("0s"), "PROBLEM", "collection"))
                .singleElement()
                .asString()
                .contains("lets documents expire");
    }

    @Test
    void aUniqueIndexOfAnotherIsNamed() {
        Service.documents(database).createIndex(Indexes.ascending("name", "holder"), new IndexOptions().unique(true));

        assertThat(found(doctor("0s"), "PROBLEM", "collection"))
                .singleElement()
                .asString()
                .contains("the index name_1_holder_1 is unique");
    }

    @Test
    void aCollectionThatCannotCarryLeasesIsFound() {
        service.close();
        Service.documents(database).drop();
        database.database()
                .createCollection(
                        "leases", new CreateCollectionOptions().capped(true).sizeInBytes(4_096));

        Tool.Result capped = doctor("0s");

        assertThat(found(capped, "PROBLEM", "collection"))
                .singleElement()
                .asString()
                .contains("capped");
    }

    @Test
    void aDatabaseThatIsAwayIsFound() {
        Tool.Result away =
                tool.run("doctor", "--json", "--uri", "mongodb://ann:s3cr3t@127.0.0.1:1/shop", "--timeout", "200ms");

        assertThat(away.exitCode()).isEqualTo(9);
        assertThat(found(away, "PROBLEM", "connection")).hasSize(1);
        assertThat(away.out() + away.err()).doesNotContain("s3cr3t").doesNotContain("ann:");
    }
}
