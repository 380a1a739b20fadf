package dev.leasehold.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.Join;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** With the configuration of docs/pekko.md, but for the places of the database and of the node. */
@WithReplicaSet
class PekkoExampleIT {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Path PAGE = Path.of("").toAbsolutePath().resolve("../pekko.md");

    private final MongoClient client;
    private final Config config;
    private final TestDatabase database;
    private ActorSystem<?> system;

    PekkoExampleIT(TestDatabase database) throws IOException {
        this.database = database;
        this.client = database.newClient();
        this.config = ConfigFactory.parseMap(Map.of(
                        "leasehold.pekko.connection-string",
                        database.uri(),
                        "leasehold.pekko.database",
                        database.name(),
                        "pekko.remote.artery.canonical.port",
                        0,
                        "pekko.coordinated-shutdown.exit-jvm",
                        "off"))
                .withFallback(ConfigFactory.parseString(configurationOfThePage()))
                .withFallback(ConfigFactory.load())
                .resolve();
    }

    private static String configurationOfThePage() throws IOException {
        Matcher block = Pattern.compile("```hocon\n(.*?)```", Pattern.DOTALL).matcher(Files.readString(PAGE));
        assertThat(block.find()).as("the page has a configuration").isTrue();
        return block.group(1);
    }

    @AfterEach
    void end() throws Exception {
        if (system != null) {
            system.terminate();
            system.getWhenTerminated().toCompletableFuture().get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void theFirstRunHasItsSingletonUnderTheLease() {
        join(PekkoExample.firstRun(config));

        await().atMost(LIMIT).until(() -> leaseOf("job") instanceof LeaseState.Held);
    }

    @Test
    void theSingletonWritesOnlyWhileItsTenureStands() throws InterruptedException {
        MongoCollection<Document> invoices = client.getDatabase(database.name()).getCollection("invoices");
        ActorSystem<Document> shop = PekkoExample.withClient(
                config.withValue(
                        "leasehold.pekko.connection-string",
                        ConfigFactory.parseString("empty = \"\"").getValue("empty")),
                client,
                invoices);
        join(shop);

        shop.tell(new Document("_id", 1));
        await().atMost(LIMIT).until(() -> invoices.countDocuments() == 1);

        try (LeaseEngine operator = operator()) {
            operator.admin().pin(nameOf("invoicing"), "the test");
            operator.admin().forceExpire(nameOf("invoicing"), "it hangs");
        }
        shop.tell(new Document("_id", 2));
        await().atMost(LIMIT).until(() -> leaseOf("invoicing") instanceof LeaseState.Vacant);
        assertThat(invoices.countDocuments()).isEqualTo(1);
    }

    private void join(ActorSystem<?> started) {
        system = started;
        Cluster cluster = Cluster.get(started);
        cluster.manager().tell(Join.create(cluster.selfMember().address()));
    }

    private static String nameOf(String singleton) {
        return "shop-singleton-pekko://shop/system/singletonManager" + singleton;
    }

    private LeaseState leaseOf(String singleton) throws InterruptedException {
        try (LeaseEngine operator = operator()) {
            return operator.admin().inspect(nameOf(singleton));
        }
    }

    private LeaseEngine operator() {
        return LeaseEngine.builder(client)
                .database(database.name())
                .namespace("pekko")
                .build();
    }
}
