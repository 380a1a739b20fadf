package dev.leasehold.bench.row;

import com.mongodb.client.MongoClient;
import dev.leasehold.bench.measure.Role;
import dev.leasehold.bench.measure.Sample;
import dev.leasehold.bench.measure.Timings;
import dev.leasehold.bench.process.WorkerProcess;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseException;
import java.io.IOException;
import java.time.Duration;
import org.HdrHistogram.Histogram;

/** An engine that finds its namespace frozen, again and again. */
final class FrozenNamespace extends Entrant implements AutoCloseable {

    static final String NAME = "Leasehold: term claim in the frozen namespace";

    private static final String NAMESPACE = "freeze";
    private static final int HEAP_MEGABYTES = 64;
    private static final int FROZEN_EACH = 3;
    private static final Duration TERM = Duration.ofSeconds(30);

    private final Arena arena;
    private final MongoClient client;
    private final LeaseEngine engine;
    private long claims;

    FrozenNamespace(Arena arena) {
        super(NAME, Role.OURS, "repeated until it is granted");
        this.arena = arena;
        this.client = arena.access().newClient();
        this.engine = arena.place().newEngine(client, NAMESPACE);
    }

    @Override
    void warmUp(Duration duration) throws InterruptedException {
        claim();
    }

    @Override
    Sample measure(Duration duration) throws Exception {
        Histogram latencies = Timings.newHistogram();
        long startNanos = System.nanoTime();
        for (int number = 0; number < FROZEN_EACH; number++) {
            long killedNanos = freeze();
            claim();
            latencies.recordValue(System.nanoTime() - killedNanos);
        }
        return Timings.ofAll(latencies, System.nanoTime() - startNanos);
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
                engine.tenures().claim("claim-" + claims, "benchmark", TERM).orElseThrow();
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
