package dev.leasehold.simulator.store;

import dev.leasehold.engine.mongo.MongoLeaseStore;
import dev.leasehold.engine.store.ClockWrite;
import dev.leasehold.engine.store.ForwardingStore;
import dev.leasehold.engine.store.GuardedTransaction;
import dev.leasehold.engine.store.LeaseChange;
import dev.leasehold.engine.store.LeaseChanges;
import dev.leasehold.engine.store.LeaseWrite;
import dev.leasehold.engine.store.Partition;
import dev.leasehold.engine.store.Snapshot;
import dev.leasehold.engine.store.WriteOutcome;
import dev.leasehold.simulator.history.Marks;
import dev.leasehold.simulator.world.Gone;
import dev.leasehold.simulator.world.Program;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The engine's own store, on a simulated server. What is different: sets are read in one order in every run, the history is told what was
 * reached, and a change stream that is closed does not wait for its end.
 */
final class SimulatedStore extends ForwardingStore {

    private final Server server;
    private final int machine;
    private final Partition partition;
    private final EngineClient client;

    SimulatedStore(Server server, Program program, Partition partition, long driftPpm, Supplier<UUID> ids) {
        this(server, program, partition, driftPpm, new EngineClient(server, program, ids));
    }

    private SimulatedStore(
            Server server, Program program, Partition partition, long driftPpm, EngineClient client) {
        super(new MongoLeaseStore(
                client.client(),
                "simulated",
                "leases",
                partition,
                server.commandNanos(),
                "m" + program.host().number(),
                driftPpm));
        this.server = server;
        this.machine = program.host().number();
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
            server.reached(machine, Marks.BATCH);
        }
        if (outcome == WriteOutcome.APPLIED && partition.index() > 0) {
            server.reached(machine, Marks.FURTHER_PARTITION);
        }
        return outcome;
    }

    @Override
    public WriteOutcome writeClock(ClockWrite write) {
        return noted(super.writeClock(write));
    }

    @Override
    public WriteOutcome writeLeases(String writer, List<LeaseWrite.Replace> writes) {
        return noted(super.writeLeases(writer, writes));
    }

    private WriteOutcome noted(WriteOutcome outcome) {
        if (outcome == WriteOutcome.MISSED) {
            server.reached(machine, Marks.MISSED);
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
        } catch (Gone e) {
            // Nothing of a program that is no more is left to be ended by it.
        }
    }
}
