package dev.leasehold.simulator.report;

import dev.leasehold.simulator.checker.Verdict;
import dev.leasehold.simulator.checker.Violation;
import dev.leasehold.simulator.mutants.Mutant;
import dev.leasehold.simulator.plan.History;
import dev.leasehold.simulator.plan.Plan;
import org.jspecify.annotations.Nullable;

/**
 * What is worth a report.
 *
 * @param violation of the invariant that was broken; null when the report is about a history in which all were held
 * @param mutant that was planted into the engine; null when it is the engine as it is
 * @param drawn the plan as it was found
 * @param shrunk whether the history is that of its shrunk form
 * @param history of the shrunk plan, or else of the plan
 * @param verdict about that history
 * @param statistics of all histories until this one was found
 * @param command the command line that repeats it
 */
public record Finding(
        @Nullable Violation violation,
        @Nullable Mutant mutant,
        Plan drawn,
        boolean shrunk,
        History history,
        Verdict verdict,
        Statistics statistics,
        String command) {

    /** About a plan that was kept. */
    public static Finding ofKeptPlan(
            @Nullable Violation violation, @Nullable Mutant mutant, History history, Verdict verdict, String command) {
        Statistics statistics = new Statistics();
        statistics.add(history, verdict);
        return new Finding(violation, mutant, history.plan(), false, history, verdict, statistics, command);
    }
}
