package dev.leasehold.simulator.store;

import dev.leasehold.engine.internal.mongo.MongoLeaseStore;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.ForwardingStore;
import dev.leasehold.engine.internal.store.GuardedTransaction;
import dev.leasehold.engine.internal.store.LeaseChange;
import dev.leasehold.engine.internal.store.LeaseChanges;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.store.Partition;
import dev.leasehold.engine.internal.store.Snapshot;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.simulator.history.Marks;
import dev.leasehold.simulator.world.ProcessKilled;
import dev.leasehold.simulator.world.SimulatedProcess;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;

/**
 * The engine's own store, on a simulated server. What is different: sets are read in one order in every run, the history is told what was
 * reached, and a change stream that is closed does not wait for its end.
 */
final class SimulatedStore extends ForwardingStore {

    private final SimulatedDatabase database;
    private final int machine;
    private final Partition partition;
    private final EngineClient client;

    SimulatedStore(SimulatedDatabase database, SimulatedProcess process, Partition partition, long driftPpm) {
        this(database, process, partition, driftPpm, new EngineClient(database, process));
    }

    private SimulatedStore(
            SimulatedDatabase database,
            SimulatedProcess process,
            Partition partition,
            long driftPpm,
            EngineClient client) {
        super(new MongoLeaseStore(
                client.proxy(),
                "simulated",
                "leases",
                partition,
                database.commandNanos(),
                "m" + process.simulatedMachine().number(),
                driftPpm));
        this.database = database;
        this.machine = process.simulatedMachine().number();
        this.partition = partition;
        this.client = client;
    }

    @Override
    public Snapshot read(Set<String> names, String writer) {
        return super.read(new TreeSet<>(names), writer);
    }

    @Override
    public WriteOutcome commit(GuardedTransaction transaction, BooleanSupplier mayCommit) {
        WriteOutcome outcome = noted(super.commit(transaction, mayCommit));
        if (outcome == WriteOutcome.APPLIED && transaction.writes().size() > 1) {
            database.primary().reached(machine, Marks.BATCH);
        }
        if (outcome == WriteOutcome.APPLIED && partition.index() > 0) {
            database.primary().reached(machine, Marks.FURTHER_PARTITION);
        }
        return outcome;
    }

    @Override
    public WriteOutcome writeClock(ClockWrite write) {
        return noted(super.writeClock(write));
    }

    @Override
    public WriteOutcome writeLeases(String writer, List<? extends LeaseWrite.Alone> writes) {
        return noted(super.writeLeases(writer, writes));
    }

    private WriteOutcome noted(WriteOutcome outcome) {
        if (outcome == WriteOutcome.MISSED) {
            database.primary().reached(machine, Marks.MISSED);
        }
        return outcome;
    }

    @Override
    public LeaseChanges changes() {
        LeaseChanges changes = super.changes();
        return new LeaseChanges() {
            @Override
            public List<LeaseChange> await() {
                return changes.await();
            }

            @Override
            public void close() {
                changes.close();
                client.stopWatching();
            }
        };
    }

    @Override
    public void close() {
        try {
            super.close();
        } catch (ProcessKilled e) {
            // A killed process leaves nothing that it could end.
        }
    }
}
