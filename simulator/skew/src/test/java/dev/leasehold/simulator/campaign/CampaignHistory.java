package dev.leasehold.simulator.campaign;

import dev.leasehold.simulator.checker.Conditions;
import dev.leasehold.simulator.checker.Recording;
import dev.leasehold.simulator.clock.Machine;
import dev.leasehold.simulator.clock.MachineClock;
import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Event.Committed;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Operation;
import dev.leasehold.simulator.history.Operation.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes a history of what processes wrote into their journals and what the database told of its commits. All machines have one clock, that
 * of true time.
 */
final class CampaignHistory {

    /** By how much a thread may be late on a machine that is busy with all of this. */
    private static final long LATE_NANOS = 1_000_000_000;

    private final List<Event> journals;
    private final CommitTimes times;
    private final Map<Integer, Event.Called> calls = new HashMap<>();
    private int machines;

    /**
     * Of a campaign that is over.
     *
     * @param journals of all processes, each in its order
     * @param commits in the order of the database
     */
    CampaignHistory(List<Event> journals, List<Committed> commits) {
        this.journals = new ArrayList<>(journals);
        this.journals.sort(Comparator.comparingLong(Event::atNanos));
        Map<ProcessName, Event.Started> starts = new HashMap<>();
        for (Event event : this.journals) {
            if (event instanceof Event.Called called) {
                calls.put(called.call(), called);
            } else if (event instanceof Event.Started started) {
                starts.put(new ProcessName(started.machine(), started.incarnation()), started);
                machines = Math.max(machines, started.machine() + 1);
            }
        }
        times = new CommitTimes(commits, starts);
    }

    Recording recording() {
        journals.forEach(this::bound);
        List<Event> events = new ArrayList<>(times.events());
        events.addAll(journals);
        // What stands first comes first: at one instant a commit before what rests on it.
        events.sort(Comparator.comparingLong(Event::atNanos));
        if (!events.isEmpty()) {
            events.add(new Event.Finished(events.get(events.size() - 1).atNanos()));
        }
        return new Recording(
                conditions(),
                Collections.nCopies(machines, new MachineClock(new Machine(0, 0, 1, List.of()))),
                events,
                (writer, machine, incarnation) ->
                        new ProcessName(machine, incarnation).equals(ProcessName.find(writer)));
    }

    /** Of limits of effort and liveness nothing is asked: faults go on to the end. */
    private Conditions conditions() {
        return new Conditions(
                true,
                1_000,
                Collections.nCopies(machines, Contender.SESSION.toNanos()),
                Collections.nCopies(machines, 0L),
                Contender.OPERATION_BUDGET.toNanos(),
                Contender.COMMAND_BUDGET.toNanos(),
                Contender.OPERATION_BUDGET.toNanos(),
                0,
                1,
                LATE_NANOS,
                0,
                0,
                0,
                true,
                -1);
    }

    // ---- what a word means for the commits ----

    private void bound(Event event) {
        if (event instanceof Event.Answered answered) {
            bound(calls.get(answered.call()), answered.answer(), answered.atNanos());
        } else if (event instanceof Event.Resolved resolved) {
            bound(calls.get(resolved.call()), resolved.answer(), resolved.atNanos());
        } else if (event instanceof Event.ValidUntil said) {
            ProcessName by = new ProcessName(said.machine(), said.incarnation());
            times.wasValidUntil(said.tenure(), by, said.untilNanos(), said.atNanos());
        } else if (event instanceof Event.Lost lost) {
            bound(lost);
        }
    }

    private void bound(Event.Lost lost) {
        if (lost.reason().equals("TAKEN_OVER")) {
            times.hadEnded(lost.tenure(), lost.atNanos());
        } else if (lost.reason().equals("EVICTED")) {
            times.entryWasRemoved(new ProcessName(lost.machine(), lost.incarnation()), lost.atNanos());
        }
    }

    private void bound(Event.Called call, Answer answer, long atNanos) {
        Operation operation = call.operation();
        HeldTenure tenure = answer.tenure() == null ? operation.tenure() : answer.tenure();
        if (answer.kind() == Answer.Kind.NO) {
            answer.shown().forEach(shown -> bound(shown, atNanos));
            if (operation.kind() == Kind.GATE) {
                times.hadEnded(tenure, atNanos);
            }
        } else if (answer.kind() == Answer.Kind.YES) {
            switch (operation.kind()) {
                case CLAIM, TAKE_OVER, ACQUIRE -> times.hadBegun(tenure, atNanos);
                case EXTEND -> {
                    ProcessName by = new ProcessName(call.machine(), call.incarnation());
                    times.hadBeenExtended(tenure, by, call.atNanos(), operation.durationNanos(), atNanos);
                }
                case RELEASE, EXPIRE -> times.endWasWritten(tenure, atNanos);
                case GATE -> times.gateHadCommitted(call.call(), atNanos);
                default -> {}
            }
        }
    }

    private void bound(Answer.Shown shown, long atNanos) {
        if (shown.holder() != null) {
            times.hadBegun(new HeldTenure(shown.lease(), shown.holder(), shown.token()), atNanos);
        } else {
            times.hadEnded(shown.lease(), shown.token(), atNanos);
        }
    }
}
