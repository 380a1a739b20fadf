package dev.leasehold.simulator.estimate;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Operation;
import dev.leasehold.simulator.plan.History;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** Reads from a history what an estimate is about. What the observer does at the end is left out. */
final class HistoryReading {

    static final long NEVER = -1;

    private final Map<Integer, Event.Called> calls = new HashMap<>();
    private long diedNanos = NEVER;
    private long tookNanos = NEVER;
    private long begun;
    private long gates;
    private long refused;
    private long unknown;
    private long reads;

    HistoryReading(History history) {
        for (Event event : history.events()) {
            if (event instanceof Event.Healed) {
                return;
            }
            read(event);
        }
    }

    /** From the holder's death until the next one was told that it holds; {@link #NEVER} if that did not come. */
    long takeOverNanos() {
        return diedNanos == NEVER || tookNanos == NEVER ? NEVER : tookNanos - diedNanos;
    }

    GateShares gates() {
        // Each body reads when it begins.
        return new GateShares(gates, refused, unknown, reads - begun);
    }

    private void read(Event event) {
        if (event instanceof Event.Broken broken) {
            throw new IllegalStateException("the engine failed in a history for an estimate: " + broken);
        } else if (event instanceof Event.Called called) {
            calls.put(called.call(), called);
            begun += called.operation().kind() == Operation.Kind.GATE ? 1 : 0;
        } else if (event instanceof Event.Answered answered) {
            read(answered, Objects.requireNonNull(calls.get(answered.call())));
        } else if (event instanceof Event.Stopped stopped
                && stopped.machine() == PlanDraw.HOLDER
                && stopped.crashed()) {
            diedNanos = stopped.atNanos();
        } else if (event instanceof Event.Message message
                && message.leg() == Event.Leg.SENT
                && message.what().equals("caller's read")) {
            reads++;
        }
    }

    private void read(Event.Answered answered, Event.Called called) {
        Answer.Kind answer = answered.answer().kind();
        if (called.operation().kind() == Operation.Kind.GATE) {
            gates++;
            refused += answer == Answer.Kind.NO ? 1 : 0;
            unknown += answer == Answer.Kind.UNKNOWN ? 1 : 0;
        } else if (called.operation().kind() == Operation.Kind.ACQUIRE
                && called.machine() != PlanDraw.HOLDER
                && answer == Answer.Kind.YES
                && tookNanos == NEVER) {
            tookNanos = answered.atNanos();
        }
    }
}
