package dev.leasehold.bench.row;

import static dev.leasehold.bench.measure.Quantity.MAX;
import static dev.leasehold.bench.measure.Quantity.P50;

import dev.leasehold.bench.adapters.Library;
import dev.leasehold.bench.measure.Goal;
import dev.leasehold.bench.measure.Peer;
import dev.leasehold.bench.measure.Quantity;
import dev.leasehold.bench.measure.Sample;
import dev.leasehold.bench.measure.Timings;
import dev.leasehold.bench.process.WorkerProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** From the end of a process that held a lock, without a word, to the acquisition by a waiter in another. */
final class Kill implements Row {

    private static final Duration LENGTH = Duration.ofSeconds(3);
    private static final Duration LENGTH_BEFORE = Duration.ofSeconds(30);
    private static final int HOLDERS = 3;
    private static final int HEAP_MEGABYTES = 64;
    private static final int SECONDS_EACH = 6;
    /** By the default drift of 1000 ppm, on both sides. */
    private static final double DRIFT_FACTOR = 1.001 / 0.999;

    private static final double ALLOWED_NANOS = 150e6;
    private static final Library[] CONTESTANTS = {Library.SESSION, Library.SHEDLOCK, Library.FENCED_LOCK, Library.ETCD};

    @Override
    public Heading heading() {
        double longestNanos = LENGTH.toNanos() * DRIFT_FACTOR + ALLOWED_NANOS;
        return new Heading(
                "kill",
                "From the end of the holder's process to the next acquisition; sessions of " + LENGTH.toSeconds()
                        + " s",
                List.of(P50, MAX),
                Quantity.MAX,
                "",
                List.of(Goal.atMost(Library.SESSION.title(), MAX, 1, Peer.fixed(longestNanos))));
    }

    @Override
    public void open(Arena arena, Lineup lineup) throws Exception {
        WorkerProcess waiter = lineup.keep(WorkerProcess.start(arena.place(), 2 * HEAP_MEGABYTES));
        for (Library library : arena.present(CONTESTANTS)) {
            lineup.add(library.title(), () -> new Succession(arena, library, waiter));
        }
    }

    @Override
    public Duration expected(Plan plan) {
        return Duration.ofSeconds((long) SECONDS_EACH * CONTESTANTS.length * plan.rounds());
    }

    /** Holders that are killed, and one that waits for what they held. */
    private static final class Succession extends Entrant {

        private final Arena arena;
        private final Library library;
        private final WorkerProcess waiter;
        private final String namespace;
        private int turn;

        Succession(Arena arena, Library library, WorkerProcess waiter) {
            super(library);
            this.arena = arena;
            this.library = library;
            this.waiter = waiter;
            this.namespace = library.namespace("kill");
        }

        @Override
        void warmUp(Duration duration) throws InterruptedException {
            acquaint(List.of(waiter));
        }

        /** A library that keeps locks for seconds allows less than that for the first answer, which is little in a process that has just begun. */
        private void acquaint(List<WorkerProcess> workers) throws InterruptedException {
            String before = namespace + "-before";
            WorkerProcess.awaitAll(workers, worker -> worker.open(before, library, LENGTH_BEFORE));
            for (WorkerProcess worker : workers) {
                WorkerProcess.await(worker.acquire(before, name(0)));
                WorkerProcess.await(worker.release(before, name(0)));
            }
            WorkerProcess.awaitAll(workers, worker -> worker.close(before));
        }

        @Override
        Sample measure(Duration duration) throws Exception {
            turn++;
            List<WorkerProcess> holders = new ArrayList<>();
            WorkerProcess.await(waiter.open(namespace, library, LENGTH));
            try {
                for (int number = 0; number < HOLDERS; number++) {
                    holders.add(WorkerProcess.start(arena.place(), HEAP_MEGABYTES));
                }
                acquaint(holders);
                WorkerProcess.awaitAll(holders, holder -> holder.open(namespace, library, LENGTH));
                return killAll(holders);
            } finally {
                for (WorkerProcess holder : holders) {
                    holder.kill();
                }
                WorkerProcess.await(waiter.close(namespace));
            }
        }

        private Sample killAll(List<WorkerProcess> holders) throws InterruptedException {
            List<CompletableFuture<Long>> acquired = new ArrayList<>();
            for (int number = 0; number < HOLDERS; number++) {
                WorkerProcess.await(holders.get(number).acquire(namespace, name(number)));
                acquired.add(waiter.acquire(namespace, name(number)));
            }
            List<Long> killedNanos = new ArrayList<>();
            for (WorkerProcess holder : holders) {
                // At any moment between two signs of life.
                TimeUnit.MILLISECONDS.sleep(
                        ThreadLocalRandom.current().nextLong(LENGTH.toMillis() / (HOLDERS * HOLDERS)));
                killedNanos.add(holder.kill());
            }
            return successions(acquired, killedNanos);
        }

        private Sample successions(List<CompletableFuture<Long>> acquired, List<Long> killedNanos)
                throws InterruptedException {
            Histogram latencies = Timings.newHistogram();
            for (int number = 0; number < HOLDERS; number++) {
                long tookNanos = WorkerProcess.await(acquired.get(number)) - killedNanos.get(number);
                // A lock that ran out under its holder's hands is free before the holder is dead.
                latencies.recordValue(Math.max(0, tookNanos));
                WorkerProcess.await(waiter.release(namespace, name(number)));
            }
            return Timings.ofAll(latencies, System.nanoTime() - killedNanos.get(0));
        }

        private String name(int number) {
            return "turn-" + turn + "-" + number;
        }
    }
}
