package dev.leasehold.testkit;

import com.mongodb.client.ClientSession;
import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseEngineBuilder;
import dev.leasehold.engine.internal.bootstrap.EngineBuilders;
import dev.leasehold.engine.internal.bootstrap.EngineDeployment;
import dev.leasehold.engine.internal.mongo.OnceTransaction;
import dev.leasehold.engine.internal.runtime.EngineRuntime;
import dev.leasehold.engine.internal.settings.EngineSettings;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.OnceRunner;
import dev.leasehold.engine.internal.store.Partition;
import dev.leasehold.simulator.store.SimulatedDatabase;
import dev.leasehold.simulator.world.SimulatedMachine;
import dev.leasehold.simulator.world.SimulatedProcess;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A machine of {@link TestLeases}, with clocks of its own and one engine at a time. To be used by one thread, that of the test; its engine
 * may be used by many.
 */
public final class TestMachine {

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final String name;
    private final WorldAccess access;
    private final SimulatedDatabase database;
    private final SimulatedMachine simulatedMachine;
    private final Consumer<LeaseEngineBuilder> settings;
    private final Deque<StoreFailure> failures = new ArrayDeque<>();
    private @Nullable LeaseEngine engine;
    private @Nullable SimulatedProcess simulatedProcess;
    private final Supplier<ClientSession> sessions;
    /** Of its wall clock, before the test's. */
    private Duration ahead;

    private long sessionNanos;
    /** Whether the engine is to meet an error the next time it turns to the database. */
    private boolean failsEngine;

    TestMachine(
            String name,
            WorldAccess access,
            SimulatedDatabase database,
            SimulatedMachine simulatedMachine,
            Duration ahead,
            Supplier<ClientSession> sessions,
            Consumer<LeaseEngineBuilder> settings) {
        this.sessions = sessions;
        this.name = name;
        this.access = access;
        this.database = database;
        this.simulatedMachine = simulatedMachine;
        this.ahead = ahead;
        this.settings = settings;
    }

    /** {@return what it is called, which is also the engine's {@linkplain LeaseEngineBuilder#instance instance}} */
    public String name() {
        return name;
    }

    /**
     * The engine of this machine. The first call starts it.
     *
     * @return the same until the machine was {@linkplain #restart() restarted}
     */
    public LeaseEngine engine() {
        LeaseEngine known = engine;
        return known == null ? start() : known;
    }

    private LeaseEngine start() {
        SimulatedProcess started = access.inside(simulatedMachine::startProcess);
        Deployment deployment = new Deployment(started);
        LeaseEngineBuilder builder =
                EngineBuilders.on(deployment).namespace(TestLeases.NAMESPACE).instance(name);
        settings.accept(builder);
        simulatedProcess = started;
        LeaseEngine built = builder.build();
        engine = built;
        return built;
    }

    /**
     * Kills the process: its engine stops at once, without giving anything up. Others get what its session kept when that is over. Calls to
     * the engine throw {@link IllegalStateException} from now on.
     */
    public void kill() {
        access.run(simulatedMachine::crash);
        engine = null;
        simulatedProcess = null;
    }

    /**
     * Kills the process, and starts the next one, with a new engine.
     *
     * @return the new engine
     */
    public LeaseEngine restart() {
        kill();
        return engine();
    }

    /**
     * Stops the machine for a while, as a long pause of the JVM does, and moves the clock past that: it makes no step meanwhile, and its
     * clocks run on.
     *
     * @param duration positive
     */
    public void pause(Duration duration) {
        long nanos = TestLeases.positiveNanos(duration, access);
        access.run(() -> simulatedMachine.sleep(access.nowNanos() + nanos));
        access.advance(nanos);
    }

    /** Nothing that this machine sends reaches the database from now on, and no answer comes back. */
    public void disconnect() {
        access.run(() -> simulatedMachine.cutOff(Long.MAX_VALUE));
    }

    /** What this machine sends reaches the database again. */
    public void reconnect() {
        access.run(simulatedMachine::reconnect);
    }

    /**
     * Has the next operation of this machine's engine fail. Several fail one after the other. What is to fail for longer than one
     * operation is better {@linkplain #disconnect() disconnected}, or the {@linkplain TestLeases#stopDatabase() database stopped}.
     *
     * @param failure how
     */
    public void failNext(StoreFailure failure) {
        Objects.requireNonNull(failure, "failure");
        access.run(() -> failures.add(failure));
    }

    /**
     * Sets time of day on this machine, forward or back. Its monotonic clock runs on.
     *
     * @param by how far; negative for back. In all up to 36,500 days from the test's clock
     */
    public void stepWallClock(Duration by) {
        TestLeases.checkAhead(by);
        TestLeases.checkAhead(ahead.plus(by));
        ahead = ahead.plus(by);
        stepWall(by);
    }

    /** Past the end of any lease. */
    void stepWall(Duration by) {
        long nanos = by.toNanos();
        access.run(() -> simulatedMachine.clock().stepWall(access.nowNanos(), nanos));
    }

    /**
     * Freezes the machine for a while, clocks and all, as a virtual machine is frozen that nothing tells about it, and moves the clock of the
     * test past that. No engine can notice it, which is why no promise outside of the database survives it.
     *
     * @param duration positive
     */
    public void freeze(Duration duration) {
        freeze(duration, () -> {});
    }

    /** The same, while something else happens, which may move the clock by as much as that. */
    void freeze(Duration duration, Runnable meanwhile) {
        long nanos = TestLeases.positiveNanos(duration, access);
        long endNanos = access.nowNanos() + nanos;
        access.run(() -> {
            simulatedMachine.clock().stop(access.nowNanos(), endNanos);
            simulatedMachine.sleep(endNanos);
        });
        meanwhile.run();
        access.advance(endNanos - 1 - access.nowNanos());
        access.run(() -> simulatedMachine.clock().stepWall(access.nowNanos(), -nanos));
        access.advance(1);
    }

    /** Has the engine meet an error that it cannot survive, the next time it turns to the database. */
    void failEngine() {
        access.run(() -> failsEngine = true);
    }

    /** How long the session of its engine is. */
    long sessionNanos() {
        return sessionNanos;
    }

    boolean holds(Tenure tenure) {
        return engine != null && engine.tenures().isHeld(tenure);
    }

    /** Ends the engine as a service does that is shut down. */
    void close() {
        LeaseEngine open = engine;
        if (open != null) {
            access.run(simulatedMachine::heal);
            open.close();
        }
    }

    private final class Deployment implements EngineDeployment, FailingStore.Orders {

        private final SimulatedProcess of;
        private long operationNanos;
        private long awayUntilNanos;

        Deployment(SimulatedProcess of) {
            this.of = of;
        }

        @Override
        public EngineRuntime runtime() {
            return new MachineRuntime(name, access, of);
        }

        @Override
        public LeaseStore store(EngineSettings settings, Partition partition) {
            sessionNanos = settings.sessionNanos();
            operationNanos = settings.operationBudgetNanos();
            return new FailingStore(
                    new KilledStore(
                            database.connect(of, partition, settings.drift().ppm())),
                    this);
        }

        @Override
        public LeaseAssertion assertion(Tenure tenure) {
            return LeaseAssertion.of(tenure, SimulatedDatabase.leases());
        }

        @Override
        public OnceRunner onceRunner() {
            return new OnceTransaction(sessions);
        }

        @Override
        public @Nullable StoreFailure next() {
            return failures.peek();
        }

        @Override
        public void done() {
            failures.remove();
        }

        @Override
        public void fail() {
            if (failsEngine) {
                failsEngine = false;
                throw new InternalError("the test has had the engine fail");
            }
        }

        @Override
        public void away() {
            awayUntilNanos = budgetEndNanos();
        }

        @Override
        public boolean isAway() {
            return access.nowNanos() < awayUntilNanos;
        }

        @Override
        public void disconnect() {
            simulatedMachine.cutOff(budgetEndNanos());
        }

        /** The caller leaves at the end of the budget, and the engine gives up an operation that no caller waits for. */
        private long budgetEndNanos() {
            return access.nowNanos() + operationNanos + NANOS_PER_MILLI;
        }

        @Override
        public void endTransaction(UUID driverSession) {
            database.endTransaction(driverSession);
        }
    }
}
