package dev.leasehold.operator.serve;

import dev.leasehold.operator.doctor.Finding;
import dev.leasehold.operator.view.LeaseRow;
import dev.leasehold.operator.view.WriterRow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was last seen of a namespace.
 *
 * @param takenAt when that look began, on this machine's clock; null if nothing was seen yet
 * @param took how long it lasted
 * @param leases all of them
 * @param spans by lease, how long it is held from one sign of life to the next at the most; for the bar that shows what is left
 * @param writers its engines
 * @param trouble why nothing newer can be seen; null if all is well
 */
public record NamespaceView(
        @Nullable Instant takenAt,
        Duration took,
        List<LeaseRow> leases,
        Map<String, Duration> spans,
        List<WriterRow> writers,
        @Nullable String trouble) {

    static final NamespaceView NOTHING = new NamespaceView(null, Duration.ZERO, List.of(), Map.of(), List.of(), null);

    /** No look may take longer, apart from what the last one took. */
    private static final Duration PATIENCE = Duration.ofSeconds(4);

    NamespaceView with(String newTrouble) {
        return new NamespaceView(takenAt, took, leases, spans, writers, newTrouble);
    }

    /** The same with one lease as it is now. */
    NamespaceView with(LeaseRow lease) {
        List<LeaseRow> changed = leases.stream()
                .map(each -> each.name().equals(lease.name()) ? lease : each)
                .toList();
        return new NamespaceView(takenAt, took, changed, spans, writers, trouble);
    }

    /**
     * Why this is not to be relied upon; null if it is fresh. An old look is trouble even if nothing has failed: a frozen database says
     * nothing at all.
     *
     * @param every from one look to the next
     * @param begunAt when looking began
     */
    @Nullable String troubleAt(Instant now, Duration every, Instant begunAt) {
        if (trouble != null) {
            return trouble;
        }
        Instant last = takenAt == null ? begunAt : takenAt;
        Duration oldest = every.multipliedBy(3).plus(took.multipliedBy(2)).plus(PATIENCE);
        return Duration.between(last, now).compareTo(oldest) > 0
                ? "The database does not answer. What is shown may be over."
                : null;
    }

    /**
     * What the doctor found.
     *
     * @param at when; null for never
     * @param findings all of them
     * @param trouble why there are no newer ones; null if all is well
     */
    record Examined(
            @Nullable Instant at,
            List<Finding> findings,
            @Nullable String trouble) {

        static final Examined NEVER = new Examined(null, List.of(), null);

        List<Finding> of(Finding.Severity severity) {
            return findings.stream()
                    .filter(finding -> finding.severity() == severity)
                    .toList();
        }
    }
}
