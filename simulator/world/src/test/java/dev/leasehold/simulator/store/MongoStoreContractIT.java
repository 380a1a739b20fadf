package dev.leasehold.simulator.store;

import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithOwnReplicaSet;
import org.junit.jupiter.api.Nested;

/** The contract, on a real replica set of three nodes, which decides what is right; with {@link MongoStoreTroubleContractIT}. */
@WithOwnReplicaSet
class MongoStoreContractIT {

    @Nested
    class Reads extends ReadContract {
        Reads(TestDatabase database) {
            super(new MongoDeployment(database));
        }
    }

    @Nested
    class Transactions extends TransactionContract {
        Transactions(TestDatabase database) {
            super(new MongoDeployment(database));
        }
    }

    @Nested
    class ClockWrites extends ClockWriteContract {
        ClockWrites(TestDatabase database) {
            super(new MongoDeployment(database));
        }
    }

    @Nested
    class CallerTransactions extends CallerTransactionContract {
        CallerTransactions(TestDatabase database) {
            super(new MongoDeployment(database));
        }
    }

    @Nested
    class GateStripes extends GateStripeContract {
        GateStripes(TestDatabase database) {
            super(new MongoDeployment(database));
        }
    }

    @Nested
    class Changes extends ChangesContract {
        Changes(TestDatabase database) {
            super(new MongoDeployment(database));
        }
    }

    @Nested
    class Queues extends QueueContract {
        Queues(TestDatabase database) {
            super(new MongoDeployment(database));
        }
    }

    @Nested
    class Partitions extends PartitionContract {
        Partitions(TestDatabase database) {
            super(new MongoDeployment(database));
        }
    }
}
