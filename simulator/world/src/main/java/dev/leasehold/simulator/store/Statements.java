package dev.leasehold.simulator.store;

import dev.leasehold.engine.internal.store.GuardedTransaction;
import dev.leasehold.engine.internal.store.LeaseWrite;
import java.util.ArrayList;
import java.util.List;

/**
 * The commands of one transaction: the clock's statement, then updates of leases, then removals. Neighbours of one kind go into one
 * command, as the driver sends them.
 */
final class Statements {

    /**
     * Statements that are sent as one command.
     *
     * @param what for the history
     * @param statements in their order
     * @param isFollowedAnyway whether the next command is sent even if a guard missed, since nobody looks before
     */
    record Part(String what, List<Statement> statements, boolean isFollowedAnyway) {}

    private final List<Part> parts = new ArrayList<>(2);
    private final boolean clockApart;

    Statements(String namespace, GuardedTransaction transaction) {
        this.clockApart = transaction.clockApart();
        List<Statement> updates = new ArrayList<>(1 + transaction.writes().size());
        List<Statement> removals = new ArrayList<>(0);
        updates.add(new ClockStatements.OfTransaction(namespace, transaction.clock()));
        if (clockApart) {
            parts.add(new Part("update clock", updates, false));
            updates = new ArrayList<>(transaction.writes().size());
        }
        for (LeaseWrite write : transaction.writes()) {
            (write instanceof LeaseWrite.Remove ? removals : updates)
                    .add(new LeaseStatements.OfEngine(Ids.lease(namespace, write.name()), write));
            for (int stripe = 1; stripe <= write.stripes(); stripe++) {
                addStripe(Ids.stripe(namespace, write.name(), stripe), namespace, write, updates, removals);
            }
        }
        if (!updates.isEmpty()) {
            parts.add(new Part("update", updates, !removals.isEmpty()));
        }
        if (!removals.isEmpty()) {
            parts.add(new Part("delete", removals, false));
        }
    }

    private static void addStripe(
            String id, String namespace, LeaseWrite write, List<Statement> updates, List<Statement> removals) {
        if (write instanceof LeaseWrite.Insert insert) {
            updates.add(new LeaseStatements.Follow(id, insert.document()));
        } else if (write instanceof LeaseWrite.Replace replace) {
            updates.add(new LeaseStatements.Follow(id, replace.document()));
        } else {
            updates.add(new LeaseStatements.Exist(id, namespace, write.name()));
            removals.add(new LeaseStatements.Removal(id));
        }
    }

    List<Part> parts() {
        return parts;
    }

    boolean areBehindTheClock(int part) {
        return clockApart && part > 0;
    }
}
