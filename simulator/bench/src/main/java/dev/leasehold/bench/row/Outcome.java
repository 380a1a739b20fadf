package dev.leasehold.bench.row;

import dev.leasehold.bench.measure.Result;
import dev.leasehold.bench.measure.Verdict;
import java.util.List;
import java.util.Map;

/**
 * A row that was measured.
 *
 * @param heading what stands above its table
 * @param result what was measured
 * @param failures what happened to those that failed, by their names
 */
public record Outcome(Heading heading, Result result, Map<String, String> failures) {

    /** Keeps a copy. */
    public Outcome {
        failures = Map.copyOf(failures);
    }

    /** {@return what came of each goal} */
    public List<Verdict> verdicts() {
        return heading.goals().stream().map(goal -> goal.judge(result)).toList();
    }
}
