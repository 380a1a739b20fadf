package dev.leasehold.simulator.check;

import dev.leasehold.simulator.history.Change.ClockRow;
import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.Change.WriterRow;
import org.jspecify.annotations.Nullable;

/** Hears of every change of a document that matters, when it is written. */
interface DatabaseListener {

    /**
     * A lease document changed. The timeline shows it as it is now.
     *
     * @param lease which lease
     * @param before what the document was; null for none
     * @param after what it is; null for none
     * @param tokenMaxBefore the greatest token that the lease had until then
     * @param ended the tenure that this write ended; null for none
     * @param begun the tenure that it began; null for none
     */
    void leaseChanged(
            LeaseTimeline lease,
            Commit commit,
            @Nullable LeaseRow before,
            @Nullable LeaseRow after,
            long tokenMaxBefore,
            @Nullable Tenure ended,
            @Nullable Tenure begun);

    /**
     * The entry of a writer changed. The timeline shows it as it is now.
     *
     * @param before the version before; null if there was no entry
     * @param after null if there is none any more
     */
    void entryChanged(
            WriterTimeline writer, Commit commit, WriterTimeline.@Nullable Version before, @Nullable WriterRow after);

    /** A clock document was written, whatever was changed. */
    void clockChanged(Commit commit, ClockRow before, ClockRow after);

    /** The entry of a writer was removed, and with it the session that kept this tenure. */
    void sessionEnded(Tenure tenure, WriterTimeline.Version entry, Commit commit);
}
