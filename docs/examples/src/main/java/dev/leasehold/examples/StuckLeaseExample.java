package dev.leasehold.examples;

import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseResult;
import dev.leasehold.engine.LeaseState;

/** What an operator does about a lease that is stuck. */
final class StuckLeaseExample {

    private StuckLeaseExample() {}

    static LeaseResult force(LeaseEngine engine, String name) throws InterruptedException {
        // example:start force
        LeaseResult result = engine.admin().forceExpire(name, "holder hangs, ticket 4711");
        // example:end force
        return result;
    }

    static void unpin(LeaseEngine engine, String name) throws InterruptedException {
        // example:start unpin
        if (engine.admin().inspect(name) instanceof LeaseState.Vacant vacant) {
            for (String entity : vacant.pins()) {
                engine.admin().unpin(name, entity);
            }
        }
        // example:end unpin
    }
}
