package dev.leasehold.engine.commit;

import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.protocol.LeaseView;
import dev.leasehold.engine.protocol.Situation;
import dev.leasehold.engine.runtime.EngineRuntime;
import dev.leasehold.engine.runtime.EngineThread;
import dev.leasehold.engine.store.ClockWrite;
import dev.leasehold.engine.store.LeaseStore;
import dev.leasehold.engine.store.WriteOutcome;
import dev.leasehold.engine.time.Belief;
import dev.leasehold.engine.time.StampClock;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The session of the present writer: every acknowledgement of its time renews all leases that it keeps. It begins when the
 * first lease needs it; from then on heartbeats acknowledge where nothing else does. Used by the engine's own thread alone.
 */
final class Session {

    private static final Logger LOG = LoggerFactory.getLogger(Session.class);

    private final String namespace;
    private final long lengthNanos;
    private final HeartbeatSchedule schedule;
    private final LeaseStore store;
    private final EngineRuntime runtime;
    private final EngineThread thread;
    private final StampClock clock;
    private final Registration registration;
    private final LeaseView view;
    private final Beliefs beliefs;

    private long acknowledgedAtNanos;
    private int failures;
    private boolean told;
    /** A heartbeat met another clock document than it rests on, and nothing was acknowledged since. */
    private boolean missed;

    private boolean beating;
    private boolean ended;
    /** Read by other threads, as the next one is. */
    private volatile @Nullable LeaseException trouble;
    /** A heartbeat was sent while the session was believed in, and nothing was acknowledged since. */
    private volatile boolean unanswered;

    Session(
            Environment environment,
            long lengthNanos,
            HeartbeatSchedule schedule,
            Registration registration,
            LeaseView view,
            Beliefs beliefs) {
        this.namespace = environment.namespace();
        this.lengthNanos = lengthNanos;
        this.schedule = schedule;
        this.store = environment.store();
        this.runtime = environment.runtime();
        this.thread = environment.thread();
        this.clock = environment.clock();
        this.registration = registration;
        this.view = view;
        this.beliefs = beliefs;
    }

    /** Why the newest heartbeat failed, or that it is not answered; null if all is well. Safe for many threads. */
    @Nullable LeaseException trouble() {
        LeaseException failure = trouble;
        return failure == null && unanswered ? notAcknowledged(registration.writer(), null) : failure;
    }

    /** Whether leases that are written now are kept by it. */
    boolean isAlive() {
        return beating && registration.isJoined() && beliefs.sessionRemainingNanos() > 0;
    }

    /**
     * Whether a lease may be written without the clock. Such a write does not meet what the clock says, such as a newer schema, so the last
     * that is known of the clock must be that it was as it should be, and from not longer ago than the session is long.
     */
    boolean vouchesForTheClock() {
        return isAlive() && !missed;
    }

    /**
     * Begins it, or brings it back to life where heartbeats were late and nobody has evicted the writer yet.
     *
     * @throws LeaseException if that did not succeed
     */
    void begin() {
        if (registration.isJoined()) {
            beat();
            keepBeating();
        } else {
            join();
        }
    }

    private void join() {
        Reading reading = nextReading();
        registration.join(reading.stampNanos(), lengthNanos);
        note(reading);
        keepBeating();
        LOG.debug("namespace '{}', writer '{}': its session has begun", namespace, registration.writer());
    }

    /** No more heartbeats, since the entry is about to be removed. */
    void end() {
        ended = true;
    }

    /** A transaction has acknowledged the writer's time, if it is the present writer that sent it. */
    void acknowledged(Situation at) {
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
        trouble = null;
        unanswered = false;
        beliefs.acknowledged(Belief.from(reading.nowNanos(), reading.wallNanos(), lengthNanos));
        view.acknowledged(reading.stampNanos(), lengthNanos);
    }

    private void keepBeating() {
        if (!beating) {
            // It counts as beating only once it is certain that the next one comes.
            thread.executeAfter(schedule.dueInNanos(acknowledgedAtNanos, clock.nowNanos()), this::beatWhenDue);
            beating = true;
        }
    }

    /** One task that hands itself in again, whatever happens, for as long as there is a session. */
    private void beatWhenDue() {
        beating = false;
        if (ended || !registration.isJoined()) {
            return;
        }
        try {
            if (schedule.dueInNanos(acknowledgedAtNanos, clock.nowNanos()) == 0) {
                tryToBeat();
            }
        } finally {
            if (registration.isJoined()) {
                thread.executeAfter(nextInNanos(), this::beatWhenDue);
                beating = true;
            }
        }
    }

    private long nextInNanos() {
        return failures == 0
                ? schedule.dueInNanos(acknowledgedAtNanos, clock.nowNanos())
                : runtime.randomNanos(schedule.windowNanos(failures));
    }

    private void tryToBeat() {
        String writer = registration.writer();
        try {
            beat();
        } catch (LeaseException e) {
            failed(writer, e);
        } catch (RuntimeException e) {
            failed(writer, new LeaseUnavailableException("a heartbeat failed unexpectedly", e));
            LOG.error("namespace '{}', writer '{}': a heartbeat failed unexpectedly", namespace, writer, e);
        }
    }

    private void failed(String writer, LeaseException e) {
        failures++;
        trouble = e;
        LOG.debug(
                "namespace '{}', writer '{}': attempt {} of a heartbeat has not succeeded: {}",
                namespace,
                writer,
                failures,
                e.getMessage());
        if (writer.equals(registration.writer())) {
            tellOnceIfLong(e);
        }
    }

    /** While there is time to look at the database: what comes next in the log is the loss of all that the session keeps. */
    private void tellOnceIfLong(LeaseException e) {
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

    private void beat() {
        String writer = registration.writer();
        // One that is sent when it is too late, such as after a suspend, is not why the session was lost.
        unanswered = beliefs.sessionRemainingNanos() > 0;
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
        beliefs.stamped(reading.nowNanos(), reading.wallNanos());
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
