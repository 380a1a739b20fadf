package dev.leasehold.simulator.report;

import dev.leasehold.simulator.checker.Guarantee;
import dev.leasehold.simulator.checker.Verdict;
import dev.leasehold.simulator.checker.Violation;
import dev.leasehold.simulator.mutants.Mutant;
import dev.leasehold.simulator.plan.History;
import org.jspecify.annotations.Nullable;

/**
 * What is worth a report.
 *
 * @param guarantee which promise was broken; null when the report is about a history in which all were held
 * @param mutant that was planted into the engine; null when it is the engine as it is
 * @param planJson the plan that was drawn
 * @param minimalPlanJson its shrunk form, which breaks the same promise; null when it was not shrunk
 * @param history of the shrunk plan, or else of the plan
 * @param verdict about that history
 * @param statistics of all histories until this one was found
 * @param command the command line that repeats it
 */
public record Finding(
        @Nullable Guarantee guarantee,
        @Nullable Mutant mutant,
        String planJson,
        @Nullable String minimalPlanJson,
        History history,
        Verdict verdict,
        Statistics statistics,
        String command) {

    /** The first violation of the promise in the history; null when there is none. */
    @Nullable Violation violation() {
        for (Violation violation : verdict.violations()) {
            if (violation.guarantee() == guarantee) {
                return violation;
            }
        }
        return null;
    }

    /** The plan that the history comes from. */
    String shownPlanJson() {
        return minimalPlanJson == null ? planJson : minimalPlanJson;
    }
}
