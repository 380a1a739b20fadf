package dev.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.world.LogCapture;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.Document;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What an engine sends to a server, beside what the page of settings says of it. */
@WithReplicaSet
class SentCommandsPageIT {

    private static final Path PAGE = Path.of("..", "..", "docs", "operations", "settings.md");
    private static final Pattern CODE = Pattern.compile("`(\\$?[A-Za-z]+)`");
    /** What the driver adds to a command, which is of the protocol and no operator. */
    private static final Set<String> OF_THE_DRIVER = Set.of("$db", "$clusterTime", "$readPreference");

    /** All commands and operators of a client, by their names. */
    private static final class Listener implements CommandListener {

        private final Set<String> commands = new ConcurrentSkipListSet<>();
        private final Set<String> operators = new ConcurrentSkipListSet<>();

        @Override
        public void commandStarted(CommandStartedEvent event) {
            commands.add(event.getCommandName());
            add(event.getCommand());
        }

        private void add(BsonValue value) {
            if (value instanceof BsonDocument document) {
                document.forEach((name, inside) -> {
                    if (name.startsWith("$") && !OF_THE_DRIVER.contains(name)) {
                        operators.add(name);
                    }
                    add(inside);
                });
            } else if (value instanceof BsonArray array) {
                array.forEach(this::add);
            }
        }
    }

    private static Set<String> onPage(String list) throws IOException {
        String page = Files.readString(PAGE);
        int start = page.indexOf("<!-- list: " + list + " -->");
        assertThat(start).isNotNegative();
        return CODE.matcher(page.substring(start, page.indexOf("<!-- end of list -->", start)))
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    @DisplayName("The page of settings names every command and operator that an engine and an assertion send")
    void thePageNamesAll(TestDatabase database) throws Exception {
        Listener listener = new Listener();
        MongoClient client = database.newClient(settings -> settings.addCommandListener(listener));
        try (LeaseEngine a = engine(client, database, "a");
                LeaseEngine b = engine(client, database, "b")) {
            // Sessions and terms, waits that listen to the other engine, stripes, pins, orders, reads.
            Lease held = a.acquire(LeaseRequest.of("waited").gateStripes(2).waitAtMost(Duration.ZERO));
            var waiting = b.acquireAsync(LeaseRequest.of("waited").waitAtMost(Duration.ofSeconds(20)));
            await().until(() -> listener.operators.contains("$changeStream"));
            held.close();
            waiting.toCompletableFuture().get(1, TimeUnit.MINUTES).close();
            Tenure tenure =
                    a.tenures().claim("term", "h", Duration.ofMinutes(1)).orElseThrow();
            a.tenures().extend(tenure, Duration.ofMinutes(2));
            a.admin().pin("term", "ops");
            a.admin().unpin("term", "ops");
            a.admin().forceExpire("term", "it hangs");
            b.admin().inspect("term");
            b.leases();
            // What callers write in transactions of their own, and what becomes of the records.
            MongoCollection<Document> work = database.database().getCollection("work");
            try (Lease gated = a.tryAcquire("gated").orElseThrow();
                    ClientSession session = client.startSession()) {
                session.withTransaction(() -> {
                    gated.assertion().check(session);
                    return gated.once(session, "2026-11-21");
                });
                session.withTransaction(() -> gated.once(session, "2026-11-21"));
            }
            a.runOnce("gated", "2026-11-22", (lease, session) -> work.countDocuments());
            a.findOccurrence("gated", "2026-11-22");
            b.admin().occurrences("gated", 10);
            b.admin().forgetOccurrence("gated", "2026-11-22", "it is to run again");
            a.housekeeping();
        }

        assertThat(listener.commands).contains("update", "aggregate", "commitTransaction");
        assertThat(listener.operators).contains("$set", "$changeStream", "$objectToArray", "$setOnInsert");
        assertThat(onPage("commands")).containsAll(listener.commands);
        assertThat(onPage("operators")).containsAll(listener.operators);
    }

    private static LeaseEngine engine(MongoClient client, TestDatabase database, String instance) {
        return LeaseEngine.builder(client)
                .database(database.name())
                .namespace("billing")
                .instance(instance)
                .build();
    }

    @Test
    @DisplayName("Of a server past its end of life an engine says one line when it starts, with partitions too")
    void oneLineForAServerPastItsEndOfLife(TestDatabase database) {
        MongoClient client = database.newClient();
        int wireVersion = client.getDatabase("admin")
                .runCommand(Document.parse("{hello: 1}"))
                .getInteger("maxWireVersion");
        try (LogCapture log = new LogCapture();
                LeaseEngine engine = LeaseEngine.builder(client)
                        .database(database.name())
                        .namespace("billing")
                        .partitions(3)
                        .build()) {
            boolean ended = wireVersion <= 20 || wireVersion >= 22 && wireVersion <= 24;
            assertThat(log.lines().stream()
                            .filter(line -> line.getFormattedMessage().contains("the server is MongoDB")))
                    .as("wire version %d, %s", wireVersion, engine)
                    .hasSize(ended ? 1 : 0);
        }
    }
}
