package dev.leasehold.bench.row;

import com.mongodb.client.MongoClient;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import dev.leasehold.bench.measure.Role;
import dev.leasehold.bench.measure.Sample;
import dev.leasehold.bench.measure.Timings;
import dev.leasehold.bench.process.WorkerProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** Documents that cannot be written until the server's limit is over, one for each round, all waited for in the background. */
final class FrozenDocuments extends Entrant implements AutoCloseable {

    static final String NAME = "bare driver: write of the frozen document";
    static final Duration STAGGER = Duration.ofSeconds(4);

    private static final int HEAP_MEGABYTES = 64;

    private final Arena arena;
    private final int rounds;
    private final List<CompletableFuture<Long>> tookNanos = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private int measured;

    FrozenDocuments(Arena arena, int rounds) {
        super(NAME, Role.BARE, "the server ends transactions after 60 s, and looks every 30 s");
        this.arena = arena;
        this.rounds = rounds;
    }

    /** All begin here, some seconds apart, so that not all of them meet the server at the same point of its period. */
    @Override
    void warmUp(Duration duration) {
        for (int number = 0; number < rounds; number++) {
            // A transaction that makes the collection would freeze the others' documents too.
            write(arena.client(), number);
        }
        for (int number = 0; number < rounds; number++) {
            int document = number;
            tookNanos.add(CompletableFuture.supplyAsync(() -> thawInTime(document), threads));
        }
    }

    private long thawInTime(int number) {
        try {
            TimeUnit.MILLISECONDS.sleep(STAGGER.toMillis() * number);
            return thaw(number);
        } catch (IOException e) {
            throw new IllegalStateException("no process could be started", e);
        } catch (InterruptedException e) {
            throw new IllegalStateException("the thread was interrupted", e);
        }
    }

    private long thaw(int number) throws IOException, InterruptedException {
        try (MongoClient client = arena.access().newClient();
                WorkerProcess worker = WorkerProcess.start(arena.place(), HEAP_MEGABYTES)) {
            WorkerProcess.await(worker.stopInTransaction("document-" + number));
            long killedNanos = worker.kill();
            write(client, number);
            return System.nanoTime() - killedNanos;
        }
    }

    private void write(MongoClient client, int number) {
        client.getDatabase(arena.place().database())
                .getCollection("frozen")
                .updateOne(
                        Filters.eq("document-" + number), Updates.inc("count", 1L), new UpdateOptions().upsert(true));
    }

    @Override
    Sample measure(Duration duration) throws InterruptedException {
        long took = WorkerProcess.await(tookNanos.get(measured));
        measured++;
        Histogram latencies = Timings.newHistogram();
        latencies.recordValue(took);
        return Timings.ofAll(latencies, took);
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
