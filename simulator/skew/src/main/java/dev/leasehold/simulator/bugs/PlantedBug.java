package dev.leasehold.simulator.bugs;

import dev.leasehold.simulator.check.Promise;
import dev.leasehold.simulator.plan.Profile;
import java.util.List;

/**
 * A mistake that an author of the engine could make, planted into a copy of it, to see that the judges find it.
 *
 * @param name of lower-case words with hyphens
 * @param what the mistake, in a sentence
 * @param killers the promises of which one must be seen broken; what else breaks does not count
 * @param profile from which the plans are drawn that show it
 * @param histories within how many it must be found
 * @param changes what is different in the engine
 */
public record PlantedBug(
        String name, String what, List<Promise> killers, Profile profile, int histories, List<Change> changes) {

    public PlantedBug {
        killers = List.copyOf(killers);
        changes = List.copyOf(changes);
    }

    /** Whether the broken promise is the one that has to find it. */
    public boolean isKilledBy(Promise promise) {
        return killers.contains(promise);
    }

    /** Begins to describe a bug. */
    static Sketch bug(String name, String what) {
        return new Sketch(name, what, List.of(), Profile.CALM, 0);
    }

    /** A bug that is not described to the end. */
    record Sketch(String name, String what, List<Promise> killers, Profile profile, int histories) {

        Sketch killedBy(Promise... promises) {
            return new Sketch(name, what, List.of(promises), profile, histories);
        }

        Sketch within(int number, Profile profileOfPlans) {
            return new Sketch(name, what, killers, profileOfPlans, number);
        }

        PlantedBug by(Change... changes) {
            return new PlantedBug(name, what, killers, profile, histories, List.of(changes));
        }
    }
}
