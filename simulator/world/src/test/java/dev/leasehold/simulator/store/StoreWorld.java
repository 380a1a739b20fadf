package dev.leasehold.simulator.store;

import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.Partition;
import dev.leasehold.simulator.clock.Machine;
import dev.leasehold.simulator.clock.MachineClock;
import dev.leasehold.simulator.conditions.DatabaseConditions;
import dev.leasehold.simulator.conditions.MessageFault;
import dev.leasehold.simulator.conditions.NetworkConditions;
import dev.leasehold.simulator.history.Change;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.world.SimulatedNetwork;
import dev.leasehold.simulator.world.SimulatedProcess;
import dev.leasehold.simulator.world.Simulation;
import dev.leasehold.simulator.world.Workers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A world with a database, and with a machine on which a test runs. Messages take a millisecond each way. */
final class StoreWorld {

    static final long MILLISECOND = 1_000_000;
    static final long SECOND = 1_000 * MILLISECOND;
    static final long PATIENCE_NANOS = 2 * SECOND;

    private static final NetworkConditions NETWORK = new NetworkConditions(MILLISECOND, 0, 0, 0, 0, 0, 0, 0, 0);

    private final Workers workers = new Workers();
    private final Simulation simulation = new Simulation(workers);
    private final SimulatedNetwork simulatedNetwork = new SimulatedNetwork(simulation, NETWORK);
    private final SimulatedDatabase database;
    private final SimulatedProcess simulatedProcess;
    private @Nullable Throwable thrown;
    private int calls;

    StoreWorld() {
        this(DatabaseConditions.PLAIN);
    }

    StoreWorld(DatabaseConditions setting) {
        this.database = new SimulatedDatabase(simulation, simulatedNetwork, setting, PATIENCE_NANOS);
        this.simulatedProcess = newProgram();
    }

    Simulation simulation() {
        return simulation;
    }

    SimulatedDatabase database() {
        return database;
    }

    /** Where the test runs. */
    SimulatedProcess simulatedProcess() {
        return simulatedProcess;
    }

    /** On a machine of its own. */
    SimulatedProcess newProgram() {
        return simulation
                .addMachine(
                        new MachineClock(new Machine(0, 0, 1, List.of())),
                        simulation.machines().size())
                .startProcess();
    }

    /** Runs a test as a thread of its program, until it ends. */
    void play(Runnable test) {
        simulatedProcess.start("test", () -> {
            try {
                test.run();
            } catch (RuntimeException | AssertionError e) {
                thrown = e;
            }
            simulation.end();
        });
        simulation.run();
        workers.close();
        if (thrown instanceof RuntimeException e) {
            throw e;
        }
        if (thrown instanceof AssertionError e) {
            throw e;
        }
    }

    void pass(long nanos) {
        simulatedProcess.await(new CompletableFuture<>(), nanos);
    }

    void join(CompletableFuture<?> part) {
        simulatedProcess.await(part, 1_000 * SECOND);
        part.join();
    }

    /** Runs a part beside the test, as another thread of a program. */
    CompletableFuture<Void> beside(SimulatedProcess of, Runnable part) {
        CompletableFuture<Void> end = new CompletableFuture<>();
        of.start("part", () -> {
            try {
                part.run();
                end.complete(null);
            } catch (RuntimeException | AssertionError e) {
                end.completeExceptionally(e);
            }
        });
        return end;
    }

    // ---- clients ----

    LeaseStore open() {
        return open(simulatedProcess);
    }

    LeaseStore open(SimulatedProcess of) {
        LeaseStore store = database.connect(of, Partition.whole(Fixture.NAMESPACE), 1_000);
        store.open();
        return store;
    }

    /** A registered writer. */
    ContractWriter writer(String key) {
        return writer(simulatedProcess, key);
    }

    ContractWriter writer(SimulatedProcess of, String key) {
        ContractWriter writer = new ContractWriter(open(of), key);
        return writer.writes(writer.registration(Fixture.MINUTE));
    }

    /** A caller that means to assert the first tenure of {@code x}. */
    CallerSession caller() {
        return database.callerSession(simulatedProcess, calls++, new HeldTenure("x", "h", 1));
    }

    /** This befalls the next message of the test's program. */
    void befall(MessageFault.Kind kind, long delayNanos) {
        simulatedProcess.simulatedMachine().await(new MessageFault(kind, 0, delayNanos));
    }

    /** From now on nothing goes wrong. */
    void heal() {
        simulatedNetwork.heal();
        database.heal();
    }

    // ---- what was recorded ----

    <E extends Event> List<E> events(Class<E> kind) {
        List<E> found = new ArrayList<>();
        for (Event event : simulation.events()) {
            if (kind.isInstance(event)) {
                found.add(kind.cast(event));
            }
        }
        return found;
    }

    Event.Committed lastCommit() {
        List<Event.Committed> all = events(Event.Committed.class);
        return all.get(all.size() - 1);
    }

    /** What the last commit did to a lease. */
    Change.OfLease lastChangeOfLease() {
        List<Change> changes = lastCommit().changes();
        return (Change.OfLease) changes.get(changes.size() - 1);
    }

    boolean hasReached(String mark) {
        return events(Event.Reached.class).stream()
                .anyMatch(reached -> reached.mark().equals(mark));
    }
}
