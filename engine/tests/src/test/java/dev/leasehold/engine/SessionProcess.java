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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.bson.Document;

/**
 * An engine in a process of its own, on the system's clock, whose session keeps leases. It does what it is told on its
 * standard input, a line each, and answers with a line on its standard output. The times in its answers are of the
 * monotonic clock, which the processes of one machine share on Linux and macOS.
 */
final class SessionProcess {

    private static final Duration NO_LIMIT = Duration.ofHours(1);
    /** A busy machine needs it, where the session allows for it. */
    private static final Duration LONG = Duration.ofSeconds(20);

    private final MongoClient client;
    private final String database;
    private final LeaseEngine engine;
    private final Map<String, WatchedLease> leases = new HashMap<>();
    private ClientSession transaction;

    private SessionProcess(MongoClient client, String database, LeaseEngine engine) {
        this.client = client;
        this.database = database;
        this.engine = engine;
    }

    /** Arguments: URI, database, instance, and the length of the session in milliseconds. */
    public static void main(String[] arguments) throws Exception {
        PrintStream answers = System.out;
        // Whatever logs to the console must not come between the answers.
        System.setOut(System.err);
        Duration session = Duration.ofMillis(Long.parseLong(arguments[3]));
        Duration budget =
                session.compareTo(LONG) > 0 ? LONG : session.multipliedBy(2).dividedBy(3);
        try (MongoClient client = MongoClients.create(arguments[0]);
                LeaseEngine engine = Engines.start(LeaseEngine.builder(client)
                        .database(arguments[1])
                        .collection(Engines.COLLECTION)
                        .namespace(Engines.NAMESPACE)
                        .instance(arguments[2])
                        .operationBudget(budget)
                        .commandBudget(budget.dividedBy(2))
                        .sessionLength(session))) {
            new SessionProcess(client, arguments[1], engine).serve(answers);
        }
    }

    private void serve(PrintStream answers) throws IOException, InterruptedException, ExecutionException {
        answers.println("ready");
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String order = orders.readLine(); order != null; order = orders.readLine()) {
            answers.println(carryOut(order.split(" ")));
        }
    }

    private String carryOut(String[] order) throws InterruptedException, ExecutionException {
        return switch (order[0]) {
            case "acquire" -> acquire(List.of(order).subList(1, order.length));
            case "try" -> tryToAcquire(order[1]);
            case "close" -> close(order[1]);
            case "isHeld" -> String.valueOf(leases.get(order[1]).lease().isHeld());
            case "lastHeld" -> String.valueOf(leases.get(order[1]).lastHeldNanos());
            case "loss" -> leases.get(order[1]).awaitLoss();
            case "losses" -> leases.get(order[1]).losses().toString();
            case "begin" -> begin();
            case "commit" -> commit(order[1]);
            case "gated" -> gated(order[1]);
            case "exit" -> exit();
            default -> throw new IllegalArgumentException("order '" + order[0] + "' is not known");
        };
    }

    /** Waits for all of them at once, and answers when it has them all: each with its token, and when it came. */
    private String acquire(List<String> names) throws InterruptedException, ExecutionException {
        List<CompletableFuture<WatchedLease>> acquired = new ArrayList<>();
        for (String name : names) {
            acquired.add(engine.acquireAsync(LeaseRequest.of(name).waitAtMost(NO_LIMIT))
                    .thenApply(WatchedLease::new)
                    .toCompletableFuture());
        }
        List<WatchedLease> all = new ArrayList<>();
        for (CompletableFuture<WatchedLease> each : acquired) {
            all.add(keep(each.get()));
        }
        return all.stream().map(WatchedLease::toString).collect(Collectors.joining(" "));
    }

    private String tryToAcquire(String name) throws InterruptedException {
        Acquisition answer = engine.tryAcquire(name);
        if (answer instanceof Acquisition.NotAcquired no) {
            return "refused " + no.refusal().reason();
        }
        return keep(new WatchedLease(answer.orElseThrow())).toString();
    }

    private WatchedLease keep(WatchedLease watched) {
        leases.put(watched.lease().name(), watched);
        return watched;
    }

    /** Answers with the time before. */
    private String close(String name) {
        long beforeNanos = System.nanoTime();
        leases.get(name).close();
        return String.valueOf(beforeNanos);
    }

    /** A transaction of the application, which has inserted a report and not yet asserted anything. */
    private String begin() {
        transaction = client.startSession();
        transaction.startTransaction();
        reports().insertOne(transaction, new Document("how", "begun before"));
        return "begun";
    }

    private String commit(String name) {
        try (ClientSession session = transaction) {
            leases.get(name).lease().assertion().check(session);
            session.commitTransaction();
            return "committed";
        } catch (LeaseNotHeldException e) {
            return "not held";
        } catch (MongoException e) {
            if (e.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL)) {
                return "conflict";
            }
            throw e;
        }
    }

    /** A transaction of the application, from its beginning to its end. */
    private String gated(String name) {
        try (ClientSession session = client.startSession()) {
            leases.get(name)
                    .lease()
                    .inTransaction(session, each -> reports().insertOne(each, new Document("how", "gated")));
            return "committed";
        } catch (LeaseNotHeldException e) {
            return "not held";
        }
    }

    private MongoCollection<Document> reports() {
        return client.getDatabase(database).getCollection("reports");
    }

    /** Nothing is closed. */
    private static String exit() {
        System.exit(0);
        return "gone";
    }
}
