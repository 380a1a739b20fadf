package dev.leasehold.simulator.run;

import com.mongodb.client.MongoCollection;
import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.internal.bootstrap.EngineStarter;
import dev.leasehold.engine.internal.commit.EngineSettings;
import dev.leasehold.engine.internal.metrics.EngineMetrics;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.Partition;
import dev.leasehold.engine.internal.time.Drift;
import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Operation;
import dev.leasehold.simulator.history.WriterName;
import dev.leasehold.simulator.plan.Setting;
import dev.leasehold.simulator.store.SimulatedDatabase;
import dev.leasehold.simulator.world.SimulatedProcess;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** A service on a machine, with its engine: one incarnation of it. */
final class Service {

    static final String NAMESPACE = "simulated";

    /** After a start that the database did not let happen. */
    private static final long START_AGAIN_NANOS = 100_000_000;

    /** Several leases share a transaction then, as they do in services from nine on. */
    private static final int ONE = 1;

    /** What lasts for longer does not end in any history. */
    private static final long YEAR_NANOS = 365L * 24 * 3_600 * 1_000_000_000;

    private final Stage stage;
    private final SimulatedProcess simulatedProcess;
    private final ProgramRuntime runtime;
    private final CompletableFuture<LeaseEngine> started = new CompletableFuture<>();
    private final List<Lease> handles = new ArrayList<>();
    /** Of tenures that were acquired here with stripes: such an assertion stays with its tenure, whatever becomes of the handle. */
    private final Map<Tenure, LeaseAssertion> striped = new LinkedHashMap<>();

    private @Nullable Beliefs beliefs;
    private boolean closed;

    Service(Stage stage, SimulatedProcess simulatedProcess) {
        this.stage = stage;
        this.simulatedProcess = simulatedProcess;
        this.runtime = new ProgramRuntime(simulatedProcess, stage.lateness(simulatedProcess.simulatedMachine()));
    }

    /** Whether its engine was started, and was neither closed nor killed since. */
    boolean isUp() {
        return started.isDone() && !closed && simulatedProcess.isAlive();
    }

    SimulatedProcess simulatedProcess() {
        return simulatedProcess;
    }

    ProgramRuntime runtime() {
        return runtime;
    }

    /** Starts the engine, on a thread of the program, under the name of this instance. */
    void start(String instance) {
        simulatedProcess.start("start", () -> {
            while (!started.isDone()) {
                try {
                    begin(engine(instance));
                } catch (LeaseException e) {
                    requireSetback(e);
                    pause(START_AGAIN_NANOS);
                }
            }
        });
    }

    /** Throws what has no reason in the plan. */
    void requireSetback(LeaseException thrown) {
        if (!Setbacks.mayCome(thrown, stage.plan())) {
            throw thrown;
        }
    }

    private void begin(LeaseEngine engine) {
        beliefs = new Beliefs(simulatedProcess, engine);
        stage.simulation()
                .record(new Event.Started(
                        stage.simulation().nowNanos(),
                        simulatedProcess.simulatedMachine().number(),
                        simulatedProcess.incarnation(),
                        runtime.localNowNanos()));
        started.complete(engine);
    }

    private LeaseEngine engine(String instance) {
        runtime.beginLocalTime();
        EngineAssembly assembly = stage.assembly();
        EngineSettings settings = assembly.settings(settings(instance));
        MongoCollection<BsonDocument> leases = assembly.leases(SimulatedDatabase.leases());
        return EngineStarter.start(
                settings,
                assembly.runtime(runtime),
                EngineMetrics.NONE,
                null,
                partition -> assembly.store(connect(assembly.partition(partition, instance), settings), settings),
                tenure -> LeaseAssertion.of(tenure, leases));
    }

    private LeaseStore connect(Partition partition, EngineSettings settings) {
        return stage.database()
                .connect(simulatedProcess, partition, settings.drift().ppm());
    }

    /** As those have it who were told how many stripes there are, or else nothing but the tenure. */
    LeaseAssertion assertion(LeaseEngine engine, Tenure tenure) {
        LeaseAssertion known = striped.get(tenure);
        return known == null ? engine.tenures().assertion(tenure) : known;
    }

    /** Somebody here has acquired it, and was told how many stripes it has. */
    void knowsStripes(LeaseAssertion assertion) {
        int stripes = stage.database().stripes(assertion.tenure());
        if (stripes > 0) {
            striped.putIfAbsent(assertion.tenure(), assertion.gateStripes(stripes));
        }
    }

    private EngineSettings settings(String instance) {
        Setting setting = stage.setting();
        return new EngineSettings(
                NAMESPACE,
                setting.partitions(),
                instance,
                new Drift(setting.driftPpm()),
                setting.operationNanos(),
                setting.closeNanos(),
                setting.retentionNanos(),
                stage.plan().sessionNanos(simulatedProcess.simulatedMachine().number()),
                stage.plan().heartbeatNanos(simulatedProcess.simulatedMachine().number()),
                setting.singleWritesMax() == null ? ONE : setting.singleWritesMax());
    }

    /** Runs something on a thread of the program as soon as the engine is there. */
    void act(String name, Act act) {
        simulatedProcess.start(name, () -> {
            while (!simulatedProcess.await(started, Long.MAX_VALUE / 4)) {
                // Until it has started.
            }
            act.with(started.join());
        });
    }

    /** What is done with an engine. */
    interface Act {
        void with(LeaseEngine engine);
    }

    /** Waits, on a thread of the program. */
    void pause(long localNanos) {
        simulatedProcess.pause(localNanos);
    }

    /** A tenure was granted without a handle. */
    void granted(Tenure tenure) {
        stage.tenures().add(tenure);
        watch(tenure, null);
    }

    /**
     * A handle was acquired.
     *
     * @param call by which call
     */
    void acquired(Lease handle, int call) {
        stage.tenures().add(handle.tenure());
        handles.add(handle);
        HeldTenure held = Tenures.held(handle.tenure());
        handle.onLost(loss -> stage.simulation()
                .record(new Event.Lost(
                        stage.simulation().nowNanos(),
                        simulatedProcess.simulatedMachine().number(),
                        simulatedProcess.incarnation(),
                        call,
                        held,
                        loss.reason().name())));
        watch(handle.tenure(), handle);
    }

    /** From now on it is looked whether the engine believes in it. */
    void watch(Tenure tenure, @Nullable Lease handle) {
        if (beliefs != null) {
            beliefs.watch(tenure, handle);
        }
    }

    /** A handle of that tenure that was acquired here; null when there is none. */
    @Nullable Lease handle(Tenure tenure) {
        for (Lease handle : handles) {
            if (handle.tenure().equals(tenure)) {
                return handle;
            }
        }
        return null;
    }

    /** It was closed. */
    void forget(Lease handle) {
        handles.remove(handle);
        if (beliefs != null) {
            beliefs.closed(handle);
        }
    }

    /** Until when it believes that it keeps the lease by a handle, on its engine's clock; MIN_VALUE when it does not. */
    long keepsUntilLocalNanos(String lease) {
        long untilNanos = Long.MIN_VALUE;
        if (isUp()) {
            for (Lease handle : handles) {
                long leftNanos = handle.tenure().name().equals(lease) ? Beliefs.nanos(handle.remaining()) : 0;
                if (leftNanos > 0) {
                    untilNanos = Math.max(untilNanos, runtime.localNowNanos() + Math.min(leftNanos, YEAR_NANOS));
                }
            }
        }
        return untilNanos;
    }

    /** True time at which the engine's own clock will show that. */
    long trueTimeOf(long localNanos) {
        return simulatedProcess
                .simulatedMachine()
                .clock()
                .afterElapsedNanos(stage.simulation().nowNanos(), runtime.untilLocalNanos(localNanos));
    }

    /** Asks the engine something on a thread of the program. */
    Answer call(Operation operation, Calls.Question question) {
        return stage.calls().call(this, operation, question);
    }

    /** Closes the engine. */
    void close(LeaseEngine engine) {
        call(new Operation(Operation.Kind.CLOSE_ENGINE, null, null, null, 0, false), call -> {
            engine.close();
            return Answers.DONE;
        });
        closed = true;
        stage.simulation()
                .record(new Event.Stopped(
                        stage.simulation().nowNanos(),
                        simulatedProcess.simulatedMachine().number(),
                        simulatedProcess.incarnation(),
                        false));
    }

    static String instanceOf(int machine) {
        return WriterName.instance(machine);
    }
}
