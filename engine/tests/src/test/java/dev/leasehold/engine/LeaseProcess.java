package dev.leasehold.engine;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.world.TestClock;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.bson.Document;

/**
 * An engine in a process of its own, with a clock of its own, which does what it is told on its standard input, a line
 * each, and answers with a line on its standard output.
 */
final class LeaseProcess {

    private final MongoClient client;
    private final String database;
    private final LeaseEngine engine;
    private final TestClock clock;
    private final Hooks hooks;
    private final BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    private final PrintStream answers;

    private LeaseProcess(
            MongoClient client,
            String database,
            LeaseEngine engine,
            TestClock clock,
            Hooks hooks,
            PrintStream answers) {
        this.client = client;
        this.database = database;
        this.engine = engine;
        this.clock = clock;
        this.hooks = hooks;
        this.answers = answers;
    }

    /** Arguments: URI, database, instance, how far the clock is from Z in seconds, and the number of partitions. */
    public static void main(String[] arguments) throws Exception {
        PrintStream answers = System.out;
        // Whatever logs to the console must not come between the answers.
        System.setOut(System.err);
        TestClock clock = TestClock.atZPlus(Duration.ofSeconds(Long.parseLong(arguments[3])));
        Hooks hooks = new Hooks();
        MongoClientSettings settings = MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(arguments[0]))
                .addCommandListener(hooks)
                .build();
        try (MongoClient client = MongoClients.create(settings);
                LeaseEngine engine = LeaseEngine.builder(client)
                        .database(arguments[1])
                        .collection(Engines.COLLECTION)
                        .namespace(Engines.NAMESPACE)
                        .instance(arguments[2])
                        .partitions(Integer.parseInt(arguments[4]))
                        .runtime(new TestRuntime(clock))
                        .build()) {
            new LeaseProcess(client, arguments[1], engine, clock, hooks, answers).serve();
        }
    }

    private void serve() throws IOException, InterruptedException {
        answers.println("ready");
        for (String order = orders.readLine(); order != null; order = orders.readLine()) {
            answers.println(carryOut(order.split(" ")));
        }
    }

    private String carryOut(String[] order) throws InterruptedException {
        return switch (order[0]) {
            case "claim" -> describe(engine.tenures().claim(order[1], order[2], seconds(order[3])));
            case "stopInCommit" -> stopInCommit();
            case "takeOver" -> describe(engine.tenures().takeOver(order[1], order[2], seconds(order[3])));
            case "release" -> describe(engine.tenures().release(tenure(order)));
            case "isHeld" -> String.valueOf(engine.tenures().isHeld(tenure(order)));
            case "gated" -> gated(tenure(order));
            case "assertAndStay" -> assertAndStay(tenure(order));
            case "advance" -> advance(Long.parseLong(order[1]));
            default -> throw new IllegalArgumentException("order '" + order[0] + "' is not known");
        };
    }

    /** The next transaction says when it has written and not committed, and goes on at the next order. */
    private String stopInCommit() {
        hooks.once(Hooks.Point.BEFORE_COMMIT, () -> {
            answers.println("before commit");
            orders.readLine();
        });
        return "will stop";
    }

    private static Duration seconds(String text) {
        return Duration.ofSeconds(Long.parseLong(text));
    }

    private static Tenure tenure(String[] order) {
        return new Tenure(Engines.NAMESPACE, order[1], order[2], Long.parseLong(order[3]));
    }

    private static String describe(LeaseResult answer) {
        if (answer instanceof Refusal refusal) {
            return "refused " + refusal.reason() + " " + TestEngine.latestNanos(refusal.state());
        }
        return "granted " + answer.orElseThrow().token();
    }

    private String advance(long nanos) {
        clock.advance(nanos);
        return String.valueOf(clock.wallNanos());
    }

    /** A transaction of the application, which inserts a report under the tenure. */
    private String gated(Tenure tenure) {
        MongoCollection<Document> reports = client.getDatabase(database).getCollection("reports");
        try (ClientSession session = client.startSession()) {
            session.withTransaction(() -> {
                reports.insertOne(session, new Document("token", tenure.token()));
                engine.tenures().assertion(tenure).check(session);
                return null;
            });
            return "committed";
        } catch (LeaseNotHeldException e) {
            return "not held";
        }
    }

    /** The same, stopped between the assertion and the commit. */
    private String assertAndStay(Tenure tenure) {
        ClientSession session = client.startSession();
        session.startTransaction();
        client.getDatabase(database).getCollection("reports").insertOne(session, new Document("token", tenure.token()));
        engine.tenures().assertion(tenure).check(session);
        return "asserted";
    }
}
