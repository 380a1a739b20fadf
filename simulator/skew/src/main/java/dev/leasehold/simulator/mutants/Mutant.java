package dev.leasehold.simulator.mutants;

import dev.leasehold.simulator.checker.Guarantee;
import dev.leasehold.simulator.plan.Profile;
import dev.leasehold.simulator.run.EngineAssembly;
import java.util.List;

/**
 * An engine with a mistake that its author could make, to see that the judges find it.
 *
 * @param name of lower-case words with hyphens
 * @param what the mistake, in a sentence
 * @param killers the promises of which one must be seen broken; what else breaks does not count
 * @param profile from which the plans are drawn that show it
 * @param histories within how many it must be found
 * @param mutation how it differs from the engine
 */
public record Mutant(
        String name, String what, List<Guarantee> killers, Profile profile, int histories, Mutation mutation) {

    public Mutant {
        killers = List.copyOf(killers);
    }

    /** Whether the broken promise is the one that has to find it. */
    public boolean isKilledBy(Guarantee guarantee) {
        return killers.contains(guarantee);
    }

    /** Begins to describe a mutant. */
    static Sketch mutant(String name, String what) {
        return new Sketch(name, what, List.of(), Profile.CALM, 0);
    }

    /** A mutant that is not described to the end. */
    record Sketch(String name, String what, List<Guarantee> killers, Profile profile, int histories) {

        Sketch killedBy(Guarantee... promises) {
            return new Sketch(name, what, List.of(promises), profile, histories);
        }

        Sketch within(int number, Profile profileOfPlans) {
            return new Sketch(name, what, killers, profileOfPlans, number);
        }

        Mutant by(EngineAssembly assembly) {
            return new Mutant(name, what, killers, profile, histories, new Mutation.Parts(assembly));
        }

        Mutant by(Class<?> type, String function, Class<?> advice) {
            return new Mutant(name, what, killers, profile, histories, new Mutation.Function(type, function, advice));
        }
    }
}
