package dev.leasehold.simulator.plan;

import static dev.leasehold.simulator.plan.Nanos.MILLI;
import static dev.leasehold.simulator.plan.Nanos.SECOND;

/** What operators do. */
final class OperatorStories {

    private OperatorStories() {}

    static void forceExpire(Draft draft) {
        draft.add(draft.instant(), draft.machine(), new Action.ForceExpire(draft.lease()));
    }

    /** Most pins are taken away again. */
    static void pin(Draft draft) {
        long atNanos = draft.instant();
        int lease = draft.lease();
        int entity = draft.seededRandom().pick(2);
        draft.add(atNanos, draft.machine(), new Action.Pin(lease, entity));
        if (!draft.seededRandom().oneIn(5)) {
            draft.add(
                    atNanos + draft.seededRandom().spread(MILLI, 10 * SECOND),
                    draft.machine(),
                    new Action.Unpin(lease, entity));
        }
    }
}
