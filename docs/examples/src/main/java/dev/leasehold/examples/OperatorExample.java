package dev.leasehold.examples;

import dev.leasehold.engine.LeaseAdmin;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseResult;

/** What people do to leases that they do not hold. */
final class OperatorExample {

    private OperatorExample() {}

    static LeaseResult forceExpire(LeaseEngine engine) throws InterruptedException {
        // example:start force-expire
        LeaseResult result = engine.admin().forceExpire("invoices", "hangs, ticket 4711");
        // example:end force-expire
        return result;
    }

    static void maintenance(LeaseEngine engine, Runnable maintenance) throws InterruptedException {
        // example:start pin
        LeaseAdmin operator = engine.admin();
        if (!operator.pin("report", "maintenance of the archive")) {
            throw new IllegalStateException("no process has held the lease yet, or its document was removed");
        }
        try {
            maintenance.run(); // the present holder goes on, and no other process takes the lease
        } finally {
            operator.unpin("report", "maintenance of the archive");
        }
        // example:end pin
    }
}
