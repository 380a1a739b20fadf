package dev.leasehold.simulator.batch;

import dev.leasehold.simulator.mutants.KillTable;
import dev.leasehold.simulator.report.Statistics;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What came of the run of a mutant.
 *
 * @param row how it was found, or that it was not
 * @param statistics of all histories that were played for it
 * @param failure that ended the run and is no broken promise; null when there was none
 */
public record MutationResult(
        KillTable.Row row, Statistics statistics, @Nullable Failure failure) {

    /** How a run of these ends. */
    public static ExitStatus status(List<MutationResult> results) {
        List<Failure> failures = results.stream()
                .map(MutationResult::failure)
                .filter(Objects::nonNull)
                .toList();
        List<String> survivors = table(results).survivors().stream()
                .map(mutant -> "a history that shows the mutant " + mutant.name())
                .toList();
        return ExitStatus.of(failures, survivors);
    }

    /** All of them. */
    public static KillTable table(List<MutationResult> results) {
        return new KillTable(results.stream().map(MutationResult::row).toList());
    }

    /** The figures of all their histories, kills included. */
    public static Statistics statistics(List<MutationResult> results) {
        Statistics all = new Statistics();
        for (MutationResult each : results) {
            all.merge(each.statistics());
            KillTable.Kill kill = each.row().kill();
            if (kill != null && kill.commands() != null) {
                all.addKill(
                        each.row().mutant().name(),
                        new Statistics.Kill(
                                kill.guarantee(),
                                kill.firstHistory(),
                                each.row().hitsPerTenThousand(),
                                kill.commands()));
            }
        }
        return all;
    }
}
