package dev.leasehold.operator.serve;

import dev.leasehold.operator.view.LeaseRow;
import dev.leasehold.operator.view.WriterRow;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was last seen of a namespace.
 *
 * @param takenAt when, on this machine's clock; null if nothing was seen yet
 * @param leases all of them
 * @param writers its engines
 * @param trouble why nothing newer can be seen; null if all is well
 */
public record Sight(
        @Nullable Instant takenAt,
        List<LeaseRow> leases,
        List<WriterRow> writers,
        @Nullable String trouble) {

    static final Sight NOTHING = new Sight(null, List.of(), List.of(), null);

    Sight with(String newTrouble) {
        return new Sight(takenAt, leases, writers, newTrouble);
    }
}
