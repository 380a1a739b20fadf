package dev.leasehold.simulator.cli;

import dev.leasehold.simulator.batch.CheckerSetup;
import dev.leasehold.simulator.checker.HistoryChecker;
import dev.leasehold.simulator.checker.Verdict;
import dev.leasehold.simulator.mutants.Mutant;
import dev.leasehold.simulator.mutants.Mutants;
import dev.leasehold.simulator.plan.History;
import dev.leasehold.simulator.plan.HistoryRunner;
import dev.leasehold.simulator.plan.Plan;
import dev.leasehold.simulator.plan.PlanGenerator;
import dev.leasehold.simulator.plan.PlanVariation;
import dev.leasehold.simulator.plan.Profile;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What plays histories and what checks them.
 *
 * @param runners makes a player of plans, with a mutant or, for null, with the engine as it is
 * @param checker says which invariants a history kept
 */
record Parts(Function<@Nullable Mutant, HistoryRunner> runners, Function<History, Verdict> checker) {

    static final Parts REAL = new Parts(Mutants::runner, history -> HistoryChecker.check(history.recording()));

    /** Histories of a profile. */
    CheckerSetup setup(Profile profile, long driftPpm, @Nullable Mutant mutant) {
        return drawn(seed -> PlanGenerator.draw(profile, seed, driftPpm), mutant);
    }

    /** Histories of plans that are changed at random. */
    CheckerSetup setup(List<Plan> corpus, @Nullable Mutant mutant) {
        return drawn(seed -> PlanVariation.draw(corpus, seed), mutant);
    }

    private CheckerSetup drawn(LongFunction<Plan> plans, @Nullable Mutant mutant) {
        CheckerSetup setup = setup(plans, mutant);
        return mutant == null ? setup : setup.comparedWith(() -> runners.apply(null));
    }

    /** A plan that was kept. */
    CheckerSetup setup(Plan plan, @Nullable Mutant mutant) {
        return setup(seed -> plan, mutant);
    }

    /** With a mutant only those invariants count that have to find it. */
    private CheckerSetup setup(LongFunction<Plan> plans, @Nullable Mutant mutant) {
        return new CheckerSetup(
                plans, () -> runners.apply(mutant), checker, mutant == null ? invariant -> true : mutant::isKilledBy);
    }
}
