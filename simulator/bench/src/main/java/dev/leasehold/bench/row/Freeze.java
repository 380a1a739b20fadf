package dev.leasehold.bench.row;

import static dev.leasehold.bench.measure.Quantity.MAX;
import static dev.leasehold.bench.measure.Quantity.P50;

import com.mongodb.client.MongoClient;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import dev.leasehold.bench.measure.Goal;
import dev.leasehold.bench.measure.Quantity;
import dev.leasehold.bench.measure.Rival;
import dev.leasehold.bench.measure.Role;
import dev.leasehold.bench.measure.Sample;
import dev.leasehold.bench.measure.Timings;
import dev.leasehold.bench.process.WorkerProcess;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * From the end of a process in the midst of a transaction to the next write of what it had written. An engine has the server end
 * such a transaction; the bare driver leaves that to the server's own limit.
 */
final class Freeze implements Row {

    private static final String RESCUED = "Leasehold: term claim in the frozen namespace";
    private static final String LEFT_ALONE = "bare driver: write of the frozen document";
    private static final int HEAP_MEGABYTES = 64;
    private static final int FROZEN_EACH = 3;
    private static final double LONGEST_NANOS = 3e9;
    private static final Duration SERVER_LIMIT = Duration.ofSeconds(92);
    private static final Duration STAGGER = Duration.ofSeconds(4);

    @Override
    public Heading heading() {
        return new Heading(
                "freeze",
                "From the end of a process inside a transaction to the next write of the same document",
                List.of(P50, MAX),
                Quantity.MAX,
                LEFT_ALONE,
                List.of(Goal.atMost(RESCUED, MAX, 1, Rival.fixed(LONGEST_NANOS))));
    }

    @Override
    public void open(Arena arena, Lineup lineup) throws InterruptedException {
        lineup.add(LEFT_ALONE, () -> lineup.keep(new LeftAlone(arena)));
        lineup.add(RESCUED, () -> lineup.keep(new Rescued(arena)));
    }

    @Override
    public Duration expected(Plan plan) {
        return SERVER_LIMIT.plus(STAGGER.multipliedBy(plan.rounds()));
    }

    /** An engine that finds its namespace frozen, again and again. */
    private static final class Rescued extends NamedEntrant implements AutoCloseable {

        private static final String NAMESPACE = "freeze";
        private static final Duration TERM = Duration.ofSeconds(30);

        private final Arena arena;
        private final MongoClient client;
        private final LeaseEngine engine;
        private long claims;

        Rescued(Arena arena) {
            super(RESCUED, Role.OURS, "the claim is tried again until it is granted");
            this.arena = arena;
            this.client = arena.access().newClient();
            this.engine = LeaseEngine.builder(client)
                    .database(arena.place().database())
                    .namespace(NAMESPACE)
                    .build();
        }

        @Override
        public void warmUp(Duration duration) throws InterruptedException {
            claim();
        }

        @Override
        public Sample measure(Duration duration) throws Exception {
            Histogram latencies = Timings.newHistogram();
            long startNanos = System.nanoTime();
            for (int number = 0; number < FROZEN_EACH; number++) {
                long killedNanos = freeze();
                claim();
                latencies.recordValue(System.nanoTime() - killedNanos);
            }
            return new Timings(latencies, System.nanoTime() - startNanos);
        }

        private long freeze() throws IOException, InterruptedException {
            try (WorkerProcess worker = WorkerProcess.start(arena.place(), HEAP_MEGABYTES)) {
                WorkerProcess.await(worker.stopInClaim(NAMESPACE));
                return worker.kill();
            }
        }

        private void claim() throws InterruptedException {
            claims++;
            while (true) {
                try {
                    engine.claim("claim-" + claims, "benchmark", TERM).orElseThrow();
                    return;
                } catch (LeaseException e) {
                    // Frozen still. It is not carried out, or held by the same holder; either way another name is as good.
                    claims++;
                }
            }
        }

        @Override
        public void close() {
            engine.close();
            client.close();
        }
    }

    /** Documents that nobody can write until the server's limit is over, one for each round, all waited for in the background. */
    private static final class LeftAlone extends NamedEntrant implements AutoCloseable {

        private final Arena arena;
        private final List<CompletableFuture<Long>> tookNanos = new ArrayList<>();
        private final ExecutorService threads = Executors.newCachedThreadPool();
        private int measured;

        LeftAlone(Arena arena) {
            super(LEFT_ALONE, Role.BARE, "transactionLifetimeLimitSeconds of the server is 60, and is looked after every 30 s");
            this.arena = arena;
        }

        /** All begin here, some seconds apart, so that not all of them meet the server at the same point of its period. */
        @Override
        public void warmUp(Duration duration) {
            for (int number = 0; number < FROZEN_EACH; number++) {
                // A transaction that makes the collection would freeze the others' documents too.
                write(arena.client(), number);
            }
            for (int number = 0; number < FROZEN_EACH; number++) {
                int document = number;
                tookNanos.add(CompletableFuture.supplyAsync(() -> thaw(document), threads));
            }
        }

        private long thaw(int number) {
            try (MongoClient client = arena.access().newClient();
                    WorkerProcess worker = WorkerProcess.start(arena.place(), HEAP_MEGABYTES)) {
                TimeUnit.MILLISECONDS.sleep(STAGGER.toMillis() * number);
                WorkerProcess.await(worker.stopInTransaction("document-" + number));
                long killedNanos = worker.kill();
                write(client, number);
                return System.nanoTime() - killedNanos;
            } catch (IOException e) {
                throw new IllegalStateException("no process could be started", e);
            } catch (InterruptedException e) {
                throw new IllegalStateException("the thread was interrupted", e);
            }
        }

        private void write(MongoClient client, int number) {
            client.getDatabase(arena.place().database())
                    .getCollection("frozen")
                    .updateOne(Filters.eq("document-" + number), Updates.inc("count", 1L), new UpdateOptions().upsert(true));
        }

        @Override
        public Sample measure(Duration duration) throws InterruptedException {
            long took = WorkerProcess.await(tookNanos.get(measured % FROZEN_EACH));
            measured++;
            Histogram latencies = Timings.newHistogram();
            latencies.recordValue(took);
            return new Timings(latencies, took);
        }

        @Override
        public void close() {
            threads.shutdownNow();
        }
    }
}
