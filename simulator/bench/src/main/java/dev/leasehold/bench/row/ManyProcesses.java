package dev.leasehold.bench.row;

import static dev.leasehold.bench.measure.Quantity.MAX;
import static dev.leasehold.bench.measure.Quantity.P50;
import static dev.leasehold.bench.measure.Quantity.P99;
import static dev.leasehold.bench.measure.Quantity.PROCESSOR;
import static dev.leasehold.bench.measure.Quantity.RATE;
import static dev.leasehold.bench.measure.Quantity.THREAD_WAITS;

import dev.leasehold.bench.adapters.Library;
import dev.leasehold.bench.adapters.PairLoop.Count;
import dev.leasehold.bench.adapters.Turn;
import dev.leasehold.bench.measure.Goal;
import dev.leasehold.bench.measure.Peer;
import dev.leasehold.bench.measure.Quantity;
import dev.leasehold.bench.measure.Role;
import dev.leasehold.bench.measure.Sample;
import dev.leasehold.bench.measure.Timings;
import dev.leasehold.bench.process.WorkerProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Processes, or one, each with a caller, on leases of their own or on one, all in one namespace. */
final class ManyProcesses implements Row {

    private static final Duration LENGTH = Duration.ofSeconds(30);
    private static final Duration OPENING = Duration.ofMillis(1_500);
    /** So many processes on few cores come to little in a second. */
    private static final Duration LEAST_TURN = Duration.ofSeconds(4);

    private static final Duration LEAST_WARM_UP = Duration.ofSeconds(16);
    /** Here they work one after the other, and get on faster. */
    private static final Duration LEAST_WARM_UP_OF_ONE_LEASE = Duration.ofSeconds(8);

    private static final int HEAP_MEGABYTES = 64;
    /** Of a pair, against the bare one, whose processor time the driver needs for its two commands. */
    private static final double PROCESSOR_FACTOR = 1.23;
    /** Two of them for the answers of the database. */
    private static final double THREAD_WAITS_OF_A_PAIR = 4;

    private static final double RATE_OF_TRANSACTIONS = 250;
    private static final double LONGEST_TRANSACTION_NANOS = 300e6;
    private static final double GAIN_OF_PARTITIONS = 3;

    private final Heading heading;
    private final Count count;
    private final Library[] contestants;
    private final int processes;
    private final boolean isShared;

    private ManyProcesses(Heading heading, Count count, int processes, boolean isShared, Library... contestants) {
        this.heading = heading;
        this.count = count;
        this.processes = processes;
        this.isShared = isShared;
        this.contestants = contestants;
    }

    /** What the library costs a service that is warm, for which nothing else is on the machine. */
    static ManyProcesses ofOne() {
        String ours = Library.SESSION.title();
        String pair = Library.TWO_WRITES.title();
        return new ManyProcesses(
                new Heading(
                        "process-session",
                        "One caller in a process of its own, session leases",
                        List.of(P50, P99, RATE, PROCESSOR, THREAD_WAITS),
                        Quantity.PROCESSOR,
                        pair,
                        List.of(
                                Goal.atMost(ours, PROCESSOR, PROCESSOR_FACTOR, Peer.entrant(pair)),
                                Goal.atMost(ours, THREAD_WAITS, 1, Peer.fixed(THREAD_WAITS_OF_A_PAIR)))),
                Count.PAIRS,
                1,
                false,
                Library.SESSION,
                Library.TWO_WRITES);
    }

    static ManyProcesses withSessions(int processes) {
        String ours = Library.SESSION.title();
        return new ManyProcesses(
                new Heading(
                        "processes-session",
                        processes + " processes, session leases",
                        List.of(P50, P99, MAX, RATE, PROCESSOR, THREAD_WAITS),
                        Quantity.RATE,
                        Library.ONE_WRITE.title(),
                        List.of(
                                Goal.atLeast(ours, RATE, 1, Peer.bestPeer(false)),
                                Goal.atLeast(ours, RATE, 1, Peer.bestPeer(true)),
                                Goal.atMost(ours, P99, 1, Peer.bestPeer(false)),
                                Goal.atLeast(ours, RATE, 1, Peer.entrant(Library.TWO_WRITES.title())))),
                Count.PAIRS,
                processes,
                false,
                Library.SESSION,
                Library.SHEDLOCK,
                Library.FENCED_LOCK,
                Library.ETCD,
                Library.REDISSON,
                Library.JDBC,
                Library.ONE_WRITE,
                Library.TWO_WRITES);
    }

    static ManyProcesses onOneLease(int processes) {
        return new ManyProcesses(
                OneProcess.headingOfOneLease("one-lease-processes", processes + " processes, all with the same lease"),
                Count.PAIRS,
                processes,
                true,
                OneProcess.OF_ONE_LEASE);
    }

    /** Each acquisition and each release is a transaction, and is counted as one. */
    static ManyProcesses withTerms(int processes) {
        String ours = Library.TERM.title();
        String parted = Library.TERM_IN_PARTITIONS.title();
        return new ManyProcesses(
                new Heading(
                        "processes-term",
                        processes + " processes, term leases: transactions on one clock document, and on several",
                        List.of(P50, P99, MAX, RATE),
                        Quantity.RATE,
                        Library.TRANSACTION.title(),
                        List.of(
                                Goal.atLeast(ours, RATE, 1, Peer.fixed(RATE_OF_TRANSACTIONS)),
                                Goal.atMost(ours, P99, 1, Peer.fixed(LONGEST_TRANSACTION_NANOS)),
                                Goal.atLeast(parted, RATE, GAIN_OF_PARTITIONS, Peer.entrant(ours)))),
                Count.PARTS,
                processes,
                false,
                Library.TERM,
                Library.TERM_IN_PARTITIONS,
                Library.TRANSACTION);
    }

    @Override
    public Heading heading() {
        return heading;
    }

    @Override
    public void open(Arena arena, Lineup lineup) throws Exception {
        List<WorkerProcess> workers = new ArrayList<>();
        for (int number = 0; number < processes; number++) {
            workers.add(lineup.keep(WorkerProcess.start(arena.place(), HEAP_MEGABYTES)));
        }
        for (Library library : arena.present(contestants)) {
            lineup.add(library.title(), () -> new Crowd(library, workers));
        }
    }

    @Override
    public Duration turn(Plan plan) {
        return Plan.atLeast(LEAST_TURN, plan.duration());
    }

    @Override
    public Duration expected(Plan plan) {
        Duration turn = turn(plan);
        Duration warmUp = Plan.atLeast(leastWarmUp(), turn);
        return plan.expected(contestants.length, warmUp.plus(OPENING), turn.plus(OPENING))
                .plusSeconds(processes / 2);
    }

    private Duration leastWarmUp() {
        return isShared ? LEAST_WARM_UP_OF_ONE_LEASE : LEAST_WARM_UP;
    }

    /** The same library in all processes. It is open only in its turn: an idle one must not cost the others. */
    private final class Crowd extends Entrant {

        private static final Duration START = Duration.ofMillis(200);
        private static final Duration SETTLING = Duration.ofMillis(500);

        private final Library library;
        private final List<WorkerProcess> workers;
        private final String namespace;

        Crowd(Library library, List<WorkerProcess> workers) {
            super(library);
            this.library = library;
            this.workers = workers;
            this.namespace = library.namespace(heading.name());
        }

        /** So many processes share the cores that all of them are cold for seconds, and those with more code for longer than others. */
        @Override
        void warmUp(Duration duration) throws InterruptedException {
            measure(Plan.atLeast(leastWarmUp(), duration));
        }

        @Override
        Sample measure(Duration duration) throws InterruptedException {
            WorkerProcess.awaitAll(workers, worker -> worker.open(namespace, library, LENGTH));
            try {
                return pairs(duration);
            } finally {
                WorkerProcess.awaitAll(workers, worker -> worker.close(namespace));
            }
        }

        private Sample pairs(Duration duration) throws InterruptedException {
            Turn turn = Turn.from(System.nanoTime() + START.toNanos(), SETTLING, duration);
            List<CompletableFuture<Timings>> running = new ArrayList<>();
            for (int number = 0; number < workers.size(); number++) {
                WorkerProcess worker = workers.get(number);
                String name = isShared ? "shared" : "process-" + number + "-";
                running.add(worker.pairs(namespace, name, isShared, count(), turn));
            }
            List<Timings> timings = new ArrayList<>();
            for (CompletableFuture<Timings> each : running) {
                timings.add(WorkerProcess.await(each));
            }
            return Timings.sum(timings).sample();
        }

        /** What is bare has nothing to release: that must not count as an operation that took no time. */
        private Count count() {
            return role() == Role.BARE ? Count.PAIRS : count;
        }
    }
}
