package dev.leasehold.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.CorruptDocumentException;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseEngineBuilder;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.RunOnceResult;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.Test;

/** Every command of the pages for operators is one that a server carries out, on a namespace in use. */
@WithReplicaSet
class OperationsCommandsIT {

    private static final Path PAGES = Path.of("..", "operations");
    private static final Pattern FENCE = Pattern.compile("```js\n(.*?)```", Pattern.DOTALL);
    private static final Pattern COMMAND =
            Pattern.compile("db\\.(runCommand|adminCommand)\\((\\{.*})\\)\n", Pattern.DOTALL);

    /** One command of a page. */
    private record Command(boolean ofAdmin, BsonDocument body) {

        static Command parse(String code, String database) {
            var matcher = COMMAND.matcher(code);
            assertThat(matcher.matches())
                    .as("one command in a fence, which reads\n" + code)
                    .isTrue();
            return new Command(
                    matcher.group(1).equals("adminCommand"),
                    BsonDocument.parse(matcher.group(2).replace("\"shop\"", "\"" + database + "\"")));
        }

        /** It lifts tokens, which is for when no engine is running. */
        boolean restores() {
            return body.containsKey("update");
        }

        /** It makes the documents anew, for when no engine is running either. */
        boolean changesThePartitions() {
            return body.containsKey("delete") || body.containsKey("insert");
        }

        /** It shows documents of the namespace in use; there may be no idle transactions to show. */
        boolean findsDocuments() {
            return body.containsKey("find") || !ofAdmin && body.containsKey("aggregate");
        }

        Document run(TestDatabase database) {
            MongoDatabase target = ofAdmin ? database.client().getDatabase("admin") : database.database();
            return target.runCommand(body);
        }
    }

    private static List<Command> commands(String database) throws IOException {
        StringBuilder text = new StringBuilder();
        for (String page : List.of("settings.md", "runbook.md")) {
            text.append(Files.readString(PAGES.resolve(page)));
        }
        return FENCE.matcher(text)
                .results()
                .map(MatchResult::group)
                .map(fence -> fence.replaceAll("```(js\n)?", ""))
                .map(code -> Command.parse(code, database))
                .toList();
    }

    private static LeaseEngine engine(TestDatabase database) {
        return builder(database).build();
    }

    private static LeaseEngineBuilder builder(TestDatabase database) {
        return LeaseEngine.builder(database.newClient())
                .database(database.name())
                .namespace("billing");
    }

    @Test
    void everyCommandIsCarriedOutAndFindsWhatItIsFor(TestDatabase database) throws IOException, InterruptedException {
        List<Command> commands = commands(database.name());
        assertThat(commands).hasSizeGreaterThan(8);
        Tenure before = runBesideAnEngine(
                commands.stream()
                        .filter(OperationsCommandsIT::isForRunningEngines)
                        .toList(),
                database);
        commands.stream()
                .filter(Command::restores)
                .forEach(command -> assertThat(command.run(database).getInteger("n"))
                        .as("two leases and the clock")
                        .isEqualTo(3));
        try (LeaseEngine restored = engine(database)) {
            assertThat(restored.tenures().isHeld(before)).isFalse();
            assertThat(restored.tenures()
                            .claim("another", "billing-7", Duration.ofMinutes(1))
                            .orElseThrow()
                            .token())
                    .as("above every token that was ever given")
                    .isGreaterThan(before.token());
        }
    }

    @Test
    void theDocumentsShowTheHolderAndWhetherItsEngineIsThere(TestDatabase database)
            throws IOException, InterruptedException {
        List<Command> finds = commands(database.name()).stream()
                .filter(command -> command.body().containsKey("find"))
                .toList();
        assertThat(finds).hasSize(2);
        LeaseEngine engine = engine(database);
        Lease lease = engine.tryAcquire("invoices").orElseThrow();

        Document clock = first(finds.get(0).run(database));
        Document document = first(finds.get(1).run(database));

        assertThat(clock.getLong("ticks")).isPositive();
        assertThat(document.getString("holder")).isEqualTo(lease.holder());
        assertThat(clock.get("writers", Document.class)).containsKey(document.getString("writer"));
        engine.close();
        assertThat(first(finds.get(0).run(database)).get("writers", Document.class))
                .as("the lease of a writer without an entry is free")
                .isEmpty();
    }

    private static Document first(Document answer) {
        return answer.get("cursor", Document.class)
                .getList("firstBatch", Document.class)
                .get(0);
    }

    /** A stripe shows what its lease shows, so that it has to be lifted with it. */
    @Test
    void tenuresFromBeforeARestoreAreOverOnGateStripesToo(TestDatabase database)
            throws IOException, InterruptedException {
        MongoClient client = database.newClient();
        MongoCollection<Document> leases = client.getDatabase(database.name()).getCollection("leases");
        Tenure before;
        List<Document> backup;
        try (LeaseEngine engine = engine(database);
                Lease lease = engine.tryAcquire(LeaseRequest.of("ledger").gateStripes(1))
                        .orElseThrow()) {
            before = lease.tenure();
            backup = leases.find().into(new ArrayList<>());
        }
        leases.deleteMany(new Document());
        leases.insertMany(backup);

        commands(database.name()).stream().filter(Command::restores).forEach(command -> command.run(database));

        LeaseAssertion onTheStripe = LeaseAssertion.of(before, leases).gateStripes(1);
        try (ClientSession session = client.startSession()) {
            session.startTransaction();
            assertThatThrownBy(() -> onTheStripe.check(session)).isInstanceOf(LeaseNotHeldException.class);
        }
    }

    private static boolean isForRunningEngines(Command command) {
        return !command.restores() && !command.changesThePartitions();
    }

    @Test
    void theNumberOfPartitionsIsChangedByTheCommandsForIt(TestDatabase database)
            throws IOException, InterruptedException {
        try (LeaseEngine engine = engine(database);
                LeaseEngine waiting = engine(database)) {
            assertThat(engine.runOnce("invoices", "2073-03-03", (lease, session) -> lease.token()))
                    .isInstanceOf(RunOnceResult.Ran.class);
            try (Lease lease = engine.tryAcquire(LeaseRequest.of("invoices").gateStripes(1))
                    .orElseThrow()) {
                waiting.tryAcquire(LeaseRequest.of(lease.name()).waitAtMost(Duration.ofSeconds(1)));
            }
        }

        List<Integer> changed = commands(database.name()).stream()
                .filter(Command::changesThePartitions)
                .map(command -> command.run(database).getInteger("n"))
                .toList();

        assertThat(changed)
                .as("the clock and a lease with its queue and a gate stripe; two clocks")
                .containsExactly(4, 2);
        assertThat(database.database()
                        .getCollection("leases")
                        .distinct("type", String.class)
                        .into(new ArrayList<>()))
                .as("records stay")
                .containsExactlyInAnyOrder("clock", "occurrence");

        assertThatThrownBy(() -> engine(database))
                .isInstanceOf(CorruptDocumentException.class)
                .hasMessageContaining("partitions");
        try (LeaseEngine engine = builder(database).partitions(2).build()) {
            for (String lease : List.of("invoices", "archive", "nightly")) {
                assertThat(engine.tenures()
                                .claim(lease, "billing-7", Duration.ofMinutes(1))
                                .orElseThrow()
                                .token())
                        .as("above every token that was ever given")
                        .isGreaterThan(4711);
            }
        }
    }

    private static Tenure runBesideAnEngine(List<Command> commands, TestDatabase database) throws InterruptedException {
        try (LeaseEngine engine = engine(database);
                Lease archive = engine.tryAcquire("archive").orElseThrow()) {
            assertThat(engine.admin().pin(archive.name(), "audit")).isTrue();
            Tenure tenure = engine.tenures()
                    .claim("invoices", "billing-7", Duration.ofMinutes(1))
                    .orElseThrow();
            commands.forEach(command -> {
                Document answer = command.run(database);
                if (command.findsDocuments()) {
                    assertThat(answer.get("cursor", Document.class).getList("firstBatch", Document.class))
                            .as(command.body().toJson())
                            .isNotEmpty();
                }
            });
            return tenure;
        } finally {
            database.database().runCommand(new Document("dropAllRolesFromDatabase", 1));
        }
    }
}
