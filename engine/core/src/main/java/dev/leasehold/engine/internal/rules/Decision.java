package dev.leasehold.engine.internal.rules;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.Refusal;
import dev.leasehold.engine.internal.store.LeaseWrite;
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
     * @param basis what its holder may believe from now on
     */
    record AlreadySo(Tenure tenure, HoldBasis basis) implements Decision {}

    /**
     * Yes, if the write lands.
     *
     * @param write the guarded write
     * @param tenure what is answered then; null for a removal or a pin, which begin and end no
     *     tenure
     * @param basis what the tenure's holder may believe then, counted from before the write is sent; null for a write
     *     that leaves nothing held
     * @param dependency what else it rests on
     */
    record Write(
            LeaseWrite write,
            @Nullable Tenure tenure,
            @Nullable HoldBasis basis,
            WriteDependency dependency) implements Decision {

        /** How many gate stripes show the tenure then; 0 where there is no document that says so. */
        public int stripes() {
            if (write instanceof LeaseWrite.Insert insert) {
                return insert.document().stripes();
            }
            return write instanceof LeaseWrite.Replace replace
                    ? replace.document().stripes()
                    : 0;
        }
    }

    /** What a write rests on beyond the document's own guard. */
    sealed interface WriteDependency {

        /**
         * On the document alone: no clock needs to be written with it. That is so where a session lease is claimed that
         * nobody holds, or given up: nothing else changes, and if its writer is evicted meanwhile the lease is free. Not so for
         * one with gate stripes, which have to change together with it.
         */
        record OnTheLeaseAlone() implements WriteDependency {}

        /** On the engine's own entry, as every write of a transaction does. */
        record OnOwnEntry() implements WriteDependency {}

        /** On the token floor as it was read, since the first token of a name comes from it. */
        record OnTokenFloor() implements WriteDependency {}

        /** On the absence of the document's writer, since its session leases are free only while it is absent. */
        record OnAbsentWriter(String writer) implements WriteDependency {}

        /** On the time of the document's writer, whose session has run out and is ended by the same transaction. */
        record OnEviction(String writer, long timeNanos) implements WriteDependency {}
    }
}
