package dev.leasehold.examples;

import dev.leasehold.engine.LeaseAdmin;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseResult;
import dev.leasehold.engine.LeaseState;
import java.util.function.Consumer;

/** What people do to leases that they do not hold. */
final class OperatorExample {

    private OperatorExample() {}

    static void list(LeaseEngine engine, Consumer<String> print) throws InterruptedException {
        // example:start list
        LeaseAdmin operator = engine.admin();
        for (LeaseState state : operator.leases()) {
            print.accept(state.describe());
        }
        print.accept(operator.inspect("report").describe());
        // example:end list
    }

    static String forceExpire(LeaseEngine engine) throws InterruptedException {
        // example:start force-expire
        LeaseResult answer = engine.admin().forceExpire("report", "hangs since noon, ticket 4711");
        return answer.isGranted() ? "ended token " + answer.orElseThrow().token() : "nobody held it";
        // example:end force-expire
    }

    static void maintenance(LeaseEngine engine, Runnable maintenance) throws InterruptedException {
        // example:start pin
        LeaseAdmin operator = engine.admin();
        operator.pin("report", "maintenance of the archive");
        try {
            maintenance.run(); // whoever holds the lease goes on; nobody takes it anew
        } finally {
            operator.unpin("report", "maintenance of the archive");
        }
        // example:end pin
    }
}
