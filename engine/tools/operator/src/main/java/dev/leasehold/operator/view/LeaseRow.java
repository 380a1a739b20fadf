package dev.leasehold.operator.view;

import dev.leasehold.engine.LeaseDetails;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.WriterState;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A lease as it is shown.
 *
 * @param name of the lease
 * @param status {@code absent}, {@code free}, {@code active}, {@code expired} or {@code corrupt}
 * @param holder the process that holds it; null where none does
 * @param token the token of the present tenure, or of the latest; null where there is no sound document
 * @param since when that tenure began, by the wall clock of the engine that keeps it
 * @param keptBy {@code session} or {@code term}; null for a lease that is not held
 * @param latestExpiry the instant on this machine's clock after which others may take it, if it is not renewed; of a free lease only where
 *     its last holder had it for at least a time that is not over. Null where that cannot be told
 * @param comment what the holder said about it, or why an operator has ended it
 * @param payload what its holder publishes with it, for programs; null for nothing
 * @param pins the entities that keep it from being taken
 * @param writer the engine that wrote the document last
 * @param gates how many transactions were gated by it
 * @param stripes how many gate stripes it has
 * @param waiters the acquisitions that wait for it, the first one first
 * @param partition in which part of the namespace it lies
 * @param verified of a held lease, whether its engine was seen to be alive; null for the others
 * @param problem what is wrong with a corrupt document
 */
public record LeaseRow(
        String name,
        String status,
        @Nullable String holder,
        @Nullable Long token,
        @Nullable String since,
        @Nullable String keptBy,
        @Nullable String latestExpiry,
        @Nullable String comment,
        @Nullable String payload,
        List<String> pins,
        @Nullable String writer,
        long gates,
        int stripes,
        List<WaiterRow> waiters,
        String partition,
        @Nullable Boolean verified,
        @Nullable String problem) {

    /** What is shown instead of {@code active} where no sign of life was seen. */
    public static final String UNVERIFIED = "unverified";

    /** What the inspector found, as a row. */
    public static LeaseRow of(LeaseDetails lease) {
        LeaseState state = lease.state();
        if (state instanceof LeaseState.Held held) {
            return row(
                    lease,
                    status(state),
                    held.tenure().holder(),
                    held.tenure().token(),
                    held.session() ? "session" : "term",
                    held.latestExpiry(),
                    held.comment(),
                    held.pins(),
                    null);
        }
        if (state instanceof LeaseState.Vacant vacant) {
            return row(
                    lease,
                    status(state),
                    null,
                    vacant.token(),
                    null,
                    vacant.keptFreeUntil(),
                    vacant.comment(),
                    vacant.pins(),
                    null);
        }
        return state instanceof LeaseState.Corrupt
                ? row(lease, status(state), null, null, null, null, null, Set.of(), state.describe())
                : row(lease, "absent", null, null, null, null, null, Set.of(), null);
    }

    private static String status(LeaseState state) {
        return state.status().name().toLowerCase(Locale.ROOT);
    }

    private static LeaseRow row(
            LeaseDetails lease,
            String status,
            @Nullable String holder,
            @Nullable Long token,
            @Nullable String keptBy,
            @Nullable Instant latestExpiry,
            @Nullable String comment,
            Set<String> pins,
            @Nullable String problem) {
        return new LeaseRow(
                lease.name(),
                status,
                holder,
                token,
                text(lease.since()),
                keptBy,
                text(latestExpiry),
                comment,
                lease.state() instanceof LeaseState.Held held ? held.payload() : null,
                pins.stream().sorted().toList(),
                lease.writer(),
                lease.gates(),
                lease.stripes(),
                lease.waiters().stream().map(WaiterRow::of).toList(),
                lease.partition(),
                holder == null ? null : false,
                problem);
    }

    /**
     * The same, with what is known of its engine.
     *
     * @param alive whether its stamp was seen to move, so that it lived at the last look
     */
    public LeaseRow verified(boolean alive) {
        return isHeld()
                ? new LeaseRow(
                        name,
                        status,
                        holder,
                        token,
                        since,
                        keptBy,
                        latestExpiry,
                        comment,
                        payload,
                        pins,
                        writer,
                        gates,
                        stripes,
                        waiters,
                        partition,
                        alive,
                        problem)
                : this;
    }

    /** All of them, with what is known of their engines. */
    public static List<LeaseRow> verified(List<LeaseRow> leases, List<WriterState> writers) {
        Set<String> alive = writers.stream()
                .filter(writer -> writer instanceof WriterState.Known known && known.seenMoving())
                .map(WriterState::writer)
                .collect(Collectors.toSet());
        return leases.stream()
                .map(lease -> lease.verified(alive.contains(lease.writer())))
                .toList();
    }

    /** By a value, and by name where it is the same. What has none comes last, the other way round as well. */
    public static <T extends Comparable<T>> Comparator<LeaseRow> order(
            Function<LeaseRow, @Nullable T> value, boolean reverse) {
        Comparator<T> known = reverse ? Comparator.reverseOrder() : Comparator.naturalOrder();
        return Comparator.comparing(value, Comparator.nullsLast(known)).thenComparing(LeaseRow::name);
    }

    /** How it stands, for people: an active lease of an engine without a sign of life is called unverified. */
    public String shownStatus() {
        return status.equals("active") && !Boolean.TRUE.equals(verified) ? UNVERIFIED : status;
    }

    /** Whether no process can take it although none holds it for sure: it is pinned, or kept free for some time. */
    public boolean isBlocked() {
        return !pins.isEmpty() && !status.equals("active") || status.equals("free") && latestExpiry != null;
    }

    private static @Nullable String text(@Nullable Instant instant) {
        return instant == null ? null : instant.toString();
    }

    /** When the tenure began, to the second; a dash where that is not known. */
    public String sinceInWords() {
        return DisplayText.of(since == null ? null : Instant.parse(since));
    }

    /** Until when others wait at the most; a dash where that cannot be told. */
    public String untilInWords(Instant now) {
        return latestExpiry == null ? "-" : DisplayText.until(Instant.parse(latestExpiry), now);
    }

    /** Whether a process holds it. */
    public boolean isHeld() {
        return holder != null;
    }
}
