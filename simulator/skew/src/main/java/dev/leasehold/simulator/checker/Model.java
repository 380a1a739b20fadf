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
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A recorded history, put in order: the engines, the calls, what the database committed for good, and when tenures were held. */
final class Model {

    private record Held(Incarnation by, HeldTenure tenure) {}

    final Conditions conditions;
    final LivenessBounds bounds;
    final Machines machines;
    private final Map<Integer, Call> calls = new LinkedHashMap<>();
    /** What was committed and not taken back, in its order. */
    final List<Commit> commits = new ArrayList<>();

    private final Map<String, LeaseLog> leases = new LinkedHashMap<>();
    /** What the documents of all leases went through. */
    final List<LeaseLog.Version> versions = new ArrayList<>();
    /** Those of all leases. */
    final List<Tenure> tenures = new ArrayList<>();

    private final Map<String, WriterLog> writers = new LinkedHashMap<>();
    private final Map<Held, ValidityWindow> open = new HashMap<>();
    private final Map<Held, ValidityWindow> asleep = new HashMap<>();
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
                .on(Event.Called.class, this::called)
                .on(Event.Answered.class, answered -> callOf(answered.call()).answered(answered))
                .on(Event.Resolved.class, resolved -> callOf(resolved.call()).resolved(resolved))
                .on(Event.Lost.class, lost -> callOf(lost.handle()).lost(lost))
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
                message(message);
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
                    ended.judgeEnd(version);
                }
            }
        }
    }

    // ---- what invariants read ----

    boolean isInside() {
        return conditions.inside();
    }

    /** In the order in which they began. */
    Collection<Call> calls() {
        return calls.values();
    }

    /** The call of that number; null for none. */
    @Nullable Call call(int number) {
        return calls.get(number);
    }

    Collection<LeaseLog> leases() {
        return leases.values();
    }

    LeaseLog lease(String name) {
        return leases.computeIfAbsent(name, LeaseLog::new);
    }

    @Nullable Tenure tenure(@Nullable HeldTenure held) {
        LeaseLog lease = held == null ? null : leases.get(held.lease());
        return lease == null ? null : lease.tenure(held);
    }

    Collection<WriterLog> writers() {
        return writers.values();
    }

    @Nullable WriterLog writer(String name) {
        return writers.get(name);
    }

    /** Whether the entry of any writer of an engine was removed by then. */
    boolean hasRemovedEntryOf(Incarnation engine, long atNanos) {
        return writers.values().stream()
                .anyMatch(writer -> engine.isWriter(writer.name) && writer.wasRemovedBy(atNanos));
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
                freeNanos = Math.max(freeNanos, Math.min(leftNanos, finishedNanos) + bounds.orphanNanos());
            }
        }
        return freeNanos;
    }

    /** Whether a history came to its end within the assumptions, and behind its faults. */
    boolean isWhole() {
        return isInside() && healedNanos < Incarnation.NEVER && finishedNanos < Incarnation.NEVER;
    }

    /** Whether liveness is guaranteed: in a whole history, on a network on which answers come in time. */
    boolean isLive() {
        return isWhole() && conditions.answersComeInTime();
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

    private void message(Event.Message message) {
        switch (message.leg()) {
            case REQUEST_LOST, REPLY_LOST, GIVEN_UP -> machines.lostMessage(message);
            case SENT, EXECUTED, ANSWERED, RECEIVED -> {}
        }
    }

    // ---- calls ----

    private void called(Event.Called called) {
        Call call = new Call(called, machines.of(called.machine(), called.incarnation()));
        calls.put(called.call(), call);
        if (call.kind() == Kind.CLOSE_ENGINE) {
            call.by.closing(called.atNanos());
        } else if (call.kind() == Kind.CLOSE_HANDLE) {
            handleOf(call).closed(called.atNanos());
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
        boolean byEngine = switch (author.kind()) {
            case TRANSACTION, SINGLE_WRITE -> author.machine() >= 0;
            case CALLER, HAND -> false;
        };
        commits.add(new Commit(committed, byEngine ? machines.find(author.machine(), author.incarnation()) : null));
    }

    private void majority(Event.Majority majority) {
        while (majoritySize < commits.size() && commits.get(majoritySize).event.version() <= majority.version()) {
            commits.get(majoritySize++).majorityHasIt(majority.atNanos());
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
            } else if (change instanceof Change.OfClock clock) {
                applyToEntries(commit, clock.before().writers(), clock.after().writers());
            }
        }
    }

    private void applyToLease(Commit commit, Change.OfLease change) {
        LeaseLog lease = lease(change.lease());
        lease.written(commit, change);
        LeaseRow row = change.after();
        if (row != null && hasJustBegun(lease)) {
            WriterLog writer = writers.get(row.writer());
            WriterLog.Version entry = writer == null ? null : writer.latest();
            if (entry == null || entry.row() == null) {
                lease.sessionEnded(row.writer(), commit);
            }
        }
    }

    private static boolean hasJustBegun(LeaseLog lease) {
        LeaseLog.Version latest = lease.latest();
        return latest != null && latest.begun() != null;
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
            }
        });
    }

    private WriterLog entryOf(String name) {
        return writers.computeIfAbsent(name, WriterLog::new);
    }

    // ---- when tenures were held ----

    private void validUntil(Event.ValidUntil said) {
        Held held = new Held(machines.of(said.machine(), said.incarnation()), said.tenure());
        ValidityWindow window = open.get(held);
        if (window != null && window.untilNanos >= said.atNanos()) {
            window.says(said);
            return;
        }
        asleep.remove(held);
        ValidityWindow begun = new ValidityWindow(held.by(), said);
        open.put(held, begun);
        lease(said.tenure().lease()).windows.add(begun);
    }

    private void validityEnded(Event.ValidityEnded said) {
        Held held = new Held(machines.of(said.machine(), said.incarnation()), said.tenure());
        ValidityWindow window = open.remove(held);
        ValidityWindow over = window == null ? asleep.remove(held) : window;
        if (over != null) {
            over.saysOver(said.atNanos());
        }
    }

    /** What no step of a machine can rest on is not held there. It is asked again when it wakes. */
    private void cannotAct(int machine, long atNanos) {
        open.values().removeIf(window -> {
            Incarnation by = window.by;
            boolean stops = by.machine == machine
                    && (by.stoppedNanos <= atNanos || !machines.isAwake(machine, atNanos, atNanos));
            if (stops) {
                window.cutAt(atNanos);
                asleep.put(new Held(by, window.tenure), window);
            }
            return stops;
        });
    }
}
