package dev.leasehold.simulator.store;

import dev.leasehold.testkit.KitStores;
import org.junit.jupiter.api.Nested;

/** The contract, through all that the test kit has between an engine and the database in memory. */
class TestKitStoreContractTest {

    @Nested
    class Reads extends ReadContract {
        Reads() {
            super(new SimulatedDeployment(KitStores::withoutFailures));
        }
    }

    @Nested
    class Transactions extends TransactionContract {
        Transactions() {
            super(new SimulatedDeployment(KitStores::withoutFailures));
        }
    }

    @Nested
    class UnknownCommits extends UnknownCommitContract {
        UnknownCommits() {
            super(new SimulatedDeployment(KitStores::withoutFailures));
        }
    }

    @Nested
    class ClockWrites extends ClockWriteContract {
        ClockWrites() {
            super(new SimulatedDeployment(KitStores::withoutFailures));
        }
    }

    @Nested
    class LeaseWrites extends LeaseWriteContract {
        LeaseWrites() {
            super(new SimulatedDeployment(KitStores::withoutFailures));
        }
    }

    @Nested
    class CallerTransactions extends CallerTransactionContract {
        CallerTransactions() {
            super(new SimulatedDeployment(KitStores::withoutFailures));
        }
    }

    @Nested
    class GateStripes extends GateStripeContract {
        GateStripes() {
            super(new SimulatedDeployment(KitStores::withoutFailures));
        }
    }

    @Nested
    class Changes extends ChangesContract {
        Changes() {
            super(new SimulatedDeployment(KitStores::withoutFailures));
        }
    }

    @Nested
    class Partitions extends PartitionContract {
        Partitions() {
            super(new SimulatedDeployment(KitStores::withoutFailures));
        }
    }

    @Nested
    class StuckTransactions extends StuckTransactionContract {
        StuckTransactions() {
            super(new SimulatedDeployment(KitStores::withoutFailures));
        }
    }

    @Nested
    class FailOvers extends FailOverContract {
        FailOvers() {
            super(new SimulatedDeployment(KitStores::withoutFailures));
        }
    }
}
