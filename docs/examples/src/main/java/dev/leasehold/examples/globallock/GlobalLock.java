package dev.leasehold.examples.globallock;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Granted;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseResult;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.LeaseStatus;
import dev.leasehold.engine.Refusal;
import dev.leasehold.engine.Tenures;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A lock that one worker of all has, for a duration that it says. Nothing renews it but the worker itself, by asking again. For one thread
 * at a time.
 */
public final class GlobalLock {

    private static final Duration PAUSE_MAX = Duration.ofSeconds(1);

    private final LeaseEngine engine;
    private final Tenures tenures;
    private final String name;
    private final String worker;
    private @Nullable Tenure latest;

    /**
     * The lock as one worker takes it.
     *
     * @param engine of the worker's process
     * @param name of the lock
     * @param worker by what name people know it
     */
    public GlobalLock(LeaseEngine engine, String name, String worker) {
        this.engine = engine;
        this.tenures = engine.tenures();
        this.name = name;
        this.worker = worker;
    }

    /**
     * Takes the lock if it is free, or if its holder's time is certainly over. A worker that has the lock keeps it for the duration from
     * now, under the same token.
     *
     * @param duration for how long
     * @return the tenure with its token; or a refusal that names the holder, and says until when at the latest
     * @throws InterruptedException if the thread was interrupted
     */
    public LeaseResult tryAcquire(Duration duration) throws InterruptedException {
        LeaseResult result = ask(duration);
        if (result instanceof Granted granted) {
            latest = granted.tenure();
        }
        return result;
    }

    private LeaseResult ask(Duration duration) throws InterruptedException {
        // example:start ask
        if (latest != null && tenures.extend(latest, duration) instanceof Granted renewed) {
            return renewed; // under the same token
        }
        LeaseResult claimed = tenures.claim(name, worker, duration);
        return claimed instanceof Refusal no && no.reason() == Refusal.Reason.HELD_PAST_EXPIRY
                ? tenures.takeOver(name, worker, duration)
                : claimed;
        // example:end ask
    }

    /**
     * The same, repeated while another worker has the lock. It is taken when that worker's time is certainly over, and within a second
     * after a release.
     *
     * @param duration for how long to have it
     * @param wait for how long to try
     * @return as of {@link #tryAcquire}; the refusal is the last one
     * @throws InterruptedException if the thread was interrupted
     */
    public LeaseResult acquire(Duration duration, Duration wait) throws InterruptedException {
        // example:start wait
        long startNanos = System.nanoTime();
        LeaseResult result = tryAcquire(duration);
        while (result instanceof Refusal refusal && System.nanoTime() - startNanos < wait.toNanos()) {
            Thread.sleep(pauseAfter(refusal).toMillis() + 1);
            result = tryAcquire(duration);
        }
        return result;
        // example:end wait
    }

    /** Until the lock may be taken, on this engine's clock; shorter, to notice when it is released. */
    private static Duration pauseAfter(Refusal refusal) {
        Duration pause = PAUSE_MAX;
        if (refusal.state() instanceof LeaseState.Held held && held.latestExpiry() != null) {
            Duration rest = Duration.between(Instant.now(), held.latestExpiry());
            pause = rest.compareTo(pause) < 0 ? rest : pause;
        }
        return pause.isNegative() ? Duration.ZERO : pause;
    }

    /**
     * Whether the lock is held under a token, at this moment. For code that was given a token.
     *
     * @param token as a worker got it
     * @return false if the lock has a later token or is free, or its time is certainly over
     * @throws InterruptedException if the thread was interrupted
     */
    public boolean isValid(long token) throws InterruptedException {
        return engine.refresh(List.of(name)).get(0) instanceof LeaseState.Held held
                && held.tenure().token() == token
                && held.status() == LeaseStatus.ACTIVE;
    }

    /**
     * Gives the lock up, if this worker still has it.
     *
     * @throws InterruptedException if the thread was interrupted; the time of the lock then runs out by itself
     */
    public void release() throws InterruptedException {
        if (latest != null) {
            tenures.release(latest);
            latest = null;
        }
    }
}
