package dev.leasehold.simulator.run;

import com.mongodb.client.MongoCollection;
import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.Tenures;
import dev.leasehold.engine.internal.bootstrap.EngineStarter;
import dev.leasehold.engine.internal.metrics.EngineMetrics;
import dev.leasehold.engine.internal.mongo.OnceTransaction;
import dev.leasehold.engine.internal.settings.EngineSettings;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.Partition;
import dev.leasehold.engine.internal.time.Drift;
import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Handlers;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Operation;
import dev.leasehold.simulator.plan.Action;
import dev.leasehold.simulator.plan.Setting;
import dev.leasehold.simulator.store.SimulatedDatabase;
import dev.leasehold.simulator.world.SimulatedProcess;
import dev.leasehold.simulator.world.SimulatorFailure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** A service in a process, with its engine. */
final class Service {

    static final String NAMESPACE = "simulated";

    /** After a start that failed. */
    private static final long START_AGAIN_NANOS = 100_000_000;

    /** Of a term of centuries, which no history outlasts. */
    private static final long YEAR_NANOS = 365L * 24 * 3_600 * 1_000_000_000;

    private final SimulationRun run;
    private final SimulatedProcess process;
    private final ProcessRuntime runtime;
    private final Handlers<Action> actions;
    private final CompletableFuture<LeaseEngine> started = new CompletableFuture<>();
    private final List<Lease> handles = new ArrayList<>();
    private final List<ElectionCandidate> candidates = new ArrayList<>();
    /** Of tenures that were acquired here with stripes: such an assertion stays with its tenure, whatever becomes of the handle. */
    private final Map<Tenure, LeaseAssertion> striped = new LinkedHashMap<>();

    private @Nullable ValidityProbe validity;
    private boolean closed;

    Service(SimulationRun run, SimulatedProcess process) {
        this.run = run;
        this.process = process;
        this.runtime = new ProcessRuntime(process, run.threadDelayNanos(process.simulatedMachine()));
        this.actions = new EngineCalls(run, this).handlers();
    }

    SimulatedProcess process() {
        return process;
    }

    /** The number of its machine. */
    int machine() {
        return process.simulatedMachine().number();
    }

    ProcessRuntime runtime() {
        return runtime;
    }

    // ---- its engine ----

    /** Only once it has started. */
    LeaseEngine engine() {
        return started.join();
    }

    Tenures tenures() {
        return engine().tenures();
    }

    /** Whether its engine was started, and was neither closed nor killed since. */
    boolean isUp() {
        return started.isDone() && !closed && process.isAlive();
    }

    /** Starts the engine under that instance name, on a thread of the process. */
    void start(String instance) {
        process.start("start", () -> {
            while (!started.isDone()) {
                try {
                    begin(startedEngine(instance));
                } catch (LeaseException e) {
                    requireExpected(e);
                    pause(START_AGAIN_NANOS);
                }
            }
        });
    }

    /** Throws what has no reason in the plan. */
    void requireExpected(LeaseException thrown) {
        if (!ExpectedErrors.mayCome(thrown, run.plan())) {
            throw thrown;
        }
    }

    private void begin(LeaseEngine engine) {
        validity = new ValidityProbe(process, engine);
        run.record(nowNanos -> new Event.Started(nowNanos, machine(), process.incarnation(), runtime.localNowNanos()));
        started.complete(engine);
    }

    private LeaseEngine startedEngine(String instance) {
        runtime.beginLocalTime();
        EngineAssembly assembly = run.assembly();
        EngineSettings settings = assembly.settings().apply(settings(instance));
        MongoCollection<BsonDocument> leases = assembly.leases().apply(SimulatedDatabase.leases());
        return EngineStarter.start(
                settings,
                assembly.runtime().apply(runtime),
                EngineMetrics.NONE,
                null,
                partition -> assembly.store()
                        .apply(connect(assembly.partition().apply(partition, instance), settings), settings),
                tenure -> LeaseAssertion.of(tenure, leases),
                new OnceTransaction(() -> {
                    throw new SimulatorFailure("callers of the simulator have sessions of their own");
                }));
    }

    private LeaseStore connect(Partition partition, EngineSettings settings) {
        return run.database().connect(process, partition, settings.drift().ppm());
    }

    private EngineSettings settings(String instance) {
        Setting setting = run.setting();
        return new EngineSettings(
                NAMESPACE,
                setting.partitions(),
                instance,
                new Drift(setting.driftPpm()),
                setting.operationNanos(),
                setting.closeNanos(),
                setting.retentionNanos(),
                YEAR_NANOS,
                run.plan().sessionNanos(machine()),
                run.plan().heartbeatNanos(machine()),
                setting.singleWritesMax() == null ? 1 : setting.singleWritesMax(),
                EngineSettings.WAIT_QUEUE);
    }

    void close() {
        call(new Operation(Operation.Kind.CLOSE_ENGINE, null, null, null, 0, false), call -> {
            engine().close();
            return Answers.DONE;
        });
        closed = true;
        recordStop(false);
    }

    void recordStop(boolean crashed) {
        run.record(nowNanos -> new Event.Stopped(nowNanos, machine(), process.incarnation(), crashed));
    }

    // ---- on its threads ----

    /** Does what an action asks of the engine. */
    void execute(Action action) {
        if (!actions.handle(action)) {
            throw new IllegalArgumentException("nothing is known of how to execute " + action);
        }
    }

    /** Runs something on a thread of the process as soon as the engine is there. */
    void act(String name, Runnable action) {
        process.start(name, () -> {
            while (!process.await(started, Long.MAX_VALUE / 4)) {
                // Until it has started.
            }
            action.run();
        });
    }

    /** Waits, on a thread of the process. */
    void pause(long localNanos) {
        process.pause(localNanos);
    }

    /** Calls the engine, on a thread of the process. */
    Answer call(Operation operation, CallRecorder.EngineCall engineCall) {
        return run.calls().call(this, operation, engineCall);
    }

    /** True time at which the engine's own clock will show that. */
    long trueTimeOf(long localNanos) {
        return process.simulatedMachine()
                .clock()
                .afterElapsedNanos(run.nowNanos(), runtime.untilLocalNanos(localNanos));
    }

    // ---- what it was granted ----

    /** A tenure was granted without a handle. */
    void granted(Tenure tenure) {
        run.tenures().add(tenure);
        watch(tenure, null);
    }

    /** A handle was acquired by that call. */
    void acquired(Lease handle, int call) {
        run.tenures().add(handle.tenure());
        handles.add(handle);
        HeldTenure held = GrantedTenures.held(handle.tenure());
        handle.onLost(loss -> run.record(nowNanos -> new Event.Lost(
                nowNanos,
                machine(),
                process.incarnation(),
                call,
                held,
                loss.reason().name())));
        watch(handle.tenure(), handle);
    }

    /** From now on its validity is recorded. */
    void watch(Tenure tenure, @Nullable Lease handle) {
        if (validity != null) {
            validity.watch(tenure, handle);
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

    /** A candidate of it campaigns, until it is over. */
    void campaigns(ElectionCandidate candidate, boolean isOn) {
        if (isOn) {
            candidates.add(candidate);
        } else {
            candidates.remove(candidate);
        }
    }

    /** Its candidate that leads, if there is one, steps down for the engine on another machine. */
    void stepDown(String lease, int to) {
        candidates.stream()
                .filter(candidate -> candidate.leads(lease))
                .findFirst()
                .ifPresent(candidate -> candidate.stepDownTo(to));
    }

    /** It was closed. */
    void forget(Lease handle) {
        handles.remove(handle);
        if (validity != null) {
            validity.closed(handle);
        }
    }

    /** Until when it holds the lease by a handle, on its engine's clock; MIN_VALUE when it does not. */
    long heldUntilLocalNanos(String lease) {
        long untilNanos = Long.MIN_VALUE;
        if (isUp()) {
            for (Lease handle : handles) {
                long leftNanos = handle.tenure().name().equals(lease) ? ValidityProbe.nanos(handle.remaining()) : 0;
                if (leftNanos > 0) {
                    untilNanos = Math.max(untilNanos, runtime.localNowNanos() + Math.min(leftNanos, YEAR_NANOS));
                }
            }
        }
        return untilNanos;
    }

    /** As a holder has it that was told how many stripes there are, or else of nothing but the tenure. */
    LeaseAssertion assertion(Tenure tenure) {
        LeaseAssertion known = striped.get(tenure);
        return known == null ? tenures().assertion(tenure) : known;
    }

    /** The tenure was acquired here, so its holder knows how many stripes it has. */
    void knowsStripes(LeaseAssertion assertion) {
        int stripes = run.database().stripes(assertion.tenure());
        if (stripes > 0) {
            striped.putIfAbsent(assertion.tenure(), assertion.gateStripes(stripes));
        }
    }
}
