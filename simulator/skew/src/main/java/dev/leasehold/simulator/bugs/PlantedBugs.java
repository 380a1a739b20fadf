package dev.leasehold.simulator.bugs;

import static dev.leasehold.simulator.bugs.Change.in;
import static dev.leasehold.simulator.bugs.PlantedBug.bug;
import static dev.leasehold.simulator.check.Promise.G5;
import static dev.leasehold.simulator.plan.Profile.CALM;

import dev.leasehold.simulator.bugs.mistakes.TenureMistakes;
import java.util.List;
import java.util.stream.Stream;

/** The table of planted bugs. */
public final class PlantedBugs {

    private static final PlantedBug CANARY = bug("canary", "The token stands still.")
            .killedBy(G5)
            .within(50, CALM)
            .by(in("engine.protocol.Writes", "following").insteadOf("addExact", TenureMistakes.class, "first"));

    private static final List<PlantedBug> ALL = Stream.of(
                    BoundBugs.all(),
                    WriterBugs.all(),
                    TenureBugs.all(),
                    PartitionBugs.all(),
                    BeliefBugs.all(),
                    AnswerBugs.all(),
                    AssertionBugs.all(),
                    HandleBugs.all(),
                    EffortBugs.all(),
                    PastBugs.all())
            .flatMap(List::stream)
            .toList();

    private PlantedBugs() {}

    /** All of them, without the canary. */
    public static List<PlantedBug> all() {
        return ALL;
    }

    /** A mistake that nobody could miss: as long as it is found, the judges are awake. */
    public static PlantedBug canary() {
        return CANARY;
    }

    /**
     * That of a name, the canary too.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static PlantedBug named(String name) {
        return Stream.concat(Stream.of(CANARY), ALL.stream())
                .filter(bug -> bug.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "bug '" + name + "' is refused: it must be one of those that the command 'bugs' lists"));
    }
}
