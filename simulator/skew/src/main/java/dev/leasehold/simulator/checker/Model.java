package dev.leasehold.simulator.checker;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Change;
import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.Change.WriterRow;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Faults;
import dev.leasehold.simulator.history.Handlers;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Operation.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A recorded history, put in order: the engines, the calls, what the database committed for good, and when tenures were held. */
final class Model {

    final Conditions conditions;
    final LivenessBounds bounds;
    final Machines machines;
    /** By their numbers, in the order in which they began. */
    final Map<Integer, Call> calls = new LinkedHashMap<>();
    /** What was committed and not taken back, in its order. */
    final List<Commit> commits = new ArrayList<>();
    /** By their names. */
    final Map<String, LeaseLog> leases = new LinkedHashMap<>();
    /** What the documents of all leases went through. */
    final List<LeaseLog.Version> versions = new ArrayList<>();
    /** Those of all leases. */
    final List<Tenure> tenures = new ArrayList<>();
    /** By their names. */
    final Map<String, WriterLog> writers = new LinkedHashMap<>();

    private final List<Event> told = new ArrayList<>();
    private int majoritySize;
    /** How many times writes were taken back. */
    int rollbacksOfWrites;
    /** When the faults were over by plan; NEVER if they were not. */
    long healedNanos = Incarnation.NEVER;
    /** When the history was over; NEVER if it broke off. */
    long finishedNanos = Incarnation.NEVER;

    Model(Recording recording) {
        this.conditions = recording.conditions();
        this.bounds = new LivenessBounds(conditions);
        this.machines = new Machines(recording);
        Handlers<Event> handlers = new Handlers<Event>()
                .on(Event.Started.class, machines::started)
                .on(Event.Stopped.class, this::stopped)
                .on(Event.Fault.class, this::fault)
                .on(Event.Reached.class, machines::reached)
                .on(Event.Called.class, this::called)
                .on(Event.Answered.class, answered -> callOf(answered.call()).answered(answered))
                .on(Event.Resolved.class, resolved -> callOf(resolved.call()).resolved(resolved))
                .on(Event.Lost.class, lost -> callOf(lost.handle()).losses.add(lost))
                .on(Event.Committed.class, this::committed)
                .on(Event.Majority.class, this::majority)
                .on(Event.RolledBack.class, this::rolledBack)
                .on(Event.ValidUntil.class, this::validUntil)
                .on(Event.ValidityEnded.class, this::validityEnded)
                .on(Event.Healed.class, healed -> healedNanos = healed.atNanos())
                .on(Event.Finished.class, finished -> finishedNanos = finished.atNanos());
        for (Event event : recording.events()) {
            // Most events are messages.
            if (event instanceof Event.Message message) {
                machines.message(message);
            } else {
                handlers.handle(event);
                told.add(event);
            }
        }
        commits.forEach(this::apply);
        calls.values().forEach(this::place);
        for (LeaseLog lease : leases.values()) {
            tenures.addAll(lease.tenures);
            for (LeaseLog.Version version : lease.versions) {
                versions.add(version);
                Tenure ended = version.ended();
                if (ended != null) {
                    ended.end = ended.endBy(version);
                }
            }
        }
    }

    // ---- what invariants read ----

    /** The newest of those that are as asked; null for none. */
    static <T> @Nullable T newest(List<T> all, Predicate<T> isSo) {
        for (int i = all.size() - 1; i >= 0; i--) {
            if (isSo.test(all.get(i))) {
                return all.get(i);
            }
        }
        return null;
    }

    boolean isInside() {
        return conditions.inside();
    }

    LeaseLog lease(String name) {
        return leases.computeIfAbsent(name, LeaseLog::new);
    }

    /** That which a call is about. */
    LeaseLog leaseOf(Call call) {
        return lease(String.valueOf(call.lease()));
    }

    /** Without versions where there never was an entry. */
    WriterLog writer(String name) {
        return writers.getOrDefault(name, new WriterLog(name));
    }

    @Nullable Tenure tenure(@Nullable HeldTenure held) {
        LeaseLog lease = held == null ? null : leases.get(held.lease());
        return lease == null ? null : lease.tenure(held);
    }

    /** Whether the entry of any writer of an engine was removed by then. */
    boolean hasRemovedEntryOf(Incarnation engine, long atNanos) {
        return writers.values().stream()
                .anyMatch(writer -> engine.isWriter(writer.name) && writer.wasRemovedBy(atNanos));
    }

    /**
     * How far the stamps of an engine were ahead of its clock until an instant, at the most: of those that it takes within one nanosecond
     * each is one more than the one before. An engine that reads one knows that the clock has come as far, but for that.
     */
    long aheadNanos(Incarnation engine, long atNanos) {
        long aheadNanos = writers.values().stream()
                .flatMap(writer -> writer.versions.stream())
                .filter(entry ->
                        entry.commit().by == engine && entry.row() != null && entry.commit().atNanos <= atNanos)
                .mapToLong(entry -> entry.row().timeNanos() - engine.readingNanos(entry.commit().atNanos))
                .reduce(0, Math::max);
        return Math.min(aheadNanos, Incarnation.STAMP_AHEAD_NANOS_MAX);
    }

    /** The handle that a call closes, as the call by which it was acquired. */
    Call handleOf(Call close) {
        return callOf(Objects.requireNonNull(close.operation.handle(), "a close of no handle"));
    }

    /** Shows all that happened but messages, which are many, to these handlers. */
    void tell(Handlers<Event> handlers) {
        told.forEach(handlers::handle);
    }

    /** When the last fault was over: the healing, or earlier where there were none. */
    long healthyNanos() {
        return Math.min(healedNanos, machines.faultsNanos);
    }

    /** Until when the server has ended the transactions that callers left open since the healing; those of before were ended by it. */
    long freeFromCallersNanos(LeaseLog lease) {
        long freeNanos = 0;
        for (Call call : lease.calls) {
            long leftNanos = Math.min(call.answeredNanos, call.by.stoppedNanos);
            if (call.kind() == Kind.GATE && !call.isAnswered(Answer.Kind.YES) && leftNanos >= healedNanos) {
                freeNanos = Math.max(freeNanos, Math.min(leftNanos, finishedNanos) + conditions.orphanNanos());
            }
        }
        return freeNanos;
    }

    /**
     * Until when transactions that callers left open before an instant may keep a lease from being written, those that were made for a fault
     * included. Of these the lease is not told, and the healing ends them.
     */
    long leftOpenNanos(LeaseLog lease, long beforeNanos) {
        long strayNanos = machines.lastOverNanos(Faults.STRAY, conditions.orphanNanos(), beforeNanos);
        return Math.max(freeFromCallersNanos(lease), Math.min(healedNanos, strayNanos));
    }

    /** Whether a history came to its end within the assumptions, and behind its faults. */
    boolean isWhole() {
        return isInside() && healedNanos < Incarnation.NEVER && finishedNanos < Incarnation.NEVER;
    }

    /** Whether liveness is guaranteed: in a whole history, on a network on which answers come in time. */
    boolean isLive() {
        return isWhole() && conditions.usualAnswerNanos() <= conditions.commandNanos();
    }

    // ---- engines and faults ----

    private void stopped(Event.Stopped stopped) {
        Incarnation incarnation = machines.find(stopped.machine(), stopped.incarnation());
        if (incarnation != null) {
            incarnation.stopped(stopped.atNanos());
            cannotAct(stopped.machine(), stopped.atNanos());
        }
    }

    private void fault(Event.Fault fault) {
        boolean sleeps = machines.befall(fault);
        if (sleeps || fault.fault().equals(Faults.CRASH)) {
            cannotAct(fault.machine(), fault.atNanos());
        }
    }

    // ---- calls ----

    private void called(Event.Called called) {
        Call call = new Call(called, machines.of(called.machine(), called.incarnation()));
        calls.put(called.call(), call);
        if (call.kind() == Kind.CLOSE_ENGINE) {
            call.by.closingNanos = Math.min(call.by.closingNanos, called.atNanos());
        } else if (call.kind() == Kind.CLOSE_HANDLE) {
            Call handle = handleOf(call);
            handle.closedNanos = Math.min(handle.closedNanos, called.atNanos());
        }
    }

    private Call callOf(int number) {
        Call call = calls.get(number);
        if (call == null) {
            throw new IllegalArgumentException("call " + number + " is spoken of, and never was");
        }
        return call;
    }

    private void place(Call call) {
        if (call.lease() != null) {
            lease(call.lease()).calls.add(call);
        }
        Answer last = call.lastWord();
        boolean grants = call.asksForLease() || call.kind() == Kind.EXTEND;
        Tenure tenure = grants && last != null && call.isYes() ? tenure(last.tenure()) : null;
        if (tenure != null) {
            tenure.grants.add(call);
            if (call.kind() == Kind.ACQUIRE && call.isAnswered(Answer.Kind.YES)) {
                tenure.handles.add(call);
            }
        }
    }

    // ---- the database ----

    private void committed(Event.Committed committed) {
        Event.Author author = committed.author();
        boolean isPerson = author.kind() == Event.Author.Kind.CALLER || author.kind() == Event.Author.Kind.HAND;
        commits.add(new Commit(committed, isPerson ? null : machines.find(author.machine(), author.incarnation())));
    }

    private void majority(Event.Majority majority) {
        while (majoritySize < commits.size() && commits.get(majoritySize).event.version() <= majority.version()) {
            commits.get(majoritySize++).majorityNanos = majority.atNanos();
        }
    }

    private void rolledBack(Event.RolledBack rolledBack) {
        int sizeBefore = commits.size();
        while (!commits.isEmpty() && commits.get(commits.size() - 1).event.version() > rolledBack.toVersion()) {
            for (Change change : commits.remove(commits.size() - 1).event.changes()) {
                if (change instanceof Change.OfLease ofLease) {
                    lease(ofLease.lease()).takenBackNanos = rolledBack.atNanos();
                }
            }
        }
        rollbacksOfWrites += commits.size() < sizeBefore ? 1 : 0;
        majoritySize = Math.min(majoritySize, commits.size());
    }

    /** Reads a write that was not taken back as what it made of leases and sessions. */
    private void apply(Commit commit) {
        for (Change change : commit.event.changes()) {
            if (change instanceof Change.OfLease ofLease) {
                applyToLease(commit, ofLease);
            } else if (change instanceof Change.OfQueue queue) {
                lease(queue.lease()).queued(commit, queue);
            } else if (change instanceof Change.OfClock clock) {
                applyToEntries(commit, clock.before().writers(), clock.after().writers());
            }
        }
    }

    private void applyToLease(Commit commit, Change.OfLease change) {
        LeaseLog.Version version = lease(change.lease()).written(commit, change);
        LeaseRow row = version.row();
        if (row != null && version.begun() != null) {
            WriterLog.Version entry = writer(row.writer()).latest();
            if (entry == null || entry.row() == null) {
                version.lease().sessionEnded(row.writer(), commit);
            }
        }
    }

    private void applyToEntries(Commit commit, Map<String, WriterRow> before, Map<String, WriterRow> after) {
        for (String name : before.keySet()) {
            if (!after.containsKey(name)) {
                entryOf(name).changed(commit, null);
                leases.values().forEach(lease -> lease.sessionEnded(name, commit));
            }
        }
        after.forEach((name, row) -> {
            if (!row.equals(before.get(name))) {
                entryOf(name).changed(commit, row);
                if (commit.by != null) {
                    commit.by.wroteEntry(name, commit.atNanos);
                }
            }
        });
    }

    private WriterLog entryOf(String name) {
        return writers.computeIfAbsent(name, WriterLog::new);
    }

    // ---- when tenures were held ----

    private void validUntil(Event.ValidUntil said) {
        Incarnation by = machines.of(said.machine(), said.incarnation());
        ValidityWindow window = lease(said.tenure().lease()).lastWindow(by, said.tenure());
        if (window != null && !window.brokenOff && window.untilNanos >= said.atNanos()) {
            window.says(said);
        } else {
            lease(said.tenure().lease()).windows.add(new ValidityWindow(by, said));
        }
    }

    private void validityEnded(Event.ValidityEnded said) {
        Incarnation by = machines.of(said.machine(), said.incarnation());
        ValidityWindow window = lease(said.tenure().lease()).lastWindow(by, said.tenure());
        if (window != null) {
            window.saysOver(said.atNanos());
        }
    }

    /** What no step of a machine can rest on is not held there. It is asked again when it wakes. */
    private void cannotAct(int machine, long atNanos) {
        boolean asleep = !machines.isAwake(machine, atNanos, atNanos);
        for (LeaseLog lease : leases.values()) {
            for (ValidityWindow window : lease.windows) {
                if (window.by.machine == machine && (asleep || !window.by.isAliveAt(atNanos))) {
                    window.breaksOff(atNanos);
                }
            }
        }
    }
}
