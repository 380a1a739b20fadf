package dev.leasehold.engine.internal.session;

import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.rules.DecisionContext;
import dev.leasehold.engine.internal.rules.LeaseCache;
import dev.leasehold.engine.internal.runtime.EngineRuntime;
import dev.leasehold.engine.internal.runtime.EngineThread;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.time.StampClock;
import dev.leasehold.engine.internal.time.Validity;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The session of the present writer: every acknowledgement of its time renews all leases that it keeps. It begins when the
 * first lease needs it; from then on heartbeats acknowledge where nothing else does. Used by the engine's own thread alone.
 */
public final class Session {

    private static final Logger LOG = LoggerFactory.getLogger(Session.class);

    private final String namespace;
    private final long lengthNanos;
    private final HeartbeatSchedule schedule;
    private final LeaseStore store;
    private final EngineRuntime runtime;
    private final EngineThread thread;
    private final StampClock clock;
    private final WriterRegistration registration;
    private final LeaseCache cache;
    private final ValidityTracker validities;

    private long acknowledgedAtNanos;
    private int failures;
    private boolean told;
    /** A heartbeat met another clock document than it rests on, and nothing was acknowledged since. */
    private boolean missed;

    private boolean beating;
    private boolean ended;
    /** Read by other threads, as the next one is. */
    private volatile @Nullable LeaseException lastFailure;
    /** A heartbeat was sent while the session was believed in, and nothing was acknowledged since. */
    private volatile boolean unanswered;

    public Session(
            PartitionContext context,
            long lengthNanos,
            HeartbeatSchedule schedule,
            WriterRegistration registration,
            LeaseCache cache,
            ValidityTracker validities) {
        this.namespace = context.namespace();
        this.lengthNanos = lengthNanos;
        this.schedule = schedule;
        this.store = context.store();
        this.runtime = context.runtime();
        this.thread = context.thread();
        this.clock = context.clock();
        this.registration = registration;
        this.cache = cache;
        this.validities = validities;
    }

    /** Why the newest heartbeat failed, or that it is not answered; null if all is well. Safe for many threads. */
    public @Nullable LeaseException lastFailure() {
        LeaseException failure = lastFailure;
        return failure == null && unanswered ? notAcknowledged(registration.writer(), null) : failure;
    }

    /** Whether leases that are written now are kept by it. */
    public boolean isAlive() {
        return beating && registration.isJoined() && validities.sessionRemainingNanos() > 0;
    }

    /**
     * Whether a lease may be written without the clock. Such a write does not meet what the clock says, such as a newer schema, so the last
     * that is known of the clock must be that it was as it should be, and from not longer ago than the session is long.
     */
    public boolean hasFreshHeartbeat() {
        return isAlive() && !missed;
    }

    /**
     * Begins it, or brings it back to life where heartbeats were late and nobody has evicted the writer yet.
     *
     * @throws LeaseException if that did not succeed
     */
    public void begin() {
        if (registration.isJoined()) {
            heartbeat();
            scheduleHeartbeat();
        } else {
            join();
        }
    }

    private void join() {
        Reading reading = nextReading();
        registration.join(reading.stampNanos(), lengthNanos);
        note(reading);
        scheduleHeartbeat();
        LOG.debug("namespace '{}', writer '{}': its session has begun", namespace, registration.writer());
    }

    /** No more heartbeats, since the entry is about to be removed. */
    public void end() {
        ended = true;
    }

    /** A transaction has acknowledged the writer's time, if it is the present writer that sent it. */
    public void acknowledged(DecisionContext at) {
        if (at.writer().equals(registration.writer())) {
            registration.acknowledged(at.stampNanos());
            if (registration.isJoined()) {
                note(new Reading(at.nowNanos(), at.wallNanos(), at.stampNanos()));
            }
        }
    }

    /** Counted from the reading before the write was sent: others count from when they can have seen it at the earliest. */
    private void note(Reading reading) {
        acknowledgedAtNanos = reading.nowNanos();
        failures = 0;
        told = false;
        missed = false;
        lastFailure = null;
        unanswered = false;
        validities.acknowledged(Validity.from(reading.nowNanos(), reading.wallNanos(), lengthNanos));
        cache.acknowledged(reading.stampNanos(), lengthNanos);
    }

    private void scheduleHeartbeat() {
        if (!beating) {
            // It counts as beating only once it is certain that the next one comes.
            thread.executeAfter(schedule.dueInNanos(acknowledgedAtNanos, clock.nowNanos()), this::heartbeatIfDue);
            beating = true;
        }
    }

    /** One task that hands itself in again, whatever happens, for as long as there is a session. */
    private void heartbeatIfDue() {
        beating = false;
        if (ended || !registration.isJoined()) {
            return;
        }
        try {
            if (schedule.dueInNanos(acknowledgedAtNanos, clock.nowNanos()) == 0) {
                tryHeartbeat();
            }
        } finally {
            if (registration.isJoined()) {
                thread.executeAfter(nextInNanos(), this::heartbeatIfDue);
                beating = true;
            }
        }
    }

    private long nextInNanos() {
        return failures == 0
                ? schedule.dueInNanos(acknowledgedAtNanos, clock.nowNanos())
                : runtime.randomNanos(schedule.windowNanos(failures));
    }

    private void tryHeartbeat() {
        String writer = registration.writer();
        try {
            heartbeat();
        } catch (LeaseException e) {
            failed(writer, e);
        } catch (RuntimeException e) {
            failed(writer, new LeaseUnavailableException("a heartbeat failed unexpectedly", e));
            LOG.error("namespace '{}', writer '{}': a heartbeat failed unexpectedly", namespace, writer, e);
        }
    }

    private void failed(String writer, LeaseException e) {
        failures++;
        lastFailure = e;
        LOG.debug(
                "namespace '{}', writer '{}': attempt {} of a heartbeat has not succeeded: {}",
                namespace,
                writer,
                failures,
                e.getMessage());
        if (writer.equals(registration.writer())) {
            warnOnceIfSilent(e);
        }
    }

    /** While there is time to look at the database: what comes next in the log is the loss of all that the session keeps. */
    private void warnOnceIfSilent(LeaseException e) {
        long silentNanos = clock.nowNanos() - acknowledgedAtNanos;
        if (!told && silentNanos >= lengthNanos / 3 * 2) {
            told = true;
            LOG.warn(
                    "namespace '{}', writer '{}': its session has not been acknowledged for {} ms, and all that it keeps is lost after"
                            + " {} ms: {}",
                    namespace,
                    registration.writer(),
                    silentNanos / 1_000_000,
                    lengthNanos / 1_000_000,
                    e.getMessage());
        }
    }

    private void heartbeat() {
        String writer = registration.writer();
        // One that is sent when it is too late, such as after a suspend, is not why the session was lost.
        unanswered = validities.sessionRemainingNanos() > 0;
        Reading reading = nextReading();
        WriteOutcome outcome = store.writeClock(
                new ClockWrite.Heartbeat(writer, registration.acknowledgedNanos(), reading.stampNanos()));
        switch (outcome.verdict()) {
            case APPLIED -> {
                registration.acknowledged(reading.stampNanos());
                note(reading);
            }
            case MISSED -> {
                missed = true;
                registration.examine(store.read(Set.of(), writer).clock());
                throw notAcknowledged(writer, null);
            }
            default -> throw notAcknowledged(writer, outcome.cause());
        }
    }

    private Reading nextReading() {
        Reading reading = Reading.of(clock);
        validities.stamped(reading.nowNanos(), reading.wallNanos());
        return reading;
    }

    private LeaseException notAcknowledged(String writer, @Nullable LeaseException cause) {
        return new LeaseUnavailableException(
                "the session of writer '" + writer + "' in namespace '" + namespace + "' could not be acknowledged"
                        + (cause == null ? "" : ": " + cause.getMessage()),
                cause);
    }

    /** What the clocks showed before a write was sent, and the stamp that it carries. */
    private record Reading(long nowNanos, long wallNanos, long stampNanos) {
        static Reading of(StampClock clock) {
            long nowNanos = clock.nowNanos();
            return new Reading(nowNanos, clock.wallNanos(), clock.nextStampNanos(nowNanos));
        }
    }
}
