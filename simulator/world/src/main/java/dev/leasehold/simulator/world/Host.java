package dev.leasehold.simulator.world;

import dev.leasehold.simulator.clock.MachineClock;
import dev.leasehold.simulator.conditions.Draws;
import dev.leasehold.simulator.conditions.Fate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** A machine in the world. One program at a time runs on it. */
public final class Host {

    private final World world;
    private final int number;
    private final MachineClock clock;
    private final Draws draws;
    private final Deque<World.Entry> backlog = new ArrayDeque<>();
    private final List<PendingFate> fates = new ArrayList<>();
    private @Nullable Program program;
    private int incarnations;
    private int wakes;
    private int express;
    private LongConsumer onCrash = downNanos -> crash();
    private long asleepUntilNanos = Long.MIN_VALUE;
    private long cutOffUntilNanos = Long.MIN_VALUE;

    private static final class PendingFate {
        private final Fate fate;
        private int left;

        PendingFate(Fate fate) {
            this.fate = fate;
            this.left = fate.afterMessages();
        }
    }

    Host(World world, int number, MachineClock clock, long seed) {
        this.world = world;
        this.number = number;
        this.clock = clock;
        this.draws = new Draws(seed);
    }

    public int number() {
        return number;
    }

    public MachineClock clock() {
        return clock;
    }

    /** What is drawn on behalf of this host. */
    public Draws draws() {
        return draws;
    }

    public long monotonicNanos() {
        return clock.monotonicNanos(world.nowNanos());
    }

    public long wallNanos() {
        return clock.wallNanos(world.nowNanos());
    }

    /** Starts a program. The one before may still be about to end. */
    public Program startProgram() {
        Program started = new Program(world, this, incarnations++);
        program = started;
        world.programs().add(started);
        return started;
    }

    /** What a crash means on this host: it is given for how long the machine stays down. */
    public void onCrash(LongConsumer onCrash) {
        this.onCrash = onCrash;
    }

    /** The machine crashes, and starts again after a while. */
    public void crashFor(long downNanos) {
        onCrash.accept(downNanos);
    }

    /** Ends all programs from one instant to the next. */
    public void crash() {
        program = null;
        express = 0;
        backlog.clear();
        for (Program killed : world.programs()) {
            if (killed.host() == this) {
                killed.kill();
            }
        }
    }

    /** The machine makes no step until then. */
    public void sleep(long untilNanos) {
        if (untilNanos > asleepUntilNanos) {
            asleepUntilNanos = untilNanos;
            world.at(untilNanos, this::wake);
        }
    }

    public boolean isAsleep() {
        return world.nowNanos() < asleepUntilNanos;
    }

    void defer(World.Entry entry) {
        backlog.add(entry);
    }

    /** How many times it has woken up. */
    public int wakes() {
        return wakes;
    }

    private void wake() {
        if (!isAsleep()) {
            wakes++;
            if (program != null) {
                // Whoever looks after each step looks now too.
                program.soon(() -> {});
            }
            while (!backlog.isEmpty()) {
                world.pushAgain(backlog.poll());
            }
        }
    }

    /** No message gets through until then. */
    public void cutOff(long untilNanos) {
        cutOffUntilNanos = Math.max(cutOffUntilNanos, untilNanos);
    }

    /** Messages get through again. */
    public void reconnect() {
        cutOffUntilNanos = Long.MIN_VALUE;
    }

    boolean isCutOff() {
        return world.nowNanos() < cutOffUntilNanos;
    }

    /** Until the end, messages of this host take no time and nothing befalls them. */
    public void beginExpress() {
        express++;
    }

    public void endExpress() {
        express--;
    }

    boolean isExpress() {
        return express > 0;
    }

    /** The fate befalls a message that is sent from now on. */
    public void await(Fate fate) {
        fates.add(new PendingFate(fate));
    }

    /** What befalls the message that is sent now; null for nothing special. */
    @Nullable Fate nextFate() {
        Fate due = null;
        for (Iterator<PendingFate> all = fates.iterator(); all.hasNext(); ) {
            PendingFate pending = all.next();
            if (pending.left > 0) {
                pending.left--;
            } else if (due == null) {
                due = pending.fate;
                all.remove();
            }
        }
        return due;
    }

    /** From now on nothing befalls anything. */
    public void heal() {
        fates.clear();
        cutOffUntilNanos = Long.MIN_VALUE;
        if (isAsleep()) {
            asleepUntilNanos = world.nowNanos();
            wake();
        }
    }
}
