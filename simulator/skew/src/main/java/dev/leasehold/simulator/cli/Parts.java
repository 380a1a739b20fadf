package dev.leasehold.simulator.cli;

import dev.leasehold.simulator.batch.Bench;
import dev.leasehold.simulator.checker.HistoryChecker;
import dev.leasehold.simulator.checker.Verdict;
import dev.leasehold.simulator.mutants.EngineRunners;
import dev.leasehold.simulator.mutants.Mutant;
import dev.leasehold.simulator.plan.History;
import dev.leasehold.simulator.plan.HistoryRunner;
import dev.leasehold.simulator.plan.PlanGenerator;
import dev.leasehold.simulator.plan.Profile;
import org.jspecify.annotations.Nullable;

/** What plays histories and what judges them. */
interface Parts {

    /** Plays plans with the engine, or with a copy of it that has a mutant. */
    HistoryRunner runner(@Nullable Mutant mutant);

    Verdict judge(History history);

    /**
     * Histories of a profile, with a mutant or without. With one only those promises count that have to find it, where the engine without
     * it keeps them.
     */
    default Bench bench(Profile profile, long driftPpm, @Nullable Mutant mutant) {
        Bench bench = new Bench(
                seed -> PlanGenerator.draw(profile, seed, driftPpm),
                () -> runner(mutant),
                this::judge,
                mutant == null ? guarantee -> true : mutant::isKilledBy);
        return mutant == null ? bench : bench.blaming(() -> runner(null));
    }

    /** The engine, and the judges of the specification. */
    Parts REAL = new Parts() {
        @Override
        public HistoryRunner runner(@Nullable Mutant mutant) {
            return EngineRunners.runner(mutant);
        }

        @Override
        public Verdict judge(History history) {
            return HistoryChecker.check(history.recording());
        }
    };
}
