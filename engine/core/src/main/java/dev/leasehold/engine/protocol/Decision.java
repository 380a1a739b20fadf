package dev.leasehold.engine.protocol;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.Refusal;
import dev.leasehold.engine.store.LeaseWrite;
import dev.leasehold.engine.time.Belief;
import org.jspecify.annotations.Nullable;

/** What follows from what was seen. */
public sealed interface Decision {

    /** No. To be answered only if it rests on a read that began after the call. */
    record Refused(Refusal refusal) implements Decision {}

    /** It cannot be judged, because of corrupt data or numbers that do not fit. */
    record Impossible(LeaseException cause) implements Decision {}

    /**
     * The tenure already runs long enough by a write of this very engine; there is nothing to write.
     *
     * @param tenure what is answered
     * @param belief what its holder may believe from now on
     */
    record AlreadySo(Tenure tenure, Belief belief) implements Decision {}

    /**
     * Yes, if the write lands.
     *
     * @param write the guarded write
     * @param tenure what is answered then; null for a removal, which begins and ends no tenure
     * @param belief what the tenure's holder may believe then, counted from before the write is sent; null for a write
     *     that leaves nothing held
     * @param rests what else it rests on
     */
    record Write(LeaseWrite write, @Nullable Tenure tenure, @Nullable Belief belief, Rests rests) implements Decision {}

    /** What a write rests on beyond the document's own guard; it becomes a condition of the clock statement. */
    enum Rests {
        /** Nothing else. */
        ON_NOTHING_ELSE,
        /** The token floor as it was read, since the first token of a name comes from it. */
        ON_TOKEN_FLOOR,
        /** The absence of the document's writer, since its session leases are free only while it is absent. */
        ON_ABSENT_WRITER
    }
}
