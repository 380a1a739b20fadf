package dev.leasehold.simulator.checker;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Faults;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Operation.Kind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A recorded history, put in order: the engines, the calls, what the database committed for good, and when tenures were held. */
final class Model implements Event.Visitor {

    private final Conditions conditions;
    private final LivenessBounds bounds;
    private final Machines machines;
    private final List<Call> calls = new ArrayList<>();
    private final List<@Nullable Call> callsByNumber = new ArrayList<>();
    private final List<Commit> commits = new ArrayList<>();
    private final List<ValidityWindow> open = new ArrayList<>();
    private final List<ValidityWindow> asleep = new ArrayList<>();
    private final List<Event.Lost> losses = new ArrayList<>();
    private final List<Event> told = new ArrayList<>();
    private final DocumentLogs documents = new DocumentLogs();
    private int majoritySize;
    private int rollbacks;
    private int rollbacksOfWrites;
    private long healedNanos = Incarnation.NEVER;
    private long finishedNanos = Incarnation.NEVER;

    Model(Recording recording) {
        this.conditions = recording.conditions();
        this.bounds = new LivenessBounds(recording.conditions());
        this.machines = new Machines(recording.clocks());
        List<Event> events = recording.events();
        for (int i = 0; i < events.size(); i++) {
            events.get(i).accept(this);
        }
        for (int i = 0; i < commits.size(); i++) {
            documents.committed(commits.get(i));
        }
        for (int i = 0; i < calls.size(); i++) {
            place(calls.get(i));
        }
        for (int i = 0; i < losses.size(); i++) {
            callsByNumber(losses.get(i).handle()).lost(losses.get(i));
        }
        for (int i = 0; i < documents.leases().size(); i++) {
            TenureEnds.judge(documents.leases().get(i));
        }
    }

    // ---- what invariants read ----

    Conditions conditions() {
        return conditions;
    }

    LivenessBounds bounds() {
        return bounds;
    }

    Machines machines() {
        return machines;
    }

    /** In the order in which they began. */
    List<Call> calls() {
        return calls;
    }

    /** What was committed and not taken back, in its order. */
    List<Commit> commits() {
        return commits;
    }

    List<LeaseLog> leases() {
        return documents.leases();
    }

    LeaseLog lease(String name) {
        return documents.lease(name);
    }

    List<WriterLog> writers() {
        return documents.writers();
    }

    @Nullable WriterLog writer(String name) {
        return documents.writer(name);
    }

    @Nullable Tenure tenure(@Nullable HeldTenure held) {
        return held == null ? null : lease(held.lease()).tenure(held);
    }

    /** The handle that a call closes, as the call by which it was acquired. */
    Call handleOf(Call close) {
        Integer handle = close.operation().handle();
        if (handle == null) {
            throw new IllegalArgumentException(close + " closes no handle");
        }
        return callsByNumber(handle);
    }

    /** What was told of engines and of the database that is none of a call's. */
    List<Event> told() {
        return told;
    }

    /** How many times writes were taken back. */
    int rollbacks() {
        return rollbacks;
    }

    /** How many of those took back any. */
    int rollbacksOfWrites() {
        return rollbacksOfWrites;
    }

    /** When the faults were over by plan; NEVER if they were not. */
    long healedNanos() {
        return healedNanos;
    }

    /** When the last fault was over: the healing, or earlier where there were none. */
    long healthyNanos() {
        return Math.min(healedNanos, machines.faultsNanos());
    }

    /** When the history was over; NEVER if it broke off. */
    long finishedNanos() {
        return finishedNanos;
    }

    /** Whether the entry of any writer of an engine was removed by then. */
    boolean hasRemovedEntryOf(Incarnation engine, long atNanos) {
        for (WriterLog writer : documents.writers()) {
            if (engine.isWriter(writer.name()) && writer.wasRemovedBy(atNanos)) {
                return true;
            }
        }
        return false;
    }

    // ---- putting in order ----

    @Override
    public void on(Event.Started started) {
        machines.started(started);
    }

    @Override
    public void on(Event.Stopped stopped) {
        Incarnation incarnation = machines.find(stopped.machine(), stopped.incarnation());
        if (incarnation != null) {
            incarnation.stopped(stopped.atNanos());
            cannotAct(stopped.machine(), stopped.atNanos());
        }
    }

    @Override
    public void on(Event.Fault fault) {
        boolean sleeps = machines.befall(fault);
        if (sleeps || fault.fault().equals(Faults.CRASH)) {
            cannotAct(fault.machine(), fault.atNanos());
        }
        told.add(fault);
    }

    @Override
    public void on(Event.Message message) {
        switch (message.leg()) {
            case REQUEST_LOST, REPLY_LOST, GIVEN_UP -> machines.lostMessage(message);
            case SENT, EXECUTED, ANSWERED, RECEIVED -> {}
        }
    }

    @Override
    public void on(Event.Called called) {
        Call call = new Call(called, machines.of(called.machine(), called.incarnation()));
        calls.add(call);
        while (callsByNumber.size() <= called.call()) {
            callsByNumber.add(null);
        }
        callsByNumber.set(called.call(), call);
        if (call.kind() == Kind.CLOSE_ENGINE) {
            call.by().closing(called.atNanos());
        } else if (call.kind() == Kind.CLOSE_HANDLE) {
            handleOf(call).closed(called.atNanos());
        }
    }

    @Override
    public void on(Event.Answered answered) {
        callsByNumber(answered.call()).answered(answered);
    }

    @Override
    public void on(Event.Resolved resolved) {
        callsByNumber(resolved.call()).resolved(resolved);
    }

    @Override
    public void on(Event.Committed committed) {
        Event.Author author = committed.author();
        commits.add(new Commit(committed, author.machine() < 0 ? null : byEngine(author)));
    }

    private @Nullable Incarnation byEngine(Event.Author author) {
        return switch (author.kind()) {
            case TRANSACTION, SINGLE_WRITE -> machines.find(author.machine(), author.incarnation());
            case CALLER, HAND -> null;
        };
    }

    @Override
    public void on(Event.Majority majority) {
        while (majoritySize < commits.size()
                && commits.get(majoritySize).event().version() <= majority.version()) {
            commits.get(majoritySize++).majorityHasIt(majority.atNanos());
        }
    }

    @Override
    public void on(Event.RolledBack rolledBack) {
        rollbacks++;
        int sizeBefore = commits.size();
        while (!commits.isEmpty() && commits.get(commits.size() - 1).event().version() > rolledBack.toVersion()) {
            documents.takenBack(commits.remove(commits.size() - 1), rolledBack.atNanos());
        }
        rollbacksOfWrites += commits.size() < sizeBefore ? 1 : 0;
        majoritySize = Math.min(majoritySize, commits.size());
    }

    @Override
    public void on(Event.Believed said) {
        Incarnation by = machines.of(said.machine(), said.incarnation());
        ValidityWindow window = find(open, by, said.tenure());
        if (window != null && window.untilNanos() >= said.atNanos()) {
            window.says(said);
            return;
        }
        open.remove(window);
        asleep.remove(find(asleep, by, said.tenure()));
        ValidityWindow begun = new ValidityWindow(by, said);
        open.add(begun);
        lease(said.tenure().lease()).windows().add(begun);
    }

    @Override
    public void on(Event.Doubted said) {
        Incarnation by = machines.of(said.machine(), said.incarnation());
        ValidityWindow window = find(open, by, said.tenure());
        ValidityWindow over = window == null ? find(asleep, by, said.tenure()) : window;
        if (over != null) {
            over.doubtedAt(said.atNanos());
            open.remove(over);
            asleep.remove(over);
        }
    }

    private static @Nullable ValidityWindow find(List<ValidityWindow> windows, Incarnation by, HeldTenure tenure) {
        for (int i = 0; i < windows.size(); i++) {
            if (windows.get(i).by() == by && windows.get(i).tenure().equals(tenure)) {
                return windows.get(i);
            }
        }
        return null;
    }

    /** What no step of a machine can rest on is held by nobody there. It is asked again when it wakes. */
    private void cannotAct(int machine, long atNanos) {
        for (int i = open.size() - 1; i >= 0; i--) {
            ValidityWindow window = open.get(i);
            if (window.by().machine() == machine
                    && (window.by().stoppedNanos() <= atNanos || !machines.isAwake(machine, atNanos, atNanos))) {
                window.cutAt(atNanos);
                asleep.add(open.remove(i));
            }
        }
    }

    @Override
    public void on(Event.Lost lost) {
        losses.add(lost);
    }

    @Override
    public void on(Event.Revived revived) {
        told.add(revived);
    }

    @Override
    public void on(Event.Disagreed disagreed) {
        told.add(disagreed);
    }

    @Override
    public void on(Event.Reached reached) {
        told.add(reached);
    }

    @Override
    public void on(Event.Exceeded exceeded) {
        told.add(exceeded);
    }

    @Override
    public void on(Event.Broken broken) {
        told.add(broken);
    }

    @Override
    public void on(Event.Healed healed) {
        healedNanos = healed.atNanos();
    }

    @Override
    public void on(Event.Finished finished) {
        finishedNanos = finished.atNanos();
    }

    private Call callsByNumber(int number) {
        Call call = number >= 0 && number < callsByNumber.size() ? callsByNumber.get(number) : null;
        if (call == null) {
            throw new IllegalArgumentException("call " + number + " is spoken of, and never was");
        }
        return call;
    }

    /** The call of that number; null for none. */
    @Nullable Call call(int number) {
        return number >= 0 && number < callsByNumber.size() ? callsByNumber.get(number) : null;
    }

    private void place(Call call) {
        String about = call.lease();
        if (about != null) {
            lease(about).calls().add(call);
        }
        Answer last = call.lastWord();
        boolean grants = call.asksForLease() || call.kind() == Kind.EXTEND;
        Tenure tenure = grants && last != null && last.kind() == Answer.Kind.YES ? tenure(last.tenure()) : null;
        if (tenure != null) {
            tenure.grants().add(call);
            if (call.kind() == Kind.ACQUIRE && call.isAnswered(Answer.Kind.YES)) {
                tenure.handles().add(call);
            }
        }
    }
}
