package dev.leasehold.simulator.history;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a caller was told.
 *
 * @param tenure what it was granted; null where nothing was
 * @param reason of a refusal, or the type of the exception; null for a yes
 */
public record Answer(
        Kind kind, @Nullable HeldTenure tenure, @Nullable String reason, List<Shown> shown) {

    /** The reason of a call that its engine's close cut short. */
    public static final String ENGINE_CLOSED = "LeaseEngineClosedException";

    /** The reason of a call that its caller cancelled. */
    public static final String CANCELLED = "CANCELLED";

    /** The reason of a transaction that found its occurrence done, and so did nothing. */
    public static final String DONE_BEFORE = "DONE_BEFORE";

    /** The answer of a look for an occurrence that was not done. */
    public static final String NOT_DONE = "NOT_DONE";

    public Answer {
        shown = List.copyOf(shown);
    }

    /** What a caller may conclude. */
    public enum Kind {
        /** It was done. */
        YES,
        /** It was not done, and will not be. */
        NO,
        /** It may have been done, or may be done yet. */
        UNKNOWN
    }

    /**
     * A lease as an answer shows it.
     *
     * @param holder that holds it; null when none does, or there is no document
     * @param token the token of the document; 0 when there is none, or the answer does not say
     * @param corrupt whether it was shown to be damaged
     * @param expired whether it was shown to be certainly over
     * @param safeAfterNanos on the clock of true time, from when on it is certainly over; {@link Long#MAX_VALUE} when that is not known
     */
    public record Shown(
            String lease, @Nullable String holder, long token, boolean corrupt, boolean expired, long safeAfterNanos) {}
}
