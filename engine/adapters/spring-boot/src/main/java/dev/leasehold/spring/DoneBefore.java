package dev.leasehold.spring;

import dev.leasehold.assertions.OccurrenceRecord;

/** Ends a transaction whose occurrence another transaction has recorded. No caller sees it. */
final class DoneBefore extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient OccurrenceRecord record;

    DoneBefore(OccurrenceRecord record) {
        super("done before", null, false, false);
        this.record = record;
    }

    OccurrenceRecord record() {
        return record;
    }
}
