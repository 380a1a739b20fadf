package dev.leasehold.testkit;

import com.mongodb.client.ClientSession;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseEngineBuilder;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.simulator.clock.Machine;
import dev.leasehold.simulator.clock.MachineClock;
import dev.leasehold.simulator.conditions.DatabaseConditions;
import dev.leasehold.simulator.conditions.NetworkConditions;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.store.SimulatedDatabase;
import dev.leasehold.simulator.world.SimulatedNetwork;
import dev.leasehold.simulator.world.SimulatedProcess;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Engines for tests, without a server: real ones, on a database in memory, with a clock that moves only when the test moves it.
 *
 * <pre>{@code
 * try (TestLeases leases = TestLeases.create()) {
 *     Lease lease = leases.engine().acquire(LeaseRequest.of("nightly-invoices").waitAtMost(Duration.ofMinutes(1)));
 *     leases.lose(lease, LeaseLoss.Reason.NOT_RENEWED);
 *     assertThat(lease.isHeld()).isFalse();
 * }
 * }</pre>
 *
 * <p><b>Time.</b> It moves by {@link #advance}, and by calls that wait: one on the thread that made this moves the clock until it has its
 * answer or its time is over, so it returns at once. On any other thread a call waits until another one moves the clock, or brings about
 * what it waits for; after a minute of real time in which nothing moves it throws {@link IllegalStateException}. The database answers in no
 * time, so what need not wait does not move the clock. Engines draw the same random numbers in each run: the same calls have the same
 * outcome.
 *
 * <p><b>Callbacks</b> of {@link Lease#onLost} and completions of asynchronous acquisitions and closes run on the thread whose call made them
 * happen, before it returns, unless the engine has a {@link LeaseEngineBuilder#callbackExecutor}. If that has one thread, a callback must not
 * wait for such a completion: here as in production, it comes when the callback has returned. A {@code join} is no call of the engine, and
 * moves no clock: first {@link #advance} to when the stage completes, or use a call that waits.
 *
 * <p><b>What it cannot show.</b> Rights, indexes, the versions of servers, what a driver's settings do, how long anything really takes, and
 * documents of your own: for these there is {@code leasehold-replica-set}.
 *
 * <p>The engines may be used by any number of threads. This is for the thread of the test.
 */
public final class TestLeases implements AutoCloseable {

    static final String NAMESPACE = "test";

    private static final String FIRST = "test";

    /** For how long a client waits for an answer: the default of the builder. */
    private static final long COMMAND_NANOS = 5_000_000_000L;

    private static final long WATCH_NANOS = 5_000_000_000L;

    /** Drift of two clocks of the test against each other may be as large as engines expect. */
    private static final long PPB_PER_PPM = 1_000;

    private static final Instant BEGIN = Instant.parse("2031-03-03T09:40:00Z");
    private static final long NANOS_PER_SECOND = 1_000_000_000;
    /** For each time that is handed in, and for how far the clock moves in all: nanoseconds in a long carry no three of it. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private static final long DRIFT_PPM_MAX = 999_999;
    private static final HeldTenure NONE = new HeldTenure("", "", 0);

    private final WorldAccess access = new WorldAccess();
    private final SimulatedDatabase database = new SimulatedDatabase(
            access.simulation(),
            new SimulatedNetwork(access.simulation(), NetworkConditions.PERFECT),
            DatabaseConditions.PLAIN,
            COMMAND_NANOS,
            0,
            WATCH_NANOS);
    private final Map<String, TestMachine> machines = new LinkedHashMap<>();
    private final Deque<StoreFailure> failuresOfTheFirst = new ArrayDeque<>();
    private final Consumer<LeaseEngineBuilder> settings;
    private final SimulatedProcess callers;
    private int sessions;
    private boolean closed;

    private TestLeases(Consumer<LeaseEngineBuilder> settings) {
        this.settings = settings;
        this.callers = access.inside(
                () -> access.simulation().addMachine(clock(Duration.ZERO, 0), 0).startProcess());
    }

    /**
     * An empty database and no engine yet.
     *
     * @return to be closed
     */
    public static TestLeases create() {
        return create(builder -> {});
    }

    /**
     * The same, with engines that have other settings than the default.
     *
     * @param settings given the builder of each engine before it is built. A {@link LeaseEngineBuilder#database} is not needed, the
     *     namespace is {@code test} and the instance the name of the machine
     * @return to be closed
     */
    public static TestLeases create(Consumer<LeaseEngineBuilder> settings) {
        return new TestLeases(Objects.requireNonNull(settings, "settings"));
    }

    /**
     * The engine of the first machine, {@code test}.
     *
     * @return the same at every call
     */
    public LeaseEngine engine() {
        return engine(FIRST);
    }

    /**
     * The engine of a machine, which is made when it is not there yet, with clocks that show what the test's clock shows.
     *
     * @param machine which one
     * @return the same at every call
     */
    public LeaseEngine engine(String machine) {
        return machine(machine).engine();
    }

    /**
     * The same, on a new machine with clocks that are ahead.
     *
     * @param machine its name, which no other has
     * @param ahead of the test's clock, up to 36,500 days; negative for behind
     * @return its engine
     */
    public LeaseEngine engine(String machine, Duration ahead) {
        return machine(machine, ahead, 0).engine();
    }

    /**
     * A machine, which is made when it is not there yet, with clocks that show what the test's clock shows.
     *
     * @param name 1 to 64 characters of {@code A-Z a-z 0-9 . _ : / -}
     * @return the same at every call
     */
    public TestMachine machine(String name) {
        TestMachine known = machines.get(name);
        return known == null ? machine(name, Duration.ZERO, 0) : known;
    }

    /**
     * A new machine with clocks of its own.
     *
     * @param name which no other has
     * @param ahead how far its clocks are ahead of the test's, up to 36,500 days; negative for behind
     * @param driftPpm how much faster its monotonic clock runs, in parts per million, up to 999,999; negative for slower. More than the
     *     engines' {@link LeaseEngineBuilder#maximumDriftPpm} breaks what their promises rest on
     * @return the machine, without an engine yet
     */
    public TestMachine machine(String name, Duration ahead, long driftPpm) {
        if (machines.containsKey(name)) {
            throw new IllegalArgumentException("machine '" + name + "' is there already, and its clocks with it");
        }
        if (driftPpm < -DRIFT_PPM_MAX || driftPpm > DRIFT_PPM_MAX) {
            throw new IllegalArgumentException(
                    "drift " + driftPpm + " ppm is refused: it must be -" + DRIFT_PPM_MAX + " to " + DRIFT_PPM_MAX);
        }
        checkAhead(ahead);
        TestMachine made = access.inside(() -> new TestMachine(
                name,
                access,
                database,
                access.simulation().addMachine(clock(ahead, driftPpm), machines.size() + 1),
                ahead,
                this::startSession,
                settings));
        machines.put(name, made);
        failuresOfTheFirst.forEach(made::failNext);
        failuresOfTheFirst.clear();
        return made;
    }

    private static MachineClock clock(Duration ahead, long driftPpm) {
        Instant shown = BEGIN.plus(ahead);
        long wallNanos = Math.addExact(Math.multiplyExact(shown.getEpochSecond(), NANOS_PER_SECOND), shown.getNano());
        return new MachineClock(
                new Machine(wallNanos / 7, wallNanos, 1, List.of(new Machine.Rate(0, driftPpm * PPB_PER_PPM))));
    }

    /**
     * The test's clock, for code under test that takes one. Begins at an instant that is the same in every test.
     *
     * @return in UTC
     */
    public Clock clock() {
        return new TestClock(access, BEGIN, ZoneOffset.UTC);
    }

    /**
     * Moves the clock on, and lets everything happen meanwhile at its instant: heartbeats, renewals, expiry, callbacks.
     *
     * @param duration not negative; up to 36,500 days, which is also how far the clock moves in all
     */
    public void advance(Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException("duration " + duration + " is refused: time does not go back");
        }
        access.advance(nanosOn(duration, access));
    }

    /**
     * Has a lease lost for that reason, by what causes it in production. Returns when {@link Lease#isHeld()} is false and callbacks have run.
     * For those that a {@link LeaseEngineBuilder#callbackExecutor} runs it waits in real time, for at most a minute, until the last one has
     * begun. If one of them does not begin within a second, it moves the clock as far as the calls need that wait on other threads.
     *
     * <ul>
     *   <li>{@link LeaseLoss.Reason#TAKEN_OVER}: an operator ends the tenure. Time stays.
     *   <li>{@link LeaseLoss.Reason#CLOSED}: its engine is closed. Time stays.
     *   <li>{@link LeaseLoss.Reason#NOT_RENEWED}: its machine is disconnected until the time that was granted is over, and then connected
     *       again.
     *   <li>{@link LeaseLoss.Reason#EXPIRED}: its machine is paused until then.
     *   <li>{@link LeaseLoss.Reason#CLOCK_ANOMALY}: time of day is set forward on its machine, past that time.
     *   <li>{@link LeaseLoss.Reason#EVICTED}: its machine is frozen, clocks and all, while another machine takes the lease and gives it up.
     *       For a lease that the session keeps.
     *   <li>{@link LeaseLoss.Reason#LEASE_DOCUMENT_LOST}: its document is deleted by hand.
     *   <li>{@link LeaseLoss.Reason#CLOCK_DOCUMENT_LOST}: the clock document is deleted by hand, and made anew once the lease is lost.
     *   <li>{@link LeaseLoss.Reason#ENGINE_FAILED}: its engine meets an {@link Error} when it turns to the database next, for a heartbeat for
     *       instance. {@link TestMachine#restart()} gives a new one.
     * </ul>
     *
     * <p>{@link LeaseLoss.Reason#HELD_TOO_LONG} is refused: acquire the lease with {@link
     * dev.leasehold.engine.LeaseRequest#atMost}, and {@linkplain #advance advance} the clock by that time.
     *
     * <p>All but {@code TAKEN_OVER} and {@code LEASE_DOCUMENT_LOST} befall whatever else that engine's session keeps, and {@code
     * CLOCK_DOCUMENT_LOST} what all engines hold.
     *
     * @param lease held through an engine of this
     * @param reason why
     * @throws IllegalArgumentException if no engine of this holds it, this handle of it was closed, or it has a term and cannot be lost so
     */
    public void lose(Lease lease, LeaseLoss.Reason reason) {
        TestMachine holder = machines.values().stream()
                .filter(machine -> lease.isHeld() && machine.holds(lease.tenure()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "no engine of this test holds the lease, so none can lose it: " + lease.tenure()));
        new LossOnPurpose(this, holder, lease).happen(reason);
    }

    /**
     * Has the next operation of the test's engine fail: that of {@link #engine()}, or of the only machine that the test has named. Before
     * there is any machine: of the first one. Several fail one after the other.
     *
     * @param failure how
     * @throws IllegalStateException if the test has named several machines and does not use {@link #engine()}: say which by {@link
     *     TestMachine#failNext}
     */
    public void failNext(StoreFailure failure) {
        if (machines.isEmpty()) {
            failuresOfTheFirst.add(failure);
        } else if (machines.containsKey(FIRST)) {
            machine(FIRST).failNext(failure);
        } else if (machines.size() == 1) {
            machines.values().iterator().next().failNext(failure);
        } else {
            throw new IllegalStateException("failNext is refused: the test has the machines " + machines.keySet()
                    + ". Say whose operation is to fail: machine(...).failNext(" + failure + ")");
        }
    }

    void advanceForWaits(BooleanSupplier isEnough) {
        access.advanceForWaits(isEnough);
    }

    void deleteLease(String name) {
        access.run(() -> database.deleteLease(name));
    }

    void deleteClocks() {
        access.run(database::deleteClocks);
    }

    void makeClocksAnew() {
        access.run(database::makeClocksAnew);
    }

    /** The database is away until it is started again. What it has, it keeps. */
    public void stopDatabase() {
        access.run(() -> database.failOver(Long.MAX_VALUE / 4, false));
    }

    /** The database is there again. */
    public void startDatabase() {
        access.run(database::elect);
    }

    /**
     * A driver session of the database in memory, for code that puts assertions into transactions of its own: it begins and ends transactions
     * as a real one does, and runs bodies again by the driver's rules. {@link Lease#assertion()} and {@link Lease#inTransaction} work in it
     * and decide as they do on a server. There are no collections, so your own writes are not in it.
     *
     * @return for one thread at a time
     */
    public ClientSession startSession() {
        return access.inside(() -> database.callerSession(callers, sessions++, NONE, access))
                .clientSession();
    }

    /** Closes all engines, as services do that are shut down. No thread is left behind. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            startDatabase();
            machines.values().forEach(TestMachine::close);
            access.close();
        }
    }

    static long positiveNanos(Duration duration, WorldAccess access) {
        if (duration.isNegative() || duration.isZero()) {
            throw new IllegalArgumentException("duration " + duration + " is refused: it must be positive");
        }
        return nanosOn(duration, access);
    }

    /** By which the clock moves on. */
    private static long nanosOn(Duration duration, WorldAccess access) {
        Duration left = LONGEST.minusNanos(access.nowNanos());
        if (duration.compareTo(left) > 0) {
            throw new IllegalArgumentException("duration " + duration + " is refused: the clock of a test moves by "
                    + LONGEST.toDays() + " days at most, and " + left + " are left");
        }
        return duration.toNanos();
    }

    static void checkAhead(Duration ahead) {
        if (ahead.abs().compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("clocks that are " + ahead + " ahead are refused: it must be at most "
                    + LONGEST.toDays() + " days, ahead or behind");
        }
    }
}
