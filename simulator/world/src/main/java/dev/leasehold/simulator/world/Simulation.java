package dev.leasehold.simulator.world;

import dev.leasehold.simulator.clock.MachineClock;
import dev.leasehold.simulator.history.Event;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * True time, and what happens next. The thread that has the baton, and no other, may call anything here.
 *
 * <p>What happens at the same instant happens in the order in which it was asked for.
 */
public final class Simulation {

    /** More steps than this in one second of true time mean that something runs in circles. */
    private static final int STEPS_IN_A_SECOND_MAX = 200_000;

    private static final long SECOND = 1_000_000_000;

    /** Something that is to happen. */
    static final class Entry implements Comparable<Entry> {
        private long atNanos;
        private long sequence;
        private final @Nullable SimulatedProcess simulatedProcess;
        private final @Nullable Runnable step;
        private final @Nullable SimulatedThread simulatedThread;
        private final long wait;
        /** Null where it waits for true time alone. */
        private final @Nullable LocalWait local;

        Entry(
                long atNanos,
                @Nullable SimulatedProcess simulatedProcess,
                @Nullable Runnable step,
                @Nullable SimulatedThread simulatedThread,
                @Nullable LocalWait local) {
            this.atNanos = atNanos;
            this.simulatedProcess = simulatedProcess;
            this.step = step;
            this.simulatedThread = simulatedThread;
            this.wait = simulatedThread == null ? 0 : simulatedThread.currentWait();
            this.local = local;
        }

        @Override
        public int compareTo(Entry other) {
            int byTime = Long.compare(atNanos, other.atNanos);
            return byTime == 0 ? Long.compare(sequence, other.sequence) : byTime;
        }

        private boolean isStale() {
            return simulatedProcess != null
                    && (simulatedThread == null
                            ? !simulatedProcess.isAlive()
                            : simulatedThread.isDone() || simulatedThread.currentWait() != wait);
        }
    }

    /** How threads wait that are none of a process's, while nothing is being driven. */
    public interface ExternalThreads {

        /**
         * Waits until it is over, or until the time has passed on the host's monotonic clock.
         *
         * @param isOver asked while nothing else happens in this world
         */
        void await(SimulatedMachine simulatedMachine, BooleanSupplier isOver, long timeoutNanos);
    }

    private static final ExternalThreads NONE = (simulatedMachine, isOver, timeoutNanos) -> {
        throw new IllegalStateException("this thread is none of the process's, or is in a step that must not wait");
    };

    private final Workers workers;
    private final ExternalThreads externalThreads;
    private final Consumer<Event> recorder;
    private final List<Event> events = new ArrayList<>();
    private final List<SimulatedMachine> machines = new ArrayList<>();
    private final List<SimulatedProcess> processes = new ArrayList<>();
    /** What is to happen at this very instant, behind what the queue has for it: that was asked for before the instant came. */
    private final Deque<Entry> atOnce = new ArrayDeque<>();

    private final PriorityQueue<Entry> queue = new PriorityQueue<>(256);
    private long nowNanos;
    private long sequence;
    private long steps;
    private long stepsAtSecond;
    private long secondEndsNanos = SECOND;
    private boolean over;
    private Predicate<Throwable> mayBeLogged = thrown -> false;
    private @Nullable SimulatedThread running;
    /** The process that makes a step, where no thread runs. */
    private @Nullable SimulatedProcess stepping;

    private @Nullable Worker outside;
    /** Whether something is made to happen. */
    private boolean driving;
    /** Null when everything is to happen. */
    private @Nullable BooleanSupplier isEnough;

    private long untilNanos;
    private @Nullable Throwable failure;

    /** One in which nothing takes part but its own processes, and everything is written down. */
    public Simulation(Workers workers) {
        this.workers = workers;
        this.externalThreads = NONE;
        this.recorder = events::add;
    }

    /** One that other threads take part in. */
    public Simulation(Workers workers, ExternalThreads externalThreads, Consumer<Event> recorder) {
        this.workers = workers;
        this.externalThreads = externalThreads;
        this.recorder = recorder;
    }

    public long nowNanos() {
        return nowNanos;
    }

    public long steps() {
        return steps;
    }

    /** What was recorded so far. */
    public List<Event> events() {
        return events;
    }

    public void record(Event event) {
        recorder.accept(event);
    }

    /** Processes may log that, and go on. */
    public void trouble(Predicate<Throwable> mayBeLogged) {
        this.mayBeLogged = mayBeLogged;
    }

    /** Adds a machine. */
    public SimulatedMachine addMachine(MachineClock clock, long seed) {
        SimulatedMachine simulatedMachine = new SimulatedMachine(this, machines.size(), clock, seed);
        machines.add(simulatedMachine);
        return simulatedMachine;
    }

    public List<SimulatedMachine> machines() {
        return machines;
    }

    List<SimulatedProcess> processes() {
        return processes;
    }

    /** At that instant, or now if it is past, this happens. It must not wait. */
    public void at(long trueNanos, Runnable step) {
        push(null, trueNanos, step);
    }

    public void after(long delayNanos, Runnable step) {
        at(nowNanos + delayNanos, step);
    }

    public boolean isOver() {
        return over;
    }

    /** Nothing more happens, apart from the unwinding of what is still under way. */
    public void end() {
        over = true;
    }

    /** Lets everything happen, until a step ends the world or nothing is left to happen. */
    public void run() {
        Worker self = Worker.ofThisThread(workers.logListener());
        outside = self;
        workers.logListener().listener(this::logged);
        driving = true;
        try {
            driveFrom(null, self);
        } finally {
            driving = false;
            workers.logListener().clear();
        }
        requireSound();
    }

    private void requireSound() {
        if (failure != null) {
            throw new IllegalStateException("the simulator has failed at " + nowNanos + " ns of true time", failure);
        }
    }

    /**
     * Lets happen what is due up to an instant, or until it is enough; time stays where the last of it happened. For a thread that is
     * none of a process's, of which there must be one at a time. A world that is over lets its threads unwind.
     *
     * @param isEnough asked after each step
     */
    public void runUntil(BooleanSupplier isEnough, long untilNanos) {
        this.isEnough = isEnough;
        this.untilNanos = untilNanos;
        Worker self = Worker.visiting(workers.logListener());
        outside = self;
        driving = true;
        try {
            driveFrom(null, self);
        } finally {
            driving = false;
            this.isEnough = null;
        }
        requireSound();
    }

    /** Nothing is left to happen before that instant, and now it is there. */
    public void moveTo(long trueNanos) {
        nowNanos = Math.max(nowNanos, trueNanos);
    }

    /** Whether the thread that asks is one of a process's. */
    public static boolean isOnSimulatedThread() {
        return Worker.isCurrent();
    }

    // ---- for processes ----

    void push(@Nullable SimulatedProcess simulatedProcess, long trueNanos, Runnable step) {
        push(new Entry(Math.max(nowNanos, trueNanos), simulatedProcess, step, null, null));
    }

    void pushLocal(SimulatedProcess simulatedProcess, long delayNanos, Runnable step) {
        LocalWait local = new LocalWait(simulatedProcess.simulatedMachine().clock(), nowNanos, delayNanos);
        push(new Entry(local.endNanos(nowNanos), simulatedProcess, step, null, local));
    }

    void resume(SimulatedThread simulatedThread) {
        push(new Entry(nowNanos, simulatedThread.simulatedProcess(), null, simulatedThread, null));
    }

    void pushAgain(Entry entry) {
        entry.atNanos = nowNanos;
        push(entry);
    }

    private void push(Entry entry) {
        if (entry.atNanos <= nowNanos) {
            atOnce.add(entry);
        } else {
            entry.sequence = sequence++;
            queue.add(entry);
        }
    }

    private @Nullable Entry poll() {
        Entry first = queue.peek();
        return atOnce.isEmpty() || first != null && first.atNanos <= nowNanos ? queue.poll() : atOnce.poll();
    }

    void running(SimulatedThread simulatedThread) {
        running = simulatedThread;
    }

    void await(SimulatedProcess simulatedProcess, Signal signal, long timeoutNanos) {
        if (!driving) {
            externalThreads.await(simulatedProcess.simulatedMachine(), signal::isGiven, timeoutNanos);
            return;
        }
        SimulatedThread self = running;
        if (self == null
                || self.simulatedProcess() != simulatedProcess
                || self.worker() == null
                || !self.worker().isThisThread()) {
            throw new IllegalStateException("this thread is none of the process's, or is in a step that must not wait");
        }
        signal.awaitedBy(self);
        LocalWait local = new LocalWait(simulatedProcess.simulatedMachine().clock(), nowNanos, timeoutNanos);
        push(new Entry(local.endNanos(nowNanos), simulatedProcess, null, self, local));
        simulatedProcess.look();
        driveFrom(self, self.worker());
        self.waitIsOver();
        running = self;
    }

    void broken(SimulatedProcess simulatedProcess, String where, Throwable thrown) {
        if (thrown instanceof SimulatorFailure) {
            failure = failure == null ? thrown : failure;
        } else {
            record(new Event.Broken(
                    nowNanos, simulatedProcess.simulatedMachine().number(), where + ": " + thrown));
        }
        over = true;
    }

    /** What a process has caught and goes on after. */
    private void logged(Throwable thrown) {
        SimulatedProcess simulatedProcess = running == null ? stepping : running.simulatedProcess();
        if (simulatedProcess != null
                && simulatedProcess.isAlive()
                && !(thrown instanceof ProcessKilled)
                && !mayBeLogged.test(thrown)) {
            record(new Event.Broken(
                    nowNanos, simulatedProcess.simulatedMachine().number(), "it logs " + thrown + ", and goes on"));
        }
    }

    /** Counts everything that could be done for ever without time passing. */
    void countStep() {
        steps++;
        if (nowNanos >= secondEndsNanos) {
            secondEndsNanos = (nowNanos / SECOND + 1) * SECOND;
            stepsAtSecond = steps;
        }
        if (steps - stepsAtSecond > STEPS_IN_A_SECOND_MAX && !over) {
            record(new Event.Exceeded(nowNanos, "more than " + STEPS_IN_A_SECOND_MAX + " steps in a second"));
            over = true;
        }
    }

    // ---- the baton ----

    /** For a worker whose thread has ended. Returns the next thread for this very thread; null if the baton was passed on. */
    @Nullable SimulatedThread driveOn(Worker worker) {
        SimulatedThread ended = running;
        if (ended != null) {
            ended.simulatedProcess().look();
        }
        return driveFrom(null, worker);
    }

    /**
     * Lets happen what is next, on this thread, until it is its own turn, or another thread's. With a simulated thread it returns when that may go
     * on. Without one it returns the next thread to be run on this thread, or null when there is nothing more to do for it.
     */
    private @Nullable SimulatedThread driveFrom(@Nullable SimulatedThread self, Worker worker) {
        running = null;
        SimulatedThread next = nextActor();
        if (next == self && next != null) {
            return self;
        }
        if (next == null) {
            return leave(self, worker, outside);
        }
        if (next.worker() != null) {
            return leave(self, worker, next.worker());
        }
        if (self == null && worker != outside) {
            return next;
        }
        Worker other = workers.take();
        next.runsOn(other);
        other.assign(next);
        return leave(self, worker, other);
    }

    /** Passes the baton, and waits for it where there is something to come back to. */
    private @Nullable SimulatedThread leave(@Nullable SimulatedThread self, Worker worker, @Nullable Worker to) {
        if (worker == to) {
            return null;
        }
        boolean comesBack = self != null || worker == outside;
        if (!comesBack) {
            workers.giveBack(worker);
        }
        Objects.requireNonNull(to).pass();
        if (comesBack) {
            worker.awaitBaton();
        }
        return self;
    }

    /** Runs what needs no thread, up to what needs one. Null when all is over. */
    private @Nullable SimulatedThread nextActor() {
        while (!over) {
            if (isEnough != null && rests(isEnough)) {
                return null;
            }
            Entry entry = poll();
            if (entry == null) {
                over = true;
            } else if (!entry.isStale()) {
                nowNanos = entry.atNanos;
                countStep();
                if (isDue(entry)) {
                    if (entry.simulatedThread != null) {
                        return entry.simulatedThread;
                    }
                    run(entry);
                }
            }
        }
        for (SimulatedProcess simulatedProcess : processes) {
            SimulatedThread unwinding = simulatedProcess.anyStarted();
            if (unwinding != null) {
                return unwinding;
            }
        }
        return null;
    }

    private boolean rests(BooleanSupplier enough) {
        Entry first = queue.peek();
        boolean isDue = !atOnce.isEmpty() || first != null && first.atNanos <= untilNanos;
        return !isDue || enough.getAsBoolean();
    }

    private boolean isDue(Entry entry) {
        SimulatedProcess simulatedProcess = entry.simulatedProcess;
        if (simulatedProcess == null || !simulatedProcess.isAlive()) {
            return true;
        }
        if (simulatedProcess.simulatedMachine().isAsleep()) {
            simulatedProcess.simulatedMachine().defer(entry);
            return false;
        }
        if (entry.local != null && !entry.local.isOver(nowNanos)) {
            entry.atNanos = entry.local.endNanos(nowNanos);
            push(entry);
            return false;
        }
        return true;
    }

    private void run(Entry entry) {
        SimulatedProcess simulatedProcess = entry.simulatedProcess;
        stepping = simulatedProcess;
        try {
            Objects.requireNonNull(entry.step).run();
        } catch (ProcessKilled e) {
            // The process is no more.
        } catch (RuntimeException | Error e) {
            if (simulatedProcess == null) {
                failure = e;
                over = true;
            } else {
                broken(simulatedProcess, "a step", e);
            }
        }
        if (simulatedProcess != null) {
            simulatedProcess.look();
        }
    }
}
