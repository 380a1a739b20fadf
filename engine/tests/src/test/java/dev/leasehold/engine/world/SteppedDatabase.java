package dev.leasehold.engine.world;

import dev.leasehold.assertions.OccurrenceRecord;
import dev.leasehold.engine.internal.mongo.documents.StoredDocuments;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.Partition;
import dev.leasehold.engine.internal.store.StoredLease;
import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.simulator.clock.Machine;
import dev.leasehold.simulator.clock.MachineClock;
import dev.leasehold.simulator.conditions.DatabaseConditions;
import dev.leasehold.simulator.conditions.NetworkConditions;
import dev.leasehold.simulator.store.SimulatedDatabase;
import dev.leasehold.simulator.world.SimulatedMachine;
import dev.leasehold.simulator.world.SimulatedNetwork;
import dev.leasehold.simulator.world.SimulatedProcess;
import dev.leasehold.simulator.world.Simulation;
import dev.leasehold.simulator.world.Workers;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt64;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The simulated database for tests that run an engine step by step on their own thread: it answers at once, and its time
 * does not depend on the test's clock.
 */
final class SteppedDatabase {

    private static final long COMMAND_NANOS = 5_000_000_000L;

    private final Simulation simulation = new Simulation(new Workers(), this::await, event -> {});
    private final SimulatedDatabase database = new SimulatedDatabase(
            simulation,
            new SimulatedNetwork(simulation, NetworkConditions.PERFECT),
            DatabaseConditions.PLAIN,
            COMMAND_NANOS);
    private final SimulatedProcess process = simulation
            .addMachine(new MachineClock(new Machine(0, 0, 1, List.of())), 0)
            .startProcess();
    private final Partition partition;

    SteppedDatabase(Partition partition) {
        this.partition = partition;
    }

    /** The engine's own store on it. */
    LeaseStore connect() {
        return database.connect(process, partition, 0);
    }

    private void await(SimulatedMachine machine, BooleanSupplier isOver, long timeoutNanos) {
        long endNanos = simulation.nowNanos() + timeoutNanos;
        simulation.runUntil(isOver, endNanos);
        if (!isOver.getAsBoolean()) {
            simulation.moveTo(endNanos);
        }
    }

    // ---- by hand ----

    void put(StoredLease lease) {
        if (lease instanceof StoredLease.Sound sound) {
            database.put(StoredDocuments.of(sound.document()));
        } else if (lease instanceof StoredLease.Corrupt corrupt) {
            // A double is the wrong type for every field that a test names.
            database.put(StoredDocuments.of(new LeaseDocument(
                            partition.id(),
                            corrupt.name(),
                            "h",
                            1,
                            "b#1",
                            1,
                            1L,
                            0,
                            null,
                            Instant.EPOCH,
                            Set.of(),
                            0,
                            null))
                    .append(corrupt.field(), new BsonDouble(1.5)));
        } else {
            throw new IllegalArgumentException("nothing to put: " + lease);
        }
    }

    void put(OccurrenceRecord record) {
        database.put(StoredDocuments.of(record));
    }

    void editClock(Consumer<BsonDocument> change) {
        database.edit(partition.id(), before -> {
            BsonDocument after = before.clone();
            change.accept(after);
            return after;
        });
    }

    void put(WriterEntry entry) {
        editClock(clock -> clock.getDocument("writers").put(entry.writer(), bson(entry)));
    }

    private static BsonDocument bson(WriterEntry entry) {
        if (!(entry instanceof WriterEntry.Sound sound)) {
            return new BsonDocument("time", new BsonInt64(0));
        }
        BsonDocument bson = new BsonDocument("time", new BsonInt64(sound.timeNanos()));
        putIfThere(bson, "txn", int64(sound.transactionNanos()));
        putIfThere(bson, "session", int64(sound.sessionNanos()));
        putIfThere(bson, "lsid", sound.driverSession() == null ? null : new BsonBinary(sound.driverSession()));
        return bson;
    }

    private static @Nullable BsonValue int64(@Nullable Long number) {
        return number == null ? null : new BsonInt64(number);
    }

    private static void putIfThere(BsonDocument bson, String field, @Nullable BsonValue value) {
        if (value != null) {
            bson.append(field, value);
        }
    }
}
