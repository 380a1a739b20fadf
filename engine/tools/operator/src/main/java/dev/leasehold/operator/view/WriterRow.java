package dev.leasehold.operator.view;

import dev.leasehold.engine.WriterState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An engine as it is shown.
 *
 * @param writer the key of its entry
 * @param instance what it is called
 * @param partition of the clock document that has the entry
 * @param sign {@code alive}: its stamp was seen to move; {@code silent}: it has a session, and its stamp was not seen to move yet;
 *     {@code over}: it has a session that others may end now; {@code quiet}: it has no session, and need not give signs of life;
 *     {@code closed}; {@code corrupt}
 * @param sessionMillis how long the leases of its session stay held without a sign of life; null without one
 * @param seenAt when this tool first saw its present stamp, on this machine's clock
 * @param unchangedMillis for how long this tool has seen the same stamp
 * @param latestEnd the instant on this machine's clock after which others may end its session, without another sign of life
 * @param behindMillisMax by how much its clock can be behind that of this machine; negative where it is ahead
 * @param driftPpm the drift bound that it was built with; null where it did not store it
 * @param holds the leases that are held and were written by it last
 * @param problem what is wrong with a corrupt entry
 */
public record WriterRow(
        String writer,
        String instance,
        String partition,
        String sign,
        @Nullable Long sessionMillis,
        @Nullable String seenAt,
        @Nullable Long unchangedMillis,
        @Nullable String latestEnd,
        @Nullable Long behindMillisMax,
        @Nullable Long driftPpm,
        List<String> holds,
        @Nullable String problem) {

    private static final long CLOCK_AHEAD_MILLIS = 5_000;

    /** Seen to move. */
    public static final String ALIVE = "alive";
    /** Not seen to move yet. */
    public static final String SILENT = "silent";
    /** Not seen to move for so long that others may end its session. */
    public static final String OVER = "over";
    /** Without a session. */
    public static final String QUIET = "quiet";
    /** Closed. */
    public static final String CLOSED = "closed";
    /** Breaks the schema. */
    public static final String CORRUPT = "corrupt";

    /** What the inspector found, with the leases of each. */
    public static List<WriterRow> of(List<WriterState> writers, List<LeaseRow> leases, Instant now) {
        Map<String, List<String>> held = new HashMap<>();
        for (LeaseRow lease : leases) {
            if (lease.isHeld() && lease.writer() != null) {
                held.computeIfAbsent(lease.writer(), writer -> new ArrayList<>())
                        .add(lease.name());
            }
        }
        return writers.stream()
                .map(writer -> of(writer, held.getOrDefault(writer.writer(), List.of()), now))
                .toList();
    }

    /** One of them. */
    public static WriterRow of(WriterState state, List<String> holds, Instant now) {
        if (state instanceof WriterState.Known known) {
            Duration session = known.session();
            Instant latestEnd = known.latestEnd();
            return new WriterRow(
                    known.writer(),
                    known.instance(),
                    known.partition(),
                    sign(known, now),
                    session == null ? null : session.toMillis(),
                    known.firstSeen().toString(),
                    DisplayText.since(known.firstSeen(), now).toMillis(),
                    latestEnd == null ? null : latestEnd.toString(),
                    known.behindAtMost().toMillis(),
                    known.driftPpm(),
                    holds,
                    null);
        }
        WriterState.Corrupt corrupt = (WriterState.Corrupt) state;
        return new WriterRow(
                corrupt.writer(),
                corrupt.instance(),
                corrupt.partition(),
                CORRUPT,
                null,
                null,
                null,
                null,
                null,
                null,
                holds,
                "field '" + corrupt.field() + "': " + corrupt.found());
    }

    private static String sign(WriterState.Known known, Instant now) {
        Instant latestEnd = known.latestEnd();
        if (latestEnd != null) {
            if (now.isAfter(latestEnd)) {
                return OVER;
            }
            return known.seenMoving() ? ALIVE : SILENT;
        }
        if (known.isClosed()) {
            return CLOSED;
        }
        return known.seenMoving() ? ALIVE : QUIET;
    }

    /** By how much its clock is wrong for sure, or can be; a dash where that is not known. */
    public String clockInWords() {
        if (behindMillisMax == null) {
            return "-";
        }
        return behindMillisMax < 0
                ? "ahead by " + DisplayText.of(Duration.ofMillis(-behindMillisMax)) + " or more"
                : "behind by " + DisplayText.of(Duration.ofMillis(behindMillisMax)) + " at most";
    }

    /** Whether it is seen to be ahead. */
    public boolean isClockAhead() {
        return behindMillisMax != null && behindMillisMax < -CLOCK_AHEAD_MILLIS;
    }

    /** In a clause how this tool knows. */
    public String signInWords(Instant now) {
        String unchanged = seenAt == null ? "" : DisplayText.of(DisplayText.since(Instant.parse(seenAt), now));
        String end = latestEnd == null ? "" : DisplayText.until(Instant.parse(latestEnd), now);
        return switch (sign) {
            case ALIVE -> "alive: seen moving " + unchanged + " ago";
            case SILENT -> "not seen to move for " + unchanged + "; others may end its session " + end;
            case OVER -> "not seen to move for " + unchanged + "; others may end its session now";
            case QUIET -> "no session: writes only when it has something to write; unchanged for " + unchanged;
            case CLOSED -> "closed; the entry stays for the terms that it wrote";
            default -> "corrupt: " + problem;
        };
    }
}
