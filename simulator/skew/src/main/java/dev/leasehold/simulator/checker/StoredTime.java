package dev.leasehold.simulator.checker;

import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.Change.WriterRow;
import org.jspecify.annotations.Nullable;

/**
 * A time that an engine stored, on its own clock: a term, a session, the time for which a lease is kept free, a retention.
 *
 * @param by whose clock it is on
 * @param stampNanos the stamp from which it counts
 * @param writtenNanos when that stamp had been written, in true time
 * @param lengthNanos how long it is
 */
record StoredTime(Incarnation by, long stampNanos, long writtenNanos, long lengthNanos) {

    /** What a lease document has as its end; null for none, or where it is not known whose clock that is on. */
    static @Nullable StoredTime ofExpiry(Commit written, LeaseRow row) {
        return row.expiryNanos() == null
                ? null
                : of(written, row.writtenNanos(), row.expiryNanos() - row.writtenNanos());
    }

    /** The session that an entry of the clock document tells of; null for none. */
    static @Nullable StoredTime ofSession(WriterLog.@Nullable Version entry) {
        WriterRow row = entry == null ? null : entry.row();
        return entry == null || row == null || row.sessionNanos() == null
                ? null
                : of(entry.commit(), row.timeNanos(), row.sessionNanos());
    }

    /** A time from the stamp of a write on; null for a write that is none of an engine's. */
    static @Nullable StoredTime of(Commit written, long stampNanos, long lengthNanos) {
        return written.by == null ? null : new StoredTime(written.by, stampNanos, written.atNanos, lengthNanos);
    }

    /**
     * Whether the clock has passed the end. What clocks show is rounded down, so that at equality it has if the nanosecond that is shown did
     * not begin just now.
     */
    boolean isOver(long atNanos) {
        return isOver(atNanos, 0);
    }

    /** The same where the clock counts as so far ahead of what it shows. */
    boolean isOver(long atNanos, long aheadNanos) {
        long passedNanos = by.sinceStampNanos(atNanos, stampNanos, writtenNanos) + aheadNanos;
        return passedNanos > lengthNanos || passedNanos == lengthNanos && !by.clock.isAtTick(atNanos);
    }

    /** For sentences. */
    @Override
    public String toString() {
        return by + " stored at " + Violations.seconds(writtenNanos) + " a time of " + Violations.seconds(lengthNanos)
                + ", until its clock shows " + Violations.seconds(stampNanos + lengthNanos);
    }
}
