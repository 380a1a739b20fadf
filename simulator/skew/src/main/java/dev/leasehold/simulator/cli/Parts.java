package dev.leasehold.simulator.cli;

import dev.leasehold.simulator.batch.Bench;
import dev.leasehold.simulator.bugs.EngineClasses;
import dev.leasehold.simulator.bugs.PlantedBug;
import dev.leasehold.simulator.check.Judge;
import dev.leasehold.simulator.check.Verdict;
import dev.leasehold.simulator.plan.History;
import dev.leasehold.simulator.plan.HistoryRunner;
import dev.leasehold.simulator.plan.PlanGenerator;
import dev.leasehold.simulator.plan.Profile;
import org.jspecify.annotations.Nullable;

/** What plays histories and what judges them. */
interface Parts {

    /** Plays plans with the engine, or with a copy of it that has a bug. */
    HistoryRunner runner(@Nullable PlantedBug bug);

    Verdict judge(History history);

    /**
     * Histories of a profile, with a bug or without. With one only those promises count that have to find it, where the engine without
     * it keeps them.
     */
    default Bench bench(Profile profile, long driftPpm, @Nullable PlantedBug bug) {
        Bench bench = new Bench(
                seed -> PlanGenerator.draw(profile, seed, driftPpm),
                () -> runner(bug),
                this::judge,
                bug == null ? promise -> true : bug::isKilledBy);
        return bug == null ? bench : bench.blaming(() -> runner(null));
    }

    /** The engine, and the judges of the specification. */
    Parts REAL = new Parts() {
        @Override
        public HistoryRunner runner(@Nullable PlantedBug bug) {
            return EngineClasses.runner(bug);
        }

        @Override
        public Verdict judge(History history) {
            return Judge.judge(history);
        }
    };
}
