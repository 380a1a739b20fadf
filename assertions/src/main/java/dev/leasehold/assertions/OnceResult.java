package dev.leasehold.assertions;

/** Whether the transaction that asked is the first one to do an occurrence. Counts once that transaction has committed. */
public sealed interface OnceResult {

    /** {@return whether this transaction is to do the work} */
    boolean isFirst();

    /** No transaction with the record of this occurrence has committed; this one has it now, together with the assertion. */
    record First() implements OnceResult {
        @Override
        public boolean isFirst() {
            return true;
        }
    }

    /**
     * The occurrence was done before. Nothing was written: neither the record nor the assertion.
     *
     * @param record which holder did it, when, and under which token
     */
    record DoneBefore(OccurrenceRecord record) implements OnceResult {
        @Override
        public boolean isFirst() {
            return false;
        }
    }
}
