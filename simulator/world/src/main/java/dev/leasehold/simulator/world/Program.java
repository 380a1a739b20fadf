package dev.leasehold.simulator.world;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A process on a host, until it ends or crashes. */
public final class Program {

    private final World world;
    private final Host host;
    private final int incarnation;
    private final List<Actor> actors = new ArrayList<>();
    private Runnable afterSteps = () -> {};
    private boolean alive = true;

    Program(World world, Host host, int incarnation) {
        this.world = world;
        this.host = host;
        this.incarnation = incarnation;
    }

    public World world() {
        return world;
    }

    public Host host() {
        return host;
    }

    public int incarnation() {
        return incarnation;
    }

    public boolean isAlive() {
        return alive && !world.isOver();
    }

    /** To be run whenever this program has done something and rests. It must not wait. */
    public void afterSteps(Runnable look) {
        afterSteps = look;
    }

    void look() {
        if (isAlive()) {
            try {
                afterSteps.run();
            } catch (Gone e) {
                // The look itself may be one step too many, which ends the world.
            }
        }
    }

    /** Nothing of a dead program may have an effect any more, not even while its stacks unwind. */
    public void requireAlive() {
        world.countStep();
        if (!isAlive()) {
            throw Gone.GONE;
        }
    }

    /** Starts a thread. Its body may wait. */
    public void start(String name, Runnable body) {
        if (isAlive()) {
            Actor actor = new Actor(this, name, body);
            actors.add(actor);
            world.resume(actor);
        }
    }

    /** Runs something that does not wait, after what is to happen at this instant already. */
    public void soon(Runnable step) {
        world.push(this, world.nowNanos(), step);
    }

    /** The same, at an instant of true time. */
    public void at(long trueNanos, Runnable step) {
        world.push(this, trueNanos, step);
    }

    /** The same, after a time on the host's monotonic clock. */
    public void afterLocal(long delayNanos, Runnable step) {
        if (delayNanos <= 0) {
            soon(step);
        } else {
            world.pushLocal(this, delayNanos, step);
        }
    }

    /**
     * Waits until the future is complete, or until the time has passed on the host's monotonic clock. To be called by an actor of this
     * program.
     *
     * @return whether it is complete
     */
    public boolean await(CompletableFuture<?> future, long timeoutNanos) {
        requireAlive();
        if (!future.isDone()) {
            Signal done = new Signal();
            future.whenComplete((result, thrown) -> done.give());
            world.await(this, done, timeoutNanos);
        }
        requireAlive();
        return future.isDone();
    }

    /** The same for a signal. */
    boolean await(Signal signal, long timeoutNanos) {
        requireAlive();
        if (!signal.isGiven()) {
            world.await(this, signal, timeoutNanos);
        }
        requireAlive();
        return signal.isGiven();
    }

    /** Waits until the time has passed on the host's monotonic clock. To be called by an actor of this program. */
    public void pause(long localNanos) {
        await(new Signal(), localNanos);
    }

    void ended(Actor actor) {
        actors.remove(actor);
    }

    /** The process is gone from one instant to the next. Its threads unwind without being able to do anything. */
    void kill() {
        alive = false;
        for (Actor actor : List.copyOf(actors)) {
            if (actor.worker() == null) {
                actor.abandon();
                actors.remove(actor);
            } else {
                world.resume(actor);
            }
        }
    }

    /** For the end of the world: a thread that has to unwind yet. */
    @Nullable Actor anyStarted() {
        for (Actor actor : actors) {
            if (actor.worker() != null) {
                return actor;
            }
        }
        return null;
    }
}
