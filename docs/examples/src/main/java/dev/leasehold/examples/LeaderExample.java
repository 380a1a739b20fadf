package dev.leasehold.examples;

import dev.leasehold.engine.LeaderElection;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;

/** A process that wants to lead whenever no other does. */
final class LeaderExample {

    /** Work that one process at a time does. */
    interface Work {
        void start(Lease lease);

        void stop();
    }

    private LeaderExample() {}

    static LeaderElection standBy(LeaseEngine engine, Work work) {
        // example:start leader
        LeaderElection election = engine.elect("leader")
                .onGranted(lease -> work.start(lease))
                .onLost(loss -> work.stop()) // then it campaigns again, until election.close()
                .start();
        // example:end leader
        return election;
    }
}
