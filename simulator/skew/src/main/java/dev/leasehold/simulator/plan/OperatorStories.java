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
        int entity = draft.draws().pick(2);
        draft.add(atNanos, draft.machine(), new Action.Pin(lease, entity));
        if (!draft.draws().oneIn(5)) {
            draft.add(
                    atNanos + draft.draws().spread(MILLI, 10 * SECOND),
                    draft.machine(),
                    new Action.Unpin(lease, entity));
        }
    }
}
