package dev.leasehold.simulator.store;

import org.junit.jupiter.api.Nested;

/** The contract, in simulated worlds. */
class SimulatedStoreContractTest {

    @Nested
    class Reads extends ReadContract {
        Reads() {
            super(new SimulatedDeployment());
        }
    }

    @Nested
    class Transactions extends TransactionContract {
        Transactions() {
            super(new SimulatedDeployment());
        }
    }

    @Nested
    class UnknownCommits extends UnknownCommitContract {
        UnknownCommits() {
            super(new SimulatedDeployment());
        }
    }

    @Nested
    class ClockWrites extends ClockWriteContract {
        ClockWrites() {
            super(new SimulatedDeployment());
        }
    }

    @Nested
    class LeaseWrites extends LeaseWriteContract {
        LeaseWrites() {
            super(new SimulatedDeployment());
        }
    }

    @Nested
    class CallerTransactions extends CallerTransactionContract {
        CallerTransactions() {
            super(new SimulatedDeployment());
        }
    }

    @Nested
    class GateStripes extends GateStripeContract {
        GateStripes() {
            super(new SimulatedDeployment());
        }
    }

    @Nested
    class Changes extends ChangesContract {
        Changes() {
            super(new SimulatedDeployment());
        }
    }

    @Nested
    class Queues extends QueueContract {
        Queues() {
            super(new SimulatedDeployment());
        }
    }

    @Nested
    class Partitions extends PartitionContract {
        Partitions() {
            super(new SimulatedDeployment());
        }
    }

    @Nested
    class StuckTransactions extends StuckTransactionContract {
        StuckTransactions() {
            super(new SimulatedDeployment());
        }
    }

    @Nested
    class FailOvers extends FailOverContract {
        FailOvers() {
            super(new SimulatedDeployment());
        }
    }
}
