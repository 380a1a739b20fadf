package dev.leasehold.simulator.check;

import dev.leasehold.simulator.history.Change;
import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.Change.WriterRow;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.HeldTenure;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** What the database went through: all writes, what a majority had of them and when, and what was taken back. */
final class Database {

    private final DatabaseListener listener;
    private final List<Commit> commits = new ArrayList<>();
    private final List<LeaseTimeline> leases = new ArrayList<>();
    private final List<WriterTimeline> writers = new ArrayList<>();
    private int majoritySize;
    private final List<Long> tokenFloors = new ArrayList<>();
    private int rollbacks;
    private int entriesMax;

    Database(DatabaseListener listener) {
        this.listener = listener;
    }

    List<LeaseTimeline> leases() {
        return leases;
    }

    /** Those that were not rolled back. */
    List<Commit> commits() {
        return commits;
    }

    /** How many times writes were taken back. */
    int rollbacks() {
        return rollbacks;
    }

    /** How many entries a clock document had at most. */
    int entriesMax() {
        return entriesMax;
    }

    LeaseTimeline lease(String name) {
        for (int i = 0; i < leases.size(); i++) {
            if (leases.get(i).name().equals(name)) {
                return leases.get(i);
            }
        }
        LeaseTimeline lease = new LeaseTimeline(name);
        leases.add(lease);
        return lease;
    }

    @Nullable WriterTimeline writer(String name) {
        for (int i = 0; i < writers.size(); i++) {
            if (writers.get(i).name().equals(name)) {
                return writers.get(i);
            }
        }
        return null;
    }

    /** Those of the writers of an engine, which has one in each partition, whose sessions keep any lease. */
    List<WriterTimeline> keepersOf(Life life) {
        List<WriterTimeline> keepers = new ArrayList<>(1);
        for (int i = 0; i < writers.size(); i++) {
            if (life.isWriter(writers.get(i).name()) && keepsAny(writers.get(i).name())) {
                keepers.add(writers.get(i));
            }
        }
        return keepers;
    }

    /** Whether the entry of any writer of an engine was removed by then. */
    boolean hasRemovedEntryOf(Life life, long atNanos) {
        for (int i = 0; i < writers.size(); i++) {
            if (life.isWriter(writers.get(i).name()) && writers.get(i).wasRemovedBy(atNanos)) {
                return true;
            }
        }
        return false;
    }

    boolean hasEntry(String writer) {
        WriterTimeline timeline = writer(writer);
        return timeline != null && timeline.isPresent();
    }

    /** Takes note of a write. */
    Commit committed(Event.Committed event, @Nullable Life life) {
        Commit commit = new Commit(event, life);
        commits.add(commit);
        List<Change> changes = event.changes();
        for (int i = 0; i < changes.size(); i++) {
            Change change = changes.get(i);
            if (change instanceof Change.OfLease ofLease) {
                changeLease(commit, ofLease);
            } else if (change instanceof Change.OfClock ofClock) {
                changeClock(commit, ofClock);
            }
        }
        return commit;
    }

    void majority(Event.Majority event) {
        while (majoritySize < commits.size() && commits.get(majoritySize).version() <= event.version()) {
            commits.get(majoritySize++).majorityHasIt(event.atNanos());
        }
    }

    /** Takes writes back, and says how many. */
    int rolledBack(Event.RolledBack event) {
        rollbacks++;
        int sizeBefore = commits.size();
        while (!commits.isEmpty() && commits.get(commits.size() - 1).version() > event.toVersion()) {
            commits.remove(commits.size() - 1).rolledBack();
        }
        majoritySize = Math.min(majoritySize, commits.size());
        for (int i = 0; i < leases.size(); i++) {
            leases.get(i).forgetRolledBack(event.atNanos());
        }
        for (int i = 0; i < writers.size(); i++) {
            writers.get(i).forgetRolledBack();
        }
        return sizeBefore - commits.size();
    }

    // ---- leases ----

    private void changeLease(Commit commit, Change.OfLease change) {
        LeaseTimeline lease = lease(change.lease());
        LeaseTimeline.Version latest = lease.latest();
        LeaseRow before = latest == null ? change.before() : latest.row();
        long tokenMaxBefore = latest == null ? 0 : latest.tokenMax();
        Tenure current = latest == null ? null : latest.tenure();
        LeaseRow after = change.after();
        if (commit.isByHand() || before != null && !before.sound()) {
            lease.damaged(commit.atNanos());
        }
        if (after != null && !after.sound()) {
            // Whoever held it still does, as soon as the document is mended.
            lease.versions().add(new LeaseTimeline.Version(commit, after, current, tokenMaxBefore));
            return;
        }
        Tenure now = after == null || after.holder() == null ? null : tenureOf(lease, current, after, commit);
        Tenure ended = current == now ? null : current;
        Tenure begun = current == now ? null : now;
        if (ended != null) {
            ended.ended(commit, Ending.of(lease, ended, before, after, commit));
        }
        if (now != null && after != null) {
            noteWrite(now, after, commit);
        }
        lease.versions()
                .add(new LeaseTimeline.Version(commit, after, now, tokenMaxAfter(tokenMaxBefore, after, commit)));
        listener.leaseChanged(lease, commit, before, after, tokenMaxBefore, ended, begun);
    }

    private Tenure tenureOf(LeaseTimeline lease, @Nullable Tenure current, LeaseRow after, Commit commit) {
        String holder = String.valueOf(after.holder());
        if (current != null
                && current.held().token() == after.token()
                && current.held().holder().equals(holder)) {
            return current;
        }
        Tenure begun = new Tenure(new HeldTenure(lease.name(), holder, after.token()), commit, after.writer());
        lease.tenures().add(begun);
        if (after.expiryNanos() == null && !hasEntry(after.writer())) {
            // A claim that came late: it belongs to an absent writer, and is free.
            begun.sessionEnded(commit);
        }
        return begun;
    }

    /** Assertions and pins leave the writer and its stamp as they were. */
    private static void noteWrite(Tenure tenure, LeaseRow after, Commit commit) {
        Tenure.Write last = tenure.lastWrite();
        Life life = commit.life();
        if (life != null && (last == null || last.writtenNanos() != after.writtenNanos() || isOther(last, after))) {
            tenure.writes().add(new Tenure.Write(commit, life, after.writtenNanos(), after.expiryNanos()));
        }
    }

    private static boolean isOther(Tenure.Write last, LeaseRow after) {
        Long expiryNanos = last.expiryNanos();
        return expiryNanos == null ? after.expiryNanos() != null : !expiryNanos.equals(after.expiryNanos());
    }

    /** Who removes a document by hand removes its token, and only the floor of all tokens is left. */
    private long tokenMaxAfter(long tokenMaxBefore, @Nullable LeaseRow after, Commit commit) {
        if (after == null) {
            return commit.isByHand() ? Math.min(tokenMaxBefore, leastTokenFloor()) : tokenMaxBefore;
        }
        return Math.max(tokenMaxBefore, after.token());
    }

    /** In which partition a lease lies is the engines' business. */
    private long leastTokenFloor() {
        long least = tokenFloors.isEmpty() ? 0 : Long.MAX_VALUE;
        for (int i = 0; i < tokenFloors.size(); i++) {
            least = Math.min(least, tokenFloors.get(i));
        }
        return least;
    }

    // ---- the clock documents ----

    private void changeClock(Commit commit, Change.OfClock change) {
        SortedMap<String, WriterRow> before = change.before().writers();
        SortedMap<String, WriterRow> after = change.after().writers();
        while (tokenFloors.size() <= change.partition()) {
            tokenFloors.add(0L);
        }
        tokenFloors.set(change.partition(), change.after().tokenFloor());
        entriesMax = Math.max(entriesMax, after.size());
        listener.clockChanged(commit, change.before(), change.after());
        Iterator<Map.Entry<String, WriterRow>> olds = before.entrySet().iterator();
        Iterator<Map.Entry<String, WriterRow>> news = after.entrySet().iterator();
        Map.Entry<String, WriterRow> old = nextOf(olds);
        Map.Entry<String, WriterRow> now = nextOf(news);
        while (old != null || now != null) {
            int order = old == null ? 1 : now == null ? -1 : old.getKey().compareTo(now.getKey());
            if (order < 0 && old != null) {
                changeEntry(commit, old.getKey(), null);
            } else if (order > 0 && now != null) {
                changeEntry(commit, now.getKey(), now.getValue());
            } else if (old != null
                    && now != null
                    && old.getValue() != now.getValue()
                    && !old.getValue().equals(now.getValue())) {
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
        WriterTimeline writer = writer(name);
        if (writer == null) {
            writer = new WriterTimeline(name);
            writers.add(writer);
        }
        WriterTimeline.Version latest = writer.latest();
        WriterTimeline.Version before = latest == null || latest.row() == null ? null : latest;
        writer.versions().add(new WriterTimeline.Version(commit, row));
        listener.entryChanged(writer, commit, before, row);
        if (row == null && before != null) {
            endSession(commit, name, before);
        }
    }

    /** Whether the session of a writer keeps any lease. */
    boolean keepsAny(String writer) {
        for (int i = 0; i < leases.size(); i++) {
            LeaseTimeline.Version latest = leases.get(i).latest();
            if (latest != null && latest.tenure() != null && isKeptBySessionOf(writer, latest.row())) {
                return true;
            }
        }
        return false;
    }

    private void endSession(Commit commit, String writer, WriterTimeline.Version entry) {
        for (int i = 0; i < leases.size(); i++) {
            LeaseTimeline.Version latest = leases.get(i).latest();
            if (latest != null
                    && latest.tenure() != null
                    && isKeptBySessionOf(writer, latest.row())
                    && latest.tenure().sessionEnded() == null) {
                latest.tenure().sessionEnded(commit);
                listener.sessionEnded(latest.tenure(), entry, commit);
            }
        }
    }

    private static boolean isKeptBySessionOf(String writer, @Nullable LeaseRow row) {
        return row != null && row.expiryNanos() == null && row.writer().equals(writer);
    }
}
