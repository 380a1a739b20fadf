package dev.leasehold.simulator.estimate;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Handlers;
import dev.leasehold.simulator.history.Operation;
import dev.leasehold.simulator.plan.History;
import java.util.HashMap;
import java.util.Map;

/** What is read from a history for an estimate. What the observer does at the end is left out. */
final class Measurement {

    static final long NEVER = -1;

    private final Handlers<Event> handlers = new Handlers<Event>()
            .on(Event.Called.class, this::called)
            .on(Event.Answered.class, this::answered)
            .on(Event.Stopped.class, this::stopped)
            .on(Event.Message.class, this::message)
            .on(Event.Healed.class, it -> over = true)
            .on(Event.Broken.class, it -> {
                throw new IllegalStateException("the engine failed in a history for an estimate: " + it);
            });

    private final Map<Integer, Event.Called> calls = new HashMap<>();
    private boolean over;
    private long diedNanos = NEVER;
    private long tookNanos = NEVER;
    private long begun;
    private long bodies;
    private long gates;
    private long refused;
    private long unknown;

    Measurement(History history) {
        for (Event event : history.events()) {
            handlers.handle(event);
            if (over) {
                return;
            }
        }
    }

    /** From the holder's death until the next one was told that it holds; {@link #NEVER} if that did not come. */
    long takeOverNanos() {
        return diedNanos == NEVER || tookNanos == NEVER ? NEVER : tookNanos - diedNanos;
    }

    /** How many gated transactions have ended. */
    long gates() {
        return gates;
    }

    /** How many of them were refused, because the tenure was over. */
    long refused() {
        return refused;
    }

    /** Of how many of them nobody was told whether they were committed. */
    long unknown() {
        return unknown;
    }

    /** How often the body of one was run once more, because of a conflict. */
    long retries() {
        return bodies - begun;
    }

    private static boolean isGate(Event.Called called) {
        return called.operation().kind() == Operation.Kind.GATE;
    }

    private void called(Event.Called it) {
        calls.put(it.call(), it);
        begun += isGate(it) ? 1 : 0;
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

    /** Each body reads when it begins. */
    private void message(Event.Message it) {
        bodies += it.leg() == Event.Leg.SENT && it.what().equals("caller's read") ? 1 : 0;
    }
}
