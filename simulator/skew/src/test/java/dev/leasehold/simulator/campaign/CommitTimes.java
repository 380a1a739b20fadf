package dev.leasehold.simulator.campaign;

import dev.leasehold.simulator.history.Change;
import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.Change.WriterRow;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Event.Author;
import dev.leasehold.simulator.history.Event.Committed;
import dev.leasehold.simulator.history.HeldTenure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds an instant for each commit. The database tells their order, and of each by when it had happened; an engine's write carries the
 * stamp from before it was sent. Whatever a caller was told, or a document showed, bounds the commits from which that follows. Of the instants that
 * are left each commit gets the last one. If none is left it gets the first by its stamp, and is behind something that rests on it: then a
 * guarantee is broken, and the checker finds which.
 */
final class CommitTimes {

    /** A write of a tenure. */
    private record TenureWrite(int commit, ProcessName by, LeaseRow row) {}

    /** A write of a writer's entry. */
    private record EntryWrite(int commit, WriterRow row) {}

    private final List<Committed> commits;
    private final Map<ProcessName, Event.Started> starts;
    private final long[] untilNanos;
    private final Map<HeldTenure, List<TenureWrite>> tenures = new HashMap<>();
    private final Map<HeldTenure, Integer> ended = new HashMap<>();
    private final Map<String, List<EntryWrite>> entries = new HashMap<>();
    private final Map<String, Integer> removed = new HashMap<>();
    private final Map<Integer, Integer> gates = new HashMap<>();

    CommitTimes(List<Committed> commits, Map<ProcessName, Event.Started> starts) {
        this.commits = commits;
        this.starts = starts;
        this.untilNanos = commits.stream().mapToLong(Committed::atNanos).toArray();
        for (int i = 0; i < commits.size(); i++) {
            for (Change change : commits.get(i).changes()) {
                read(i, change);
            }
        }
    }

    private void read(int commit, Change change) {
        if (change instanceof Change.OfCaller caller) {
            gates.putIfAbsent((int) caller.value(), commit);
        } else if (change instanceof Change.OfClock clock) {
            clock.after().writers().forEach((name, row) -> {
                if (!row.equals(clock.before().writers().get(name))) {
                    entries.computeIfAbsent(name, each -> new ArrayList<>()).add(new EntryWrite(commit, row));
                }
            });
            clock.before().writers().keySet().stream()
                    .filter(name -> !clock.after().writers().containsKey(name))
                    .forEach(name -> removed.putIfAbsent(name, commit));
        } else if (change instanceof Change.OfLease lease) {
            read(commit, held(lease.lease(), lease.before()), held(lease.lease(), lease.after()), lease.after());
        }
    }

    private void read(int commit, @Nullable HeldTenure before, @Nullable HeldTenure after, @Nullable LeaseRow row) {
        if (before != null && !before.equals(after)) {
            ended.putIfAbsent(before, commit);
        }
        ProcessName by = row == null ? null : ProcessName.find(row.writer());
        if (after != null && row != null && by != null) {
            tenures.computeIfAbsent(after, each -> new ArrayList<>()).add(new TenureWrite(commit, by, row));
        }
    }

    private static @Nullable HeldTenure held(String lease, @Nullable LeaseRow row) {
        return row == null || row.holder() == null ? null : new HeldTenure(lease, row.holder(), row.token());
    }

    // ---- what was told or shown by an instant ----

    void gateHadCommitted(int call, long atNanos) {
        bound(gates.get(call), atNanos);
    }

    void hadBegun(HeldTenure tenure, long atNanos) {
        boundFirst(tenure, write -> true, atNanos);
    }

    /** It is over when its document shows that, or when its session was ended. */
    void hadEnded(HeldTenure tenure, long atNanos) {
        List<TenureWrite> writes = tenures.getOrDefault(tenure, List.of());
        Integer ownEnd = ended.get(tenure);
        Integer end = writes.isEmpty()
                ? null
                : removed.get(writes.get(writes.size() - 1).row().writer());
        bound(end == null || ownEnd != null && ownEnd < end ? ownEnd : end, atNanos);
    }

    /** A call has ended it by a write of its document, whatever had become of its writer before. */
    void endWasWritten(HeldTenure tenure, long atNanos) {
        bound(ended.get(tenure), atNanos);
    }

    /** The tenure of that token, whichever holder had it. */
    void hadEnded(String lease, long token, long atNanos) {
        tenures.keySet().stream()
                .filter(tenure -> tenure.lease().equals(lease) && tenure.token() == token)
                .forEach(tenure -> hadEnded(tenure, atNanos));
    }

    void entryWasRemoved(ProcessName of, long atNanos) {
        removed.forEach((name, commit) -> {
            if (of.equals(ProcessName.find(name))) {
                bound(commit, atNanos);
            }
        });
    }

    /** An extension that was not needed wrote nothing. */
    void hadBeenExtended(HeldTenure tenure, ProcessName by, long calledNanos, long durationNanos, long atNanos) {
        long calledLocalNanos = localNanos(by, calledNanos) - Contender.CLOCK_ERROR_NANOS;
        boundFirst(
                tenure,
                write -> write.by().equals(by)
                        && write.row().expiryNanos() != null
                        && write.row().writtenNanos() >= calledLocalNanos
                        && write.row().expiryNanos() - write.row().writtenNanos() == durationNanos,
                atNanos);
    }

    /** Its engine showed it as valid until then: by a term of its own, or by the session in which it is. */
    void wasValidUntil(HeldTenure tenure, ProcessName by, long validUntilNanos, long atNanos) {
        hadBegun(tenure, atNanos);
        long localNanos = localNanos(by, validUntilNanos);
        boundFirst(
                tenure,
                write -> write.by().equals(by)
                        && write.row().expiryNanos() != null
                        && write.row().expiryNanos() >= localNanos,
                atNanos);
        tenures.getOrDefault(tenure, List.of()).stream()
                .filter(write -> write.by().equals(by) && write.row().expiryNanos() == null)
                .findFirst()
                .flatMap(write -> entries.getOrDefault(write.row().writer(), List.of()).stream()
                        .filter(entry -> entry.row().sessionNanos() != null
                                && entry.row().timeNanos() + entry.row().sessionNanos() >= localNanos)
                        .findFirst())
                .ifPresent(entry -> bound(entry.commit(), atNanos));
    }

    private void boundFirst(HeldTenure tenure, Predicate<TenureWrite> which, long atNanos) {
        tenures.getOrDefault(tenure, List.of()).stream()
                .filter(which)
                .findFirst()
                .ifPresent(write -> bound(write.commit(), atNanos));
    }

    private void bound(@Nullable Integer commit, long atNanos) {
        if (commit != null) {
            untilNanos[commit] = Math.min(untilNanos[commit], atNanos);
        }
    }

    private long localNanos(ProcessName process, long nanos) {
        Event.Started start = starts.get(process);
        return start.localNanos() + nanos - start.atNanos();
    }

    // ---- the instants ----

    /** All commits, each with the majority that has it at once. */
    List<Event> events() {
        long nextNanos = Long.MAX_VALUE;
        for (int i = untilNanos.length - 1; i >= 0; i--) {
            untilNanos[i] = Math.min(untilNanos[i], nextNanos - 1);
            nextNanos = untilNanos[i];
        }
        List<Event> events = new ArrayList<>();
        long formerNanos = Long.MIN_VALUE;
        for (int i = 0; i < untilNanos.length; i++) {
            Committed commit = commits.get(i);
            formerNanos = Math.max(untilNanos[i], Math.max(formerNanos + 1, sentNanos(commit)));
            events.add(new Committed(formerNanos, commit.version(), commit.author(), commit.changes()));
            events.add(new Event.Majority(formerNanos, commit.version()));
        }
        return events;
    }

    /** Before which instant a write was certainly not sent. */
    private long sentNanos(Committed commit) {
        Author author = commit.author();
        Event.Started start = starts.get(new ProcessName(author.machine(), author.incarnation()));
        if (author.kind() == Author.Kind.CALLER || author.kind() == Author.Kind.HAND || start == null) {
            return Long.MIN_VALUE;
        }
        return commit.changes().stream()
                        .filter(change -> change instanceof Change.OfLease)
                        .map(change -> ((Change.OfLease) change).after())
                        // What was granted has the stamp of another engine.
                        .filter(row -> row != null
                                && new ProcessName(author.machine(), author.incarnation())
                                        .equals(ProcessName.find(row.writer())))
                        .mapToLong(row -> start.atNanos() + row.writtenNanos() - start.localNanos())
                        .max()
                        .orElse(Long.MIN_VALUE + Contender.CLOCK_ERROR_NANOS)
                - Contender.CLOCK_ERROR_NANOS;
    }
}
