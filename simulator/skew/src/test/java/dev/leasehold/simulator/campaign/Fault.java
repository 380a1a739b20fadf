package dev.leasehold.simulator.campaign;

import dev.leasehold.replicaset.ClientNetwork.Cut;
import java.util.List;

/**
 * One fault of a plan.
 *
 * @param victim picks which node it hits, not negative
 * @param atPrimary whether a fault of a node hits the primary instead
 * @param cut what a cut of a network looks like
 * @param durationMillis how long until it is undone, if it is one that is undone
 * @param calmMillis how long until the next one
 */
record Fault(FaultKind kind, int victim, boolean atPrimary, Cut cut, long durationMillis, long calmMillis) {

    <T> T pick(List<T> candidates) {
        return candidates.get(victim % candidates.size());
    }
}
