package dev.leasehold.simulator.campaign;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.simulator.campaign.Worker.ProcessContext;
import dev.leasehold.simulator.history.Operation;
import dev.leasehold.simulator.history.Operation.Kind;
import dev.leasehold.simulator.run.Answers;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A process of a campaign: an engine on the system's clock with a client of its own, and workers. Its journal goes to its
 * standard output. It works until a line comes in, and goes at once when its parent is gone.
 */
final class Contender {

    static final String NAMESPACE = "campaign";
    static final String COLLECTION = "leases";
    static final String READY = "ready";

    static final Duration SESSION = Duration.ofSeconds(3);
    static final Duration OPERATION_BUDGET = Duration.ofMillis(2_500);
    static final Duration COMMAND_BUDGET = Duration.ofMillis(1_500);
    /** What an engine's clock shows is known from outside but for this. */
    static final long CLOCK_ERROR_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private static final int WORKERS = 3;
    private static final int PATIENCE_SECONDS = 60;
    private static final int PARENT_GONE = 3;
    private static final int THREAD_FAILED = 4;

    private Contender() {}

    /** What it is told at its start: a URI with the database, its name, a seed, and the leases with commas in between. */
    private record Orders(ConnectionString uri, String name, long seed, List<String> leases) {

        static Orders of(String[] arguments) {
            return new Orders(
                    new ConnectionString(arguments[0]),
                    arguments[1],
                    Long.parseLong(arguments[2]),
                    List.of(arguments[3].split(",")));
        }

        String database() {
            return uri.getDatabase();
        }
    }

    public static void main(String[] arguments) throws Exception {
        PrintStream lines = System.out;
        // Whatever logs to the console must not come between the lines.
        System.setOut(System.err);
        endWithTheFirstThreadThatFails();
        CompletableFuture<String> end = order();
        Orders orders = Orders.of(arguments);
        Journal journal = new Journal(ProcessName.of(orders.name()), lines);
        try (MongoClient client = MongoClients.create(settings(orders.uri()))) {
            LeaseEngine engine = start(client, orders, journal);
            lines.println(READY);
            work(client, engine, journal, orders, end);
            int close = journal.called(new Operation(Kind.CLOSE_ENGINE, null, null, null, 0, false));
            engine.close();
            journal.answered(close, Answers.DONE);
            journal.stopped();
        }
    }

    private static MongoClientSettings settings(ConnectionString uri) {
        return MongoClientSettings.builder()
                .applyConnectionString(uri)
                .applyToClusterSettings(cluster -> cluster.serverSelectionTimeout(3, TimeUnit.SECONDS))
                .applyToServerSettings(server -> server.heartbeatFrequency(500, TimeUnit.MILLISECONDS))
                .applyToSocketSettings(
                        socket -> socket.connectTimeout(1, TimeUnit.SECONDS).readTimeout(2, TimeUnit.SECONDS))
                .build();
    }

    /** A process that comes in the midst of a fault has to try more than once. */
    private static LeaseEngine start(MongoClient client, Orders orders, Journal journal) {
        while (true) {
            Instant wall = Instant.now();
            long nanos = System.nanoTime();
            try {
                LeaseEngine engine = LeaseEngine.builder(client)
                        .database(orders.database())
                        .collection(COLLECTION)
                        .namespace(NAMESPACE)
                        .instance(orders.name())
                        .operationBudget(OPERATION_BUDGET)
                        .commandBudget(COMMAND_BUDGET)
                        .sessionLength(SESSION)
                        .build();
                journal.started(nanos, TimeUnit.SECONDS.toNanos(wall.getEpochSecond()) + wall.getNano());
                return engine;
            } catch (LeaseUnavailableException e) {
                // Waited for the operation budget already.
            }
        }
    }

    private static void work(
            MongoClient client, LeaseEngine engine, Journal journal, Orders orders, CompletableFuture<String> end)
            throws InterruptedException, ExecutionException, TimeoutException {
        GatedWork work = new GatedWork(client.getDatabase(orders.database()));
        CompletableFuture<Void> allResolved;
        try (ValidityWatch validities = new ValidityWatch(engine, journal)) {
            Questions questions = new Questions(engine, journal, validities);
            contend(
                    new ProcessContext(engine, client, work, questions, validities, journal, orders.leases()),
                    orders.name(),
                    new SplittableRandom(orders.seed()),
                    end);
            allResolved = questions.allResolved();
        }
        allResolved.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    private static void contend(
            ProcessContext process, String name, SplittableRandom random, CompletableFuture<String> end)
            throws InterruptedException {
        List<Worker> workers = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int number = 1; number <= WORKERS; number++) {
            String holder = name + "." + number;
            workers.add(new Worker(process, holder, random.split()));
            threads.add(new Thread(workers.get(number - 1), holder));
        }
        RingMember member = new RingMember(process, name + ".ring", random.split());
        threads.add(new Thread(member, name + ".ring"));
        threads.forEach(Thread::start);
        end.join();
        workers.forEach(Worker::stop);
        member.stop();
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** Completes with the first line. When there are no more lines, the process that started this one is gone. */
    private static CompletableFuture<String> order() {
        CompletableFuture<String> order = new CompletableFuture<>();
        startDaemon(() -> {
            BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            lines.lines().forEach(order::complete);
            Runtime.getRuntime().halt(PARENT_GONE);
        });
        return order;
    }

    private static void startDaemon(Runnable task) {
        Thread thread = new Thread(task, "orders");
        thread.setDaemon(true);
        thread.start();
    }

    /** A thread that died unnoticed would make the campaign easier than it claims to be. */
    private static void endWithTheFirstThreadThatFails() {
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {
            failure.printStackTrace();
            Runtime.getRuntime().halt(THREAD_FAILED);
        });
    }
}
