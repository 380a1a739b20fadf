package dev.leasehold.simulator.store;

import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithOwnReplicaSet;
import org.junit.jupiter.api.Nested;

/**
 * The rest of the contract on a real replica set: those parts that wait longest for what has to fail. A class of its own, so that another
 * process runs it at the same time, on another set.
 */
@WithOwnReplicaSet
class MongoStoreTroubleContractIT {

    @Nested
    class UnknownCommits extends UnknownCommitContract {
        UnknownCommits(TestDatabase database) {
            super(new MongoDeployment(database));
        }
    }

    @Nested
    class LeaseWrites extends LeaseWriteContract {
        LeaseWrites(TestDatabase database) {
            super(new MongoDeployment(database));
        }
    }

    @Nested
    class StuckTransactions extends StuckTransactionContract {
        StuckTransactions(TestDatabase database) {
            super(new MongoDeployment(database));
        }
    }

    @Nested
    class FailOvers extends FailOverContract {
        FailOvers(TestDatabase database) {
            super(new MongoDeployment(database));
        }
    }
}
