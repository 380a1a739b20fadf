package dev.leasehold.examples;

import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.replicaset.TestDatabase;
import java.util.List;

/** An engine for an example, and what it is asked afterwards. */
final class ExampleEngine {

    private ExampleEngine() {}

    static LeaseEngine start(TestDatabase database) {
        return LeaseEngine.builder(database.newClient())
                .database(database.name())
                .namespace("examples")
                .build();
    }

    static LeaseState stateOf(LeaseEngine engine, String lease) throws InterruptedException {
        return engine.refresh(List.of(lease)).get(0);
    }
}
