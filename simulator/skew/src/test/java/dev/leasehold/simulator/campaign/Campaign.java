package dev.leasehold.simulator.campaign;

import dev.leasehold.replicaset.ReplicaSet;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.simulator.history.Event;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Processes that compete for leases while faults happen. */
final class Campaign {

    static final List<String> LEASES = List.of("red", "orange", "yellow", "green", "blue", "violet");

    private static final int PROCESSES = 4;
    private static final Path FOLDER = Path.of("target", "campaign");

    /** What came of it. */
    record Course(List<Fault> faults, List<Event> journals, List<Event.Committed> commits) {}

    private final ReplicaSet set;
    private final TestDatabase database;
    private final long seed;
    private final Duration faultTime;

    /**
     * Prepares one.
     *
     * @param faultTime how long new faults begin; it takes longer if that is not enough for each kind
     */
    Campaign(ReplicaSet set, TestDatabase database, long seed, Duration faultTime) {
        this.set = set;
        this.database = database;
        this.seed = seed;
        this.faultTime = faultTime;
    }

    /** Returns when all faults are undone and all processes have ended, whatever happens. */
    Course run() throws IOException, InterruptedException, ExecutionException {
        emptyFolder();
        SplittableRandom random = new SplittableRandom(seed);
        try (ChangeHistory history = new ChangeHistory(database.database());
                Contenders contenders = new Contenders(database, FOLDER, LEASES, random.split())) {
            contenders.start(PROCESSES);
            List<Fault> faults = doFaults(new Faults(set, contenders), random);
            return new Course(faults, contenders.stop(), history.untilNow());
        }
    }

    private static void emptyFolder() throws IOException {
        Files.createDirectories(FOLDER);
        try (DirectoryStream<Path> former = Files.newDirectoryStream(FOLDER)) {
            for (Path file : former) {
                Files.delete(file);
            }
        }
    }

    private List<Fault> doFaults(Faults faults, SplittableRandom random)
            throws IOException, InterruptedException, ExecutionException {
        long endNanos = System.nanoTime() + faultTime.toNanos();
        FaultPlan ofServers = new FaultPlan(random.split(), FaultKind.OF_SERVERS);
        FaultPlan ofProcesses = new FaultPlan(random.split(), FaultKind.OF_PROCESSES);
        ExecutorService lanes = Executors.newFixedThreadPool(2);
        try (PrintStream log = new PrintStream(FOLDER.resolve("faults").toFile(), StandardCharsets.UTF_8)) {
            List<Fault> happened = new ArrayList<>();
            for (Future<List<Fault>> lane : lanes.invokeAll(List.of(
                    new FaultLane(ofServers, faults, endNanos, log),
                    new FaultLane(ofProcesses, faults, endNanos, log)))) {
                happened.addAll(lane.get());
            }
            return happened;
        } finally {
            lanes.shutdownNow();
        }
    }
}
