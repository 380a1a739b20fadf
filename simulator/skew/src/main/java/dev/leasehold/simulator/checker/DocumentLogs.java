package dev.leasehold.simulator.checker;

import dev.leasehold.simulator.history.Change;
import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.Change.WriterRow;
import dev.leasehold.simulator.history.HeldTenure;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** The reference model of leases and clock documents: reads what each commit made of them as tenures and sessions. */
final class DocumentLogs {

    private final Map<String, LeaseLog> leasesByName = new LinkedHashMap<>();
    private final List<LeaseLog> leases = new ArrayList<>();
    private final Map<String, WriterLog> writersByName = new LinkedHashMap<>();
    private final List<WriterLog> writers = new ArrayList<>();

    List<LeaseLog> leases() {
        return leases;
    }

    LeaseLog lease(String name) {
        LeaseLog known = leasesByName.get(name);
        if (known != null) {
            return known;
        }
        LeaseLog lease = new LeaseLog(name);
        leasesByName.put(name, lease);
        leases.add(lease);
        return lease;
    }

    List<WriterLog> writers() {
        return writers;
    }

    @Nullable WriterLog writer(String name) {
        return writersByName.get(name);
    }

    /** Reads a write that was not taken back. They come in their order. */
    void committed(Commit commit) {
        Reader reader = new Reader(commit);
        List<Change> changes = commit.event().changes();
        for (int i = 0; i < changes.size(); i++) {
            changes.get(i).accept(reader);
        }
    }

    /** A write was taken back. */
    void takenBack(Commit commit, long atNanos) {
        List<Change> changes = commit.event().changes();
        for (int i = 0; i < changes.size(); i++) {
            changes.get(i).accept(new Change.Visitor() {
                @Override
                public void on(Change.OfLease change) {
                    lease(change.lease()).unsettled(atNanos);
                }
            });
        }
    }

    private final class Reader implements Change.Visitor {

        private final Commit commit;

        Reader(Commit commit) {
            this.commit = commit;
        }

        @Override
        public void on(Change.OfLease change) {
            changeLease(commit, change);
        }

        @Override
        public void on(Change.OfClock change) {
            changeEntries(commit, change.before().writers(), change.after().writers());
        }
    }

    // ---- leases ----

    private void changeLease(Commit commit, Change.OfLease change) {
        LeaseLog lease = lease(change.lease());
        LeaseLog.Version latest = lease.latest();
        LeaseRow before = latest == null ? change.before() : latest.row();
        LeaseRow after = change.after();
        Tenure heldBefore = latest == null ? null : latest.held();
        long tokenMaxBefore = tokenMax(latest);
        if (commit.isByHand() || before != null && !before.sound()) {
            lease.damaged(commit.atNanos());
        }
        // Who held a lease whose document is damaged still does, as soon as it is mended.
        boolean damaged = after != null && !after.sound();
        Tenure held = damaged ? heldBefore : held(lease, heldBefore, after, commit);
        if (heldBefore != null && held != heldBefore) {
            heldBefore.ended(commit, Tenure.End.TAKEN);
        }
        if (held != null && after != null && !damaged) {
            noteWrite(held, after, commit);
        }
        lease.versions().add(new LeaseLog.Version(commit, before, after, heldBefore, held, tokenMaxBefore));
    }

    /** The greatest token that the lease had so far. Who removes a document by hand removes that. */
    private static long tokenMax(LeaseLog.@Nullable Version latest) {
        if (latest == null || latest.row() == null && latest.commit().isByHand()) {
            return 0;
        }
        return latest.row() == null || !latest.row().sound()
                ? latest.tokenMaxBefore()
                : Math.max(latest.tokenMaxBefore(), latest.row().token());
    }

    private @Nullable Tenure held(
            LeaseLog lease, @Nullable Tenure heldBefore, @Nullable LeaseRow after, Commit commit) {
        if (after == null || after.holder() == null) {
            return null;
        }
        HeldTenure held = new HeldTenure(lease.name(), after.holder(), after.token());
        if (heldBefore != null && heldBefore.held().equals(held)) {
            return heldBefore;
        }
        Tenure begun = new Tenure(lease, held, commit, after.writer());
        lease.tenures().add(begun);
        WriterLog writer = writer(after.writer());
        WriterLog.Version entry = writer == null ? null : writer.latest();
        if (after.expiryNanos() == null && (entry == null || entry.row() == null)) {
            // It belongs to the session of an absent writer, and is free.
            begun.sessionEnded(commit);
        }
        return begun;
    }

    /** Assertions and pins leave the writer and its stamp as they were. */
    private static void noteWrite(Tenure tenure, LeaseRow after, Commit commit) {
        Tenure.Write last = tenure.lastWrite();
        Incarnation by = commit.by();
        if (by != null
                && (last == null
                        || last.writtenNanos() != after.writtenNanos()
                        || !Objects.equals(last.expiryNanos(), after.expiryNanos()))) {
            tenure.writes().add(new Tenure.Write(commit, by, after.writtenNanos(), after.expiryNanos()));
        }
    }

    // ---- entries of clock documents ----

    private void changeEntries(Commit commit, SortedMap<String, WriterRow> before, SortedMap<String, WriterRow> after) {
        Iterator<Map.Entry<String, WriterRow>> olds = before.entrySet().iterator();
        Iterator<Map.Entry<String, WriterRow>> news = after.entrySet().iterator();
        Map.Entry<String, WriterRow> old = nextOf(olds);
        Map.Entry<String, WriterRow> now = nextOf(news);
        while (old != null || now != null) {
            int order = old == null ? 1 : now == null ? -1 : old.getKey().compareTo(now.getKey());
            if (order < 0 && old != null) {
                changeEntry(commit, old.getKey(), null);
            } else if (now != null
                    && (order > 0 || old != null && !old.getValue().equals(now.getValue()))) {
                changeEntry(commit, now.getKey(), now.getValue());
            }
            old = order <= 0 ? nextOf(olds) : old;
            now = order >= 0 ? nextOf(news) : now;
        }
    }

    private static Map.@Nullable Entry<String, WriterRow> nextOf(Iterator<Map.Entry<String, WriterRow>> rows) {
        return rows.hasNext() ? rows.next() : null;
    }

    private void changeEntry(Commit commit, String name, @Nullable WriterRow row) {
        WriterLog writer = writersByName.get(name);
        if (writer == null) {
            writer = new WriterLog(name);
            writersByName.put(name, writer);
            writers.add(writer);
        }
        writer.changed(commit, row);
        if (row == null) {
            endSession(commit, name);
        }
    }

    private void endSession(Commit commit, String writer) {
        for (int i = 0; i < leases.size(); i++) {
            LeaseLog.Version latest = leases.get(i).latest();
            LeaseRow row = latest == null ? null : latest.row();
            if (latest != null
                    && latest.held() != null
                    && row != null
                    && row.expiryNanos() == null
                    && row.writer().equals(writer)) {
                latest.held().sessionEnded(commit);
            }
        }
    }
}
