package dev.leasehold.spring;

import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.assertions.OccurrenceRecord;

/** A {@link Leased} method with {@link Skipped#THROW} was called for an occurrence that was done before. The call had no effect. */
public class OccurrenceDoneException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient OccurrenceRecord record;

    OccurrenceDoneException(OccurrenceRecord record) {
        super("occurrence " + LeaseNames.quote(record.occurrence()) + " of lease "
                + LeaseNames.quote(record.tenure().name()) + " was done before, at " + record.done() + " by "
                + LeaseNames.quote(record.tenure().holder()) + " under token "
                + record.tenure().token());
        this.record = record;
    }

    /** {@return which holder did it, when, and under which token} */
    public OccurrenceRecord record() {
        return record;
    }
}
