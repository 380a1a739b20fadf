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
 * True time, and what happens next. Whoever has the baton, and nobody else, may call anything here.
 *
 * <p>What happens at the same instant happens in the order in which it was asked for.
 */
public final class World {

    /** More steps than this in one second of true time mean that something runs in circles. */
    private static final int STEPS_IN_A_SECOND_MAX = 200_000;

    private static final long SECOND = 1_000_000_000;

    /** Something that is to happen. */
    static final class Entry implements Comparable<Entry> {
        private long atNanos;
        private long sequence;
        private final @Nullable Program program;
        private final @Nullable Runnable step;
        private final @Nullable Actor actor;
        private final long wait;
        /** Null where it waits for true time alone. */
        private final @Nullable LocalWait local;

        Entry(
                long atNanos,
                @Nullable Program program,
                @Nullable Runnable step,
                @Nullable Actor actor,
                @Nullable LocalWait local) {
            this.atNanos = atNanos;
            this.program = program;
            this.step = step;
            this.actor = actor;
            this.wait = actor == null ? 0 : actor.currentWait();
            this.local = local;
        }

        @Override
        public int compareTo(Entry other) {
            int byTime = Long.compare(atNanos, other.atNanos);
            return byTime == 0 ? Long.compare(sequence, other.sequence) : byTime;
        }

        private boolean isStale() {
            return program != null
                    && (actor == null ? !program.isAlive() : actor.isDone() || actor.currentWait() != wait);
        }
    }

    /** How threads wait that are none of a program's, while nothing is being driven. */
    public interface Outsiders {

        /**
         * Waits until it is over, or until the time has passed on the host's monotonic clock.
         *
         * @param isOver asked while nothing else happens in this world
         */
        void await(Host host, BooleanSupplier isOver, long timeoutNanos);
    }

    private static final Outsiders NONE = (host, isOver, timeoutNanos) -> {
        throw new IllegalStateException("this thread is none of the program's, or is in a step that must not wait");
    };

    private final Workers workers;
    private final Outsiders outsiders;
    private final Consumer<Event> recorder;
    private final List<Event> events = new ArrayList<>();
    private final List<Host> hosts = new ArrayList<>();
    private final List<Program> programs = new ArrayList<>();
    /** What is to happen at this very instant, behind what the queue has for it: that was asked for before the instant came. */
    private final Deque<Entry> atOnce = new ArrayDeque<>();

    private final PriorityQueue<Entry> queue = new PriorityQueue<>(256);
    private long nowNanos;
    private long sequence;
    private long steps;
    private long stepsAtSecond;
    private long secondEndsNanos = SECOND;
    private boolean over;
    private Predicate<Throwable> isTrouble = thrown -> false;
    private @Nullable Actor running;
    /** Whose step is being made, where no actor runs. */
    private @Nullable Program stepping;

    private @Nullable Worker outside;
    /** Whether something is made to happen. */
    private boolean driving;
    /** Null when everything is to happen. */
    private @Nullable BooleanSupplier isEnough;

    private long untilNanos;
    private @Nullable Throwable failure;

    /** One in which nobody takes part but its own programs, and everything is written down. */
    public World(Workers workers) {
        this.workers = workers;
        this.outsiders = NONE;
        this.recorder = events::add;
    }

    /**
     * One that other threads take part in.
     *
     * @param outsiders how those wait
     * @param recorder told what happens
     */
    public World(Workers workers, Outsiders outsiders, Consumer<Event> recorder) {
        this.workers = workers;
        this.outsiders = outsiders;
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

    /** Programs may log that, and go on. */
    public void trouble(Predicate<Throwable> mayBeLogged) {
        isTrouble = mayBeLogged;
    }

    /** Adds a machine. */
    public Host addHost(MachineClock clock, long seed) {
        Host host = new Host(this, hosts.size(), clock, seed);
        hosts.add(host);
        return host;
    }

    public List<Host> hosts() {
        return hosts;
    }

    List<Program> programs() {
        return programs;
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

    /** Lets everything happen, until somebody ends the world or nothing is left to happen. */
    public void run() {
        Worker self = Worker.ofThisThread(workers.ear());
        outside = self;
        workers.ear().listener(this::logged);
        driving = true;
        try {
            driveFrom(null, self);
        } finally {
            driving = false;
            workers.ear().nobodyListens();
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
     * none of a program's, of which there must be one at a time. A world that is over lets its threads unwind.
     *
     * @param isEnough asked after each step
     */
    public void runUntil(BooleanSupplier isEnough, long untilNanos) {
        this.isEnough = isEnough;
        this.untilNanos = untilNanos;
        Worker self = Worker.visiting(workers.ear());
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

    /** Whether the thread that asks is one of a program's. */
    public static boolean isOnThreadOfProgram() {
        return Worker.isCurrent();
    }

    // ---- for programs ----

    void push(@Nullable Program program, long trueNanos, Runnable step) {
        push(new Entry(Math.max(nowNanos, trueNanos), program, step, null, null));
    }

    void pushLocal(Program program, long delayNanos, Runnable step) {
        LocalWait local = new LocalWait(program.host().clock(), nowNanos, delayNanos);
        push(new Entry(local.endNanos(nowNanos), program, step, null, local));
    }

    void resume(Actor actor) {
        push(new Entry(nowNanos, actor.program(), null, actor, null));
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

    void running(Actor actor) {
        running = actor;
    }

    void await(Program program, Signal signal, long timeoutNanos) {
        if (!driving) {
            outsiders.await(program.host(), signal::isGiven, timeoutNanos);
            return;
        }
        Actor self = running;
        if (self == null
                || self.program() != program
                || self.worker() == null
                || !self.worker().isThisThread()) {
            throw new IllegalStateException("this thread is none of the program's, or is in a step that must not wait");
        }
        signal.awaitedBy(self);
        LocalWait local = new LocalWait(program.host().clock(), nowNanos, timeoutNanos);
        push(new Entry(local.endNanos(nowNanos), program, null, self, local));
        program.look();
        driveFrom(self, self.worker());
        self.waitIsOver();
        running = self;
    }

    void broken(Program program, String where, Throwable thrown) {
        if (thrown instanceof SimulatorFailure) {
            failure = failure == null ? thrown : failure;
        } else {
            record(new Event.Broken(nowNanos, program.host().number(), where + ": " + thrown));
        }
        over = true;
    }

    /** What a program has caught and goes on after. */
    private void logged(Throwable thrown) {
        Program program = running == null ? stepping : running.program();
        if (program != null && program.isAlive() && !(thrown instanceof Gone) && !isTrouble.test(thrown)) {
            record(new Event.Broken(nowNanos, program.host().number(), "it logs " + thrown + ", and goes on"));
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

    /** For a worker whose actor has ended. Returns the next actor for this very thread; null if the baton was passed on. */
    @Nullable Actor driveOn(Worker worker) {
        Actor ended = running;
        if (ended != null) {
            ended.program().look();
        }
        return driveFrom(null, worker);
    }

    /**
     * Lets happen what is next, on this thread, until it is its own turn, or another thread's. With an actor it returns when that may go
     * on. Without one it returns the next actor to be run on this thread, or null when there is nothing more to do for it.
     */
    private @Nullable Actor driveFrom(@Nullable Actor self, Worker worker) {
        running = null;
        Actor next = nextActor();
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
    private @Nullable Actor leave(@Nullable Actor self, Worker worker, @Nullable Worker to) {
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
    private @Nullable Actor nextActor() {
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
                    if (entry.actor != null) {
                        return entry.actor;
                    }
                    run(entry);
                }
            }
        }
        for (Program program : programs) {
            Actor unwinding = program.anyStarted();
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
        Program program = entry.program;
        if (program == null || !program.isAlive()) {
            return true;
        }
        if (program.host().isAsleep()) {
            program.host().defer(entry);
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
        Program program = entry.program;
        stepping = program;
        try {
            Objects.requireNonNull(entry.step).run();
        } catch (Gone e) {
            // The program is no more.
        } catch (RuntimeException | Error e) {
            if (program == null) {
                failure = e;
                over = true;
            } else {
                broken(program, "a step", e);
            }
        }
        if (program != null) {
            program.look();
        }
    }
}
