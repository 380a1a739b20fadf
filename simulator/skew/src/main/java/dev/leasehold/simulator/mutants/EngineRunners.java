package dev.leasehold.simulator.mutants;

import dev.leasehold.simulator.plan.HistoryRunner;
import dev.leasehold.simulator.run.EngineRunner;
import org.jspecify.annotations.Nullable;

/** Plays plans with the engine as it is, or with a mutant of it. */
public final class EngineRunners {

    private EngineRunners() {}

    /**
     * Makes a player of plans.
     *
     * @param mutant that takes the engine's place; null for the engine as it is
     */
    public static HistoryRunner runner(@Nullable Mutant mutant) {
        if (mutant == null) {
            return new EngineRunner();
        }
        return mutant.mutation() instanceof Mutation.Parts parts
                ? new EngineRunner(parts.assembly())
                : withFunction((Mutation.Function) mutant.mutation());
    }

    private static HistoryRunner withFunction(Mutation.Function changed) {
        String runner = EngineRunner.class.getName();
        try {
            return (HistoryRunner) Class.forName(runner, true, new PatchedClasses(changed))
                    .getConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(runner + " could not be made", e);
        }
    }
}
