package dev.leasehold.bench.row;

import static dev.leasehold.bench.measure.Quantity.MAX;
import static dev.leasehold.bench.measure.Quantity.P50;
import static dev.leasehold.bench.measure.Quantity.P99;

import dev.leasehold.bench.adapters.Library;
import dev.leasehold.bench.measure.Goal;
import dev.leasehold.bench.measure.Peer;
import dev.leasehold.bench.measure.Quantity;
import dev.leasehold.bench.measure.Sample;
import dev.leasehold.bench.measure.Timings;
import dev.leasehold.bench.process.WorkerProcess;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * From the call that releases a lock in one process to its acquisition by a waiter in another. Both read the monotonic clock of
 * the machine, which is one for all its processes.
 */
final class HandOver implements Row {

    private static final Duration LENGTH = Duration.ofSeconds(30);
    private static final Duration OPENING = Duration.ofMillis(1_200);
    private static final int HEAP_MEGABYTES = 128;
    /** A second has some twenty of them. */
    private static final Duration LEAST_TURN = Duration.ofSeconds(2);

    private static final Duration WARM_UP = Duration.ofSeconds(3);
    private static final double FACTOR = 1.15;
    private static final Library[] CONTESTANTS = {
        Library.SESSION,
        Library.TERM,
        Library.SHEDLOCK,
        Library.FENCED_LOCK,
        Library.ETCD,
        Library.CURATOR,
        Library.REDISSON_FAIR,
        Library.JDBC,
        Library.GRANTED
    };

    @Override
    public Heading heading() {
        return new Heading(
                "hand-over",
                "From a release to the acquisition by a waiter in another process",
                List.of(P50, P99, MAX),
                Quantity.P50,
                Library.ONE_WRITE.title(),
                List.of(Goal.atMost(Library.SESSION.title(), P50, FACTOR, Peer.entrant(Library.ONE_WRITE.title()))));
    }

    @Override
    public void open(Arena arena, Lineup lineup) throws Exception {
        WorkerProcess one = lineup.keep(WorkerProcess.start(arena.place(), HEAP_MEGABYTES));
        WorkerProcess other = lineup.keep(WorkerProcess.start(arena.place(), HEAP_MEGABYTES));
        for (Library library : arena.present(CONTESTANTS)) {
            lineup.add(library.title(), () -> new Relay(library, one, other));
        }
        Library bare = Library.ONE_WRITE;
        lineup.add(bare.title(), () -> new Alone(bare, one, other));
    }

    @Override
    public Duration turn(Plan plan) {
        return Plan.atLeast(LEAST_TURN, plan.duration());
    }

    @Override
    public Duration expected(Plan plan) {
        return plan.expected(CONTESTANTS.length + 1, WARM_UP, turn(plan).plus(OPENING))
                .plusSeconds(2);
    }

    /** What two processes do with some locks after each pause, in turns. */
    private abstract static class AfterPauses extends Entrant {

        static final List<String> NAMES = List.of("baton-0", "baton-1", "baton-2", "baton-3");
        private static final Pause PAUSE = new Pause(120, 180);
        private static final Pause PAUSE_OF_WARM_UP = new Pause(5, 10);

        final String namespace;
        private final Library library;
        private WorkerProcess first;
        private WorkerProcess second;

        AfterPauses(Library library, WorkerProcess first, WorkerProcess second) {
            super(library);
            this.library = library;
            this.namespace = library.namespace("hand-over");
            this.first = first;
            this.second = second;
        }

        @Override
        final void warmUp(Duration duration) throws Exception {
            work(Plan.atLeast(WARM_UP, duration), PAUSE_OF_WARM_UP);
        }

        @Override
        final Sample measure(Duration duration) throws InterruptedException {
            return work(duration, PAUSE);
        }

        private Sample work(Duration duration, Pause pause) throws InterruptedException {
            List<WorkerProcess> both = List.of(first, second);
            WorkerProcess.awaitAll(both, worker -> worker.open(namespace, library, LENGTH));
            try {
                begin(first);
                Sample sample = again(duration, pause);
                end(first);
                return sample;
            } finally {
                WorkerProcess.awaitAll(both, worker -> worker.close(namespace));
            }
        }

        private Sample again(Duration duration, Pause pause) throws InterruptedException {
            Histogram latencies = Timings.newHistogram();
            once(Timings.newHistogram(), pause);
            long startNanos = System.nanoTime();
            do {
                once(latencies, pause);
            } while (System.nanoTime() - startNanos < duration.toNanos());
            return Timings.ofAll(latencies, System.nanoTime() - startNanos);
        }

        private void once(Histogram latencies, Pause pause) throws InterruptedException {
            once(first, second, latencies, pause);
            WorkerProcess former = first;
            first = second;
            second = former;
        }

        abstract void once(WorkerProcess first, WorkerProcess second, Histogram latencies, Pause pause)
                throws InterruptedException;

        void begin(WorkerProcess first) throws InterruptedException {}

        void end(WorkerProcess first) throws InterruptedException {}
    }

    /** Locks that two processes hand to each other. */
    private static final class Relay extends AfterPauses {

        Relay(Library library, WorkerProcess one, WorkerProcess other) {
            super(library, one, other);
        }

        @Override
        void begin(WorkerProcess holder) throws InterruptedException {
            for (String name : NAMES) {
                WorkerProcess.await(holder.acquire(namespace, name));
            }
        }

        @Override
        void once(WorkerProcess holder, WorkerProcess waiter, Histogram latencies, Pause pause)
                throws InterruptedException {
            List<CompletableFuture<Long>> acquired =
                    NAMES.stream().map(name -> waiter.acquire(namespace, name)).toList();
            // Those that watch have settled by then, which takes etcd a tenth of a second; and none that polls is met
            // in step.
            pause.take();
            for (int number = 0; number < NAMES.size(); number++) {
                long releasedNanos = WorkerProcess.await(holder.release(namespace, NAMES.get(number)));
                latencies.recordValue(WorkerProcess.await(acquired.get(number)) - releasedNanos);
            }
        }

        @Override
        void end(WorkerProcess holder) throws InterruptedException {
            for (String name : NAMES) {
                WorkerProcess.await(holder.release(namespace, name));
            }
        }
    }

    /** What the others are compared with: in such a process too, and as rested, since a write after a pause takes longer. */
    private static final class Alone extends AfterPauses {

        Alone(Library library, WorkerProcess one, WorkerProcess other) {
            super(library, one, other);
        }

        @Override
        void once(WorkerProcess at, WorkerProcess resting, Histogram latencies, Pause pause)
                throws InterruptedException {
            pause.take();
            for (String name : NAMES) {
                latencies.recordValue(WorkerProcess.await(at.pairNanos(namespace, name)));
            }
        }
    }

    /** Of a length that is drawn each time. */
    private record Pause(long leastMillis, long greatestMillis) {

        void take() throws InterruptedException {
            TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextLong(leastMillis, greatestMillis));
        }
    }
}
