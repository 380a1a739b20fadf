package dev.leasehold.simulator.mutants;

import dev.leasehold.simulator.checker.Guarantee;
import dev.leasehold.simulator.plan.Profile;
import dev.leasehold.simulator.run.EngineAssembly;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An engine with a mistake that its author could make, to see that the checker finds it.
 *
 * @param name of lower-case words with hyphens
 * @param what the mistake, in a sentence
 * @param histories within how many it must be found
 * @param profile from which the plans are drawn that show it
 * @param killers the invariants of which one must be seen broken; what else breaks does not count
 * @param assembly what the engine is put together from
 * @param patch what one of its functions does instead; null when all do what they should
 */
public record Mutant(
        String name,
        String what,
        int histories,
        Profile profile,
        List<Guarantee> killers,
        EngineAssembly assembly,
        @Nullable Patch patch) {

    public Mutant {
        killers = List.copyOf(killers);
    }

    /** One whose mistake is still to be told, and made. */
    public static Mutant of(String name, int histories, Profile profile, Guarantee... killers) {
        return new Mutant(name, "", histories, profile, List.of(killers), EngineAssembly.UNCHANGED, null);
    }

    Mutant described(String what) {
        return new Mutant(name, what, histories, profile, killers, assembly, patch);
    }

    Mutant by(EngineAssembly assembly) {
        return new Mutant(name, what, histories, profile, killers, assembly, null);
    }

    Mutant by(Patch patch) {
        return new Mutant(name, what, histories, profile, killers, assembly, patch);
    }

    /** Whether the broken invariant is one that has to find it. */
    public boolean isKilledBy(Guarantee guarantee) {
        return killers.contains(guarantee);
    }
}
