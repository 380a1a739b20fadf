package dev.leasehold.simulator.estimate;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Handlers;
import dev.leasehold.simulator.history.Operation;
import dev.leasehold.simulator.plan.History;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What is counted in the histories of one line of an estimate. What the observer does at the end is left out. */
final class Measurement {

    private static final long NEVER = -1;

    private final Handlers<Event> handlers = new Handlers<Event>()
            .on(Event.Called.class, this::called)
            .on(Event.Answered.class, this::answered)
            .on(Event.Stopped.class, this::stopped)
            .on(Event.Message.class, this::message)
            .on(Event.Healed.class, it -> over = true)
            .on(Event.Broken.class, it -> {
                throw new IllegalStateException("the engine failed in a history for an estimate: " + it);
            });

    private final List<Long> delaysNanos = new ArrayList<>();
    private int histories;
    private long gates;
    private long refused;
    private long retries;
    private long unknown;

    // Of the history that is being added.
    private final Map<Integer, Event.Called> calls = new HashMap<>();
    private boolean over;
    private long diedNanos;
    private long tookNanos;

    void add(History history) {
        calls.clear();
        over = false;
        diedNanos = NEVER;
        tookNanos = NEVER;
        for (Event event : history.events()) {
            if (!over) {
                handlers.handle(event);
            }
        }
        histories++;
        if (diedNanos != NEVER && tookNanos != NEVER) {
            delaysNanos.add(tookNanos - diedNanos);
        }
    }

    /** All that was counted. */
    Estimate.Line line(LeaseKind kind, HolderCase holder) {
        List<Long> sorted = delaysNanos.stream().sorted().toList();
        return new Estimate.Line(kind, holder, sorted, histories, gates, refused, retries, unknown);
    }

    private static boolean isGate(Event.Called called) {
        return called.operation().kind() == Operation.Kind.GATE;
    }

    /** Each run of a body reads when it begins; those beyond the first are retries. */
    private void called(Event.Called it) {
        calls.put(it.call(), it);
        retries -= isGate(it) ? 1 : 0;
    }

    private void message(Event.Message it) {
        retries += it.leg() == Event.Leg.SENT && it.what().equals("caller's read") ? 1 : 0;
    }

    private void answered(Event.Answered it) {
        Event.Called called = calls.get(it.call());
        Answer.Kind answer = it.answer().kind();
        if (called == null) {
            throw new IllegalArgumentException("an answer without a call: " + it);
        }
        if (isGate(called)) {
            gates++;
            refused += answer == Answer.Kind.NO ? 1 : 0;
            unknown += answer == Answer.Kind.UNKNOWN ? 1 : 0;
        } else if (called.operation().kind() == Operation.Kind.ACQUIRE
                && called.machine() != EstimatePlan.HOLDER
                && answer == Answer.Kind.YES
                && tookNanos == NEVER) {
            tookNanos = it.atNanos();
        }
    }

    private void stopped(Event.Stopped it) {
        if (it.machine() == EstimatePlan.HOLDER && it.crashed()) {
            diedNanos = it.atNanos();
        }
    }
}
