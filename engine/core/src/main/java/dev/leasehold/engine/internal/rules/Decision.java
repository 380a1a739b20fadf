package dev.leasehold.engine.internal.rules;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.Refusal;
import dev.leasehold.engine.internal.store.LeaseWrite;
import org.jspecify.annotations.Nullable;

/** The result of {@link LeaseRules} for one request. */
public sealed interface Decision {

    /**
     * The request is refused. Final only if it rests on a read that began after the call; otherwise the lease is read
     * again.
     */
    record Refused(Refusal refusal) implements Decision {}

    /** No decision is possible, because data is corrupt or a number overflows. */
    record Impossible(LeaseException cause) implements Decision {}

    /**
     * The tenure already runs long enough by a write of this engine, or another engine has granted it to a ticket of this one; nothing is
     * written.
     *
     * @param tenure the tenure returned to the caller
     * @param basis what bounds the validity of the tenure from now on
     * @param stripes the number of gate stripes of the lease
     */
    record AlreadySo(Tenure tenure, HoldBasis basis, int stripes) implements Decision {}

    /** The queue of the lease must be read first. */
    record ReadFirst() implements Decision {}

    /**
     * The request succeeds if the write lands.
     *
     * @param write the guarded write
     * @param tenure the tenure that the write begins, extends or ends; null for a removal or a pin
     * @param basis what bounds the validity of the tenure, counted from before the write is sent; null for a write
     *     after which nothing is held
     * @param dependency what the write rests on beyond the guard of the document
     */
    record Write(
            LeaseWrite write,
            @Nullable Tenure tenure,
            @Nullable HoldBasis basis,
            WriteDependency dependency) implements Decision {

        /**
         * The number of gate stripes of the lease after the write; 0 if the write leaves no document with the tenure.
         */
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
         * The document alone: the clock document is not written. A vacant lease without gate stripes is acquired as a
         * session lease, or a session lease is released; if its writer is evicted meanwhile, the lease is free.
         */
        record OnTheLeaseAlone() implements WriteDependency {}

        /** This engine's entry in the clock document, as in every transaction. */
        record OnOwnEntry() implements WriteDependency {}

        /** The token floor as it was read: the first token of a name is taken from it. */
        record OnTokenFloor() implements WriteDependency {}

        /** The absence of the document's writer: its session leases are free only while it has no entry. */
        record OnAbsentWriter(String writer) implements WriteDependency {}

        /** The time of the document's writer, whose session has expired. The same transaction evicts it. */
        record OnEviction(String writer, long timeNanos) implements WriteDependency {}
    }
}
