package dev.leasehold.simulator.batch;

import dev.leasehold.simulator.bugs.KillTable;
import dev.leasehold.simulator.report.Statistics;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What came of the hunt for a planted bug.
 *
 * @param row how it was found, or that it was not
 * @param statistics of all histories that were played for it
 * @param failure that ended the hunt and is no broken promise; null when there was none
 */
public record Hunted(
        KillTable.Row row, Statistics statistics, @Nullable Failure failure) {

    /** How a hunt for these ends. */
    public static Ending ending(List<Hunted> hunted) {
        List<Failure> failures = new ArrayList<>();
        for (Hunted each : hunted) {
            if (each.failure() != null) {
                failures.add(each.failure());
            }
        }
        List<String> survivors = table(hunted).survivors().stream()
                .map(bug -> "a history that shows the bug " + bug.name())
                .toList();
        return Ending.of(failures, survivors);
    }

    /** All of them. */
    public static KillTable table(List<Hunted> hunted) {
        return new KillTable(hunted.stream().map(Hunted::row).toList());
    }

    /** The figures of all their histories, kills included. */
    public static Statistics statistics(List<Hunted> hunted) {
        Statistics all = new Statistics();
        for (Hunted each : hunted) {
            all.merge(each.statistics());
            KillTable.Kill kill = each.row().kill();
            if (kill != null && kill.commands() != null) {
                all.addKill(
                        each.row().bug().name(),
                        new Statistics.Kill(
                                kill.promise(), kill.firstHistory(), each.row().hitsPerTenThousand(), kill.commands()));
            }
        }
        return all;
    }
}
