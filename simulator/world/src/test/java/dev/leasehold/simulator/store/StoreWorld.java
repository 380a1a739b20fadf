package dev.leasehold.simulator.store;

import dev.leasehold.engine.store.LeaseStore;
import dev.leasehold.engine.store.Partition;
import dev.leasehold.simulator.clock.Machine;
import dev.leasehold.simulator.clock.MachineClock;
import dev.leasehold.simulator.conditions.DatabaseConditions;
import dev.leasehold.simulator.conditions.Fate;
import dev.leasehold.simulator.conditions.NetworkConditions;
import dev.leasehold.simulator.history.Change;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.world.Program;
import dev.leasehold.simulator.world.Wire;
import dev.leasehold.simulator.world.Workers;
import dev.leasehold.simulator.world.World;
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
    private final World world = new World(workers);
    private final Wire wire = new Wire(world, NETWORK);
    private final SimulatedDatabase database;
    private final Program program;
    private @Nullable Throwable thrown;
    private int calls;

    StoreWorld() {
        this(DatabaseConditions.PLAIN);
    }

    StoreWorld(DatabaseConditions setting) {
        this.database = new SimulatedDatabase(world, wire, setting, PATIENCE_NANOS);
        this.program = newProgram();
    }

    World world() {
        return world;
    }

    SimulatedDatabase database() {
        return database;
    }

    /** Where the test runs. */
    Program program() {
        return program;
    }

    /** On a machine of its own. */
    Program newProgram() {
        return world.addHost(
                        new MachineClock(new Machine(0, 0, 1, List.of())),
                        world.hosts().size())
                .startProgram();
    }

    /** Runs a test as a thread of its program, until it ends. */
    void play(Runnable test) {
        program.start("test", () -> {
            try {
                test.run();
            } catch (RuntimeException | AssertionError e) {
                thrown = e;
            }
            world.end();
        });
        world.run();
        workers.close();
        if (thrown instanceof RuntimeException e) {
            throw e;
        }
        if (thrown instanceof AssertionError e) {
            throw e;
        }
    }

    void pass(long nanos) {
        program.await(new CompletableFuture<>(), nanos);
    }

    void join(CompletableFuture<?> part) {
        program.await(part, 1_000 * SECOND);
        part.join();
    }

    /** Runs a part beside the test, as another thread of a program. */
    CompletableFuture<Void> beside(Program of, Runnable part) {
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
        return open(program);
    }

    LeaseStore open(Program of) {
        LeaseStore store = database.connect(of, Partition.whole(Fixture.NAMESPACE), 1_000);
        store.open();
        return store;
    }

    /** A registered writer. */
    ContractWriter writer(String key) {
        return writer(program, key);
    }

    ContractWriter writer(Program of, String key) {
        ContractWriter writer = new ContractWriter(open(of), key);
        return writer.writes(writer.registration(Fixture.MINUTE));
    }

    /** A caller that means to assert the first tenure of {@code x}. */
    CallerSession caller() {
        return database.callerSession(program, calls++, new HeldTenure("x", "h", 1));
    }

    /** This befalls the next message of the test's program. */
    void befall(Fate.Kind kind, long delayNanos) {
        program.host().await(new Fate(kind, 0, delayNanos));
    }

    /** From now on nothing goes wrong. */
    void heal() {
        wire.heal();
        database.heal();
    }

    // ---- what was recorded ----

    <E extends Event> List<E> events(Class<E> kind) {
        List<E> found = new ArrayList<>();
        for (Event event : world.events()) {
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
