package dev.leasehold.examples.quickstart;

import dev.leasehold.examples.story.Narrator;
import dev.leasehold.replicaset.ReplicaSet;
import dev.leasehold.replicaset.TestDatabase;
import java.io.PrintStream;
import java.time.Duration;

/**
 * Two services whose clocks disagree by minutes pass one lease to each other in a real MongoDB, and one of them is frozen past
 * the end of its session. Ends by itself, and with an exception if anything happens otherwise than told.
 */
public final class Quickstart {

    private static final Duration FAST = Duration.ofMinutes(4);
    private static final Duration SLOW = Duration.ofMinutes(-3);

    private Quickstart() {}

    /**
     * Tells the story on a replica set of its own.
     *
     * @param arguments not looked at
     * @throws InterruptedException if the thread was interrupted
     */
    public static void main(String[] arguments) throws InterruptedException {
        System.out.println("Looking for a MongoDB to run on ...");
        try (ReplicaSet set = ReplicaSet.start(1)) {
            tell(set, System.out);
        }
    }

    /** Tells the story on a replica set that is there. */
    static void tell(ReplicaSet set, PrintStream out) throws InterruptedException {
        try (TestDatabase database = set.newDatabase();
                OrderService north = new OrderService("north", FAST, database);
                OrderService south = new OrderService("south", SLOW, database);
                ServiceThreads threads = new ServiceThreads()) {
            new Story(north, south, threads, new StoredDocuments(database), new Narrator(out)).tell();
        }
    }
}
