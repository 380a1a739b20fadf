package dev.leasehold.simulator.bugs;

import static dev.leasehold.simulator.bugs.Change.in;
import static dev.leasehold.simulator.bugs.PlantedBug.bug;
import static dev.leasehold.simulator.check.Promise.T2;
import static dev.leasehold.simulator.plan.Profile.SWARM;

import dev.leasehold.simulator.bugs.mistakes.PartitionMistakes;
import java.util.List;

/** Mistakes about in which partition a lease lies. */
final class PartitionBugs {

    private PartitionBugs() {}

    static List<PlantedBug> all() {
        return List.of(
                bug("partition-by-own-hash", "Each engine draws the partition of a lease from a hash of its own.")
                        .killedBy(T2)
                        .within(500, SWARM)
                        .by(in("engine.client.Partitions", "indexOf").advisedBy(PartitionMistakes.OwnHash.class)),
                bug(
                                "partitions-not-compared",
                                "An engine starts with the number of partitions that it was built for, whatever the namespace has.")
                        .killedBy(T2)
                        .within(500, SWARM)
                        .by(
                                in("simulator.run.Service", "settings").advisedBy(PartitionMistakes.OneMore.class),
                                in("simulator.store.StoreReads", "isForAsMany")
                                        .advisedBy(PartitionMistakes.AnyNumber.class),
                                in("simulator.store.ClockStatements$Alone", "isForAsMany")
                                        .advisedBy(PartitionMistakes.AnyNumber.class)));
    }
}
