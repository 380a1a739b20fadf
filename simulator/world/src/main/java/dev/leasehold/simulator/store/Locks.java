package dev.leasehold.simulator.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Which open transaction has written which document, and who waits behind one. */
final class Locks {

    private final Map<String, ServerTransaction> holders = new HashMap<>();
    private final List<SingleWrite> waiting = new ArrayList<>();

    boolean isFree(String id) {
        return !holders.containsKey(id);
    }

    /** Whether the transaction has the document from now on. */
    boolean take(String id, ServerTransaction transaction) {
        ServerTransaction holder = holders.putIfAbsent(id, transaction);
        return holder == null || holder == transaction;
    }

    /** What it held, it held for what it wrote, and perhaps for the one document at which it failed. */
    void release(ServerTransaction transaction) {
        holders.values().removeIf(holder -> holder == transaction);
    }

    void await(SingleWrite write) {
        waiting.add(write);
    }

    /** Whether it was waiting. */
    boolean stopWaiting(SingleWrite write) {
        return waiting.remove(write);
    }

    /** Those of these sessions wait no longer. */
    void interrupt(List<UUID> driverSessions) {
        for (SingleWrite write : List.copyOf(waiting)) {
            if (driverSessions.contains(write.session().id())) {
                write.interrupt();
            }
        }
    }

    /** In the order in which they came. One that is still in nobody's favour waits again. */
    void wake() {
        if (!waiting.isEmpty()) {
            List<SingleWrite> due = List.copyOf(waiting);
            waiting.clear();
            due.forEach(SingleWrite::goOn);
        }
    }

    void clear() {
        holders.clear();
        waiting.clear();
    }
}
