package dev.leasehold.bench.row;

import dev.leasehold.bench.measure.Goal;
import dev.leasehold.bench.measure.Quantity;
import java.util.List;

/**
 * What stands above a row's table.
 *
 * @param name by which it is asked for
 * @param title for people
 * @param columns what is shown of each entrant
 * @param charted which of them is drawn
 * @param baseline the entrant to which the others' charted quantity is set in relation; empty for none
 * @param goals what is to be reached
 */
public record Heading(
        String name, String title, List<Quantity> columns, Quantity charted, String baseline, List<Goal> goals) {

    /** Keeps copies. */
    public Heading {
        columns = List.copyOf(columns);
        goals = List.copyOf(goals);
    }
}
