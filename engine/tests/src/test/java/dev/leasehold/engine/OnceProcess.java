package dev.leasehold.engine;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.leasehold.assertions.LeaseNotHeldException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import org.bson.Document;

/**
 * A process that does all occurrences of the work of one lease in their order, as far as others have not. In the transaction of one of them it
 * may say so and wait, for a test that pauses or kills it there. Its orders are {@code do COUNT STAY_IN}, with -1 to stay in none.
 */
final class OnceProcess {

    static final String LEASE = "batches";
    static final String EFFECTS = "effects";

    private static final Duration SESSION = Duration.ofSeconds(6);
    private static final Duration NO_LIMIT = Duration.ofHours(1);

    private final MongoClient client;
    private final String instance;
    private final MongoCollection<Document> effects;
    private final LeaseEngine engine;
    private final PrintStream answers;
    private final BufferedReader orders;

    private OnceProcess(
            MongoClient client,
            String database,
            String instance,
            LeaseEngine engine,
            PrintStream answers,
            BufferedReader orders) {
        this.client = client;
        this.instance = instance;
        this.effects = client.getDatabase(database).getCollection(EFFECTS);
        this.engine = engine;
        this.answers = answers;
        this.orders = orders;
    }

    /** Arguments: URI, database, instance. */
    public static void main(String[] arguments) throws Exception {
        PrintStream answers = System.out;
        // Whatever logs to the console must not come between the answers.
        System.setOut(System.err);
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (MongoClient client = MongoClients.create(arguments[0]);
                LeaseEngine engine = Engines.start(LeaseEngine.builder(client)
                        .database(arguments[1])
                        .collection(Engines.COLLECTION)
                        .namespace(Engines.NAMESPACE)
                        .instance(arguments[2])
                        .operationBudget(Duration.ofSeconds(4))
                        .sessionLength(SESSION))) {
            new OnceProcess(client, arguments[1], arguments[2], engine, answers, orders).serve();
        }
    }

    private void serve() throws IOException, InterruptedException {
        answers.println("ready");
        for (String order = orders.readLine(); order != null; order = orders.readLine()) {
            String[] part = order.split(" ");
            answers.println(does(Integer.parseInt(part[1]), Integer.parseInt(part[2])));
        }
    }

    /** How many of them this process has done. */
    private int does(int count, int stayIn) throws InterruptedException {
        int done = 0;
        for (int number = 0; number < count; ) {
            try {
                RunOnceResult<Boolean> result = once(number, number == stayIn);
                if (result instanceof RunOnceResult.Skipped) {
                    awaitTheLease();
                } else {
                    done += result.ran() ? 1 : 0;
                    number++;
                }
            } catch (LeaseException | LeaseNotHeldException | MongoException e) {
                // The process asks again, and is told what has become of it.
            }
        }
        return done;
    }

    private RunOnceResult<Boolean> once(int number, boolean stays) throws InterruptedException {
        boolean[] hasStayed = new boolean[1];
        return engine.runOnce(LEASE, name(number), (lease, session) -> {
            effects.insertOne(session, new Document("occurrence", number).append("by", instance));
            if (stays && !hasStayed[0]) {
                hasStayed[0] = true;
                stay(number);
            }
            return true;
        });
    }

    static String name(int number) {
        return String.format(Locale.ROOT, "batch-%05d", number);
    }

    /** Inside of the transaction, until the next line. */
    private void stay(int number) {
        answers.println("inside " + number);
        try {
            orders.readLine();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void awaitTheLease() throws InterruptedException {
        try (Lease lease = engine.acquire(LeaseRequest.of(LEASE).waitAtMost(NO_LIMIT));
                ClientSession session = client.startSession()) {
            // It is free for this process, which also shows that a lease that does nothing leaves nothing behind.
            lease.inTransaction(session, each -> lease.isHeld());
        }
    }
}
