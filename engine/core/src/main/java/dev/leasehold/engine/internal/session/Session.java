package dev.leasehold.engine.internal.session;

import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.rules.DecisionContext;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.time.StampClock;
import dev.leasehold.engine.internal.time.Validity;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The session of the present writer. Every acknowledged stamp of the writer renews all leases that the session keeps.
 * The session begins when the first lease needs it. From then on, a heartbeat is sent whenever nothing else was
 * acknowledged for one period. Engine thread only, unless stated otherwise.
 */
public final class Session {

    private static final Logger LOG = LoggerFactory.getLogger(Session.class);

    private final PartitionContext context;
    private final long lengthNanos;
    private final HeartbeatSchedule schedule;
    private final WriterRegistration registration;
    private final StampClock clock;
    private final ValidityTracker validities;

    private long acknowledgedAtNanos;
    private int failures;
    private boolean warned;
    /** The guard of a heartbeat missed, and nothing was acknowledged since. */
    private boolean missed;

    private boolean heartbeatScheduled;
    /** Until then heartbeats are sent often. */
    private long hastenedUntilNanos = Long.MIN_VALUE;
    /** Counts the chains of tasks that send heartbeats, of which only the last one goes on. */
    private int chain;

    private boolean ended;
    /** Read by other threads, as is {@link #unanswered}. */
    private volatile @Nullable LeaseException lastFailure;
    /** A heartbeat was sent while the session was valid, and nothing was acknowledged since. */
    private volatile boolean unanswered;

    public Session(PartitionContext context, long lengthNanos, long heartbeatNanos, WriterRegistration registration) {
        this.context = context;
        this.lengthNanos = lengthNanos;
        this.schedule = new HeartbeatSchedule(heartbeatNanos);
        this.registration = registration;
        this.clock = context.clock();
        this.validities = context.validities();
    }

    /** Why the newest heartbeat failed, or that it is not answered; null if all is well. Any thread. */
    public @Nullable LeaseException lastFailure() {
        LeaseException failure = lastFailure;
        return failure == null && unanswered ? notAcknowledged(registration.writer(), null) : failure;
    }

    /** Whether the session keeps leases that are written now. */
    public boolean isAlive() {
        return heartbeatScheduled && registration.isJoined() && validities.sessionRemainingNanos() > 0;
    }

    /**
     * Whether a lease may be written without the clock document. Such a write does not check the clock document, for
     * example for a newer schema. So its newest check must have succeeded, not longer ago than the session length.
     */
    public boolean hasFreshHeartbeat() {
        return isAlive() && !missed;
    }

    /**
     * Begins the session, or revives it if heartbeats were late and the writer has not been evicted.
     *
     * @throws LeaseException if that failed
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
        // What others judge by them is a ticket of the writer before.
        hastenedUntilNanos = Long.MIN_VALUE;
        Reading reading = nextReading();
        registration.join(reading.stampNanos(), lengthNanos);
        onAcknowledged(reading);
        scheduleHeartbeat();
        LOG.debug("{}: its session has begun", registration);
    }

    public void end() {
        ended = true;
    }

    /**
     * The longest wait before the next try of something that must not wait for long, as a heartbeat, after so many failures.
     *
     * @param last the last failure, if it is known
     */
    public long retryWindowNanos(int failures, @Nullable LeaseException last) {
        return schedule.windowNanos(failures, last);
    }

    /**
     * A transaction was committed, which acknowledges its stamp if the present writer sent it. One whose outcome was unknown tells nothing if a
     * later stamp was acknowledged meanwhile.
     */
    public void acknowledged(DecisionContext at) {
        if (at.writer().equals(registration.writer()) && at.stampNanos() >= registration.acknowledgedNanos()) {
            registration.acknowledged(at.stampNanos());
            if (registration.isJoined()) {
                onAcknowledged(new Reading(at.nowNanos(), at.wallNanos(), at.stampNanos()));
            }
        }
    }

    /**
     * Validity counts from the reading before the write was sent; other engines count from the earliest they can have
     * seen it.
     */
    private void onAcknowledged(Reading reading) {
        acknowledgedAtNanos = reading.nowNanos();
        failures = 0;
        warned = false;
        missed = false;
        lastFailure = null;
        unanswered = false;
        validities.acknowledged(Validity.from(reading.nowNanos(), reading.wallNanos(), lengthNanos));
        context.cache().acknowledged(reading.stampNanos(), lengthNanos);
    }

    /** Sends heartbeats often until an instant: other engines are about to judge by them whether this one is alive. */
    public void hasten(long untilNanos) {
        boolean wasHastened = isHastened();
        hastenedUntilNanos = Math.max(hastenedUntilNanos, untilNanos);
        if (!wasHastened && isHastened() && heartbeatScheduled) {
            chain++;
            continueIn(dueInNanos());
        }
    }

    private boolean isHastened() {
        return clock.nowNanos() < hastenedUntilNanos;
    }

    private long dueInNanos() {
        HeartbeatSchedule present = isHastened() ? schedule.hastened(lengthNanos) : schedule;
        return present.dueInNanos(acknowledgedAtNanos, clock.nowNanos());
    }

    private void scheduleHeartbeat() {
        if (!heartbeatScheduled) {
            // Set only once the next heartbeat is certain to come.
            continueIn(dueInNanos());
            heartbeatScheduled = true;
        }
    }

    private void continueIn(long nanos) {
        int present = chain;
        context.thread().executeAfter(nanos, () -> {
            if (present == chain) {
                heartbeatIfDue();
            }
        });
    }

    /** A task that reschedules itself, even after a failure, for as long as there is a session, and no error has ended the engine. */
    private void heartbeatIfDue() {
        heartbeatScheduled = false;
        if (ended || !registration.isJoined() || context.runtime().hasFailed()) {
            return;
        }
        try {
            if (dueInNanos() == 0) {
                tryHeartbeat();
            }
        } finally {
            if (registration.isJoined()) {
                continueIn(nextInNanos());
                heartbeatScheduled = true;
            }
        }
    }

    private long nextInNanos() {
        return failures == 0
                ? dueInNanos()
                : context.runtime().randomNanos(schedule.windowNanos(failures, lastFailure));
    }

    private void tryHeartbeat() {
        String sender = registration.toString();
        try {
            heartbeat();
        } catch (LeaseException e) {
            failed(sender, e);
        } catch (RuntimeException e) {
            failed(sender, new LeaseUnavailableException("a heartbeat failed unexpectedly", e));
            LOG.error("{}: a heartbeat failed unexpectedly", sender, e);
        }
    }

    private void failed(String sender, LeaseException e) {
        failures++;
        lastFailure = e;
        LOG.debug("{}: attempt {} of a heartbeat has not succeeded: {}", sender, failures, e.getMessage());
        if (sender.equals(registration.toString())) {
            warnOnceIfSilent(e);
        }
    }

    /** Warns while there is still time to check the database, before all leases of the session are lost. */
    private void warnOnceIfSilent(LeaseException e) {
        long silentNanos = clock.nowNanos() - acknowledgedAtNanos;
        if (!warned && silentNanos >= lengthNanos / 3 * 2) {
            warned = true;
            LOG.warn(
                    "{}: its session has not been acknowledged for {} ms, and all its leases are lost after {} ms: {}",
                    registration,
                    silentNanos / 1_000_000,
                    lengthNanos / 1_000_000,
                    e.getMessage());
        }
    }

    private void heartbeat() {
        String writer = registration.writer();
        // A heartbeat sent after the expiry, as after a suspend, is not the reason for the loss.
        unanswered = validities.sessionRemainingNanos() > 0;
        Reading reading = nextReading();
        WriteOutcome outcome = context.store()
                .writeClock(new ClockWrite.Heartbeat(writer, registration.acknowledgedNanos(), reading.stampNanos()));
        switch (outcome.verdict()) {
            case APPLIED -> {
                registration.acknowledged(reading.stampNanos());
                onAcknowledged(reading);
            }
            case MISSED -> {
                missed = true;
                registration.examine(context.store().read(Set.of(), writer).clock());
                throw notAcknowledged(writer, null);
            }
            default -> throw notAcknowledged(writer, outcome.cause());
        }
    }

    private Reading nextReading() {
        long nowNanos = clock.nowNanos();
        long wallNanos = clock.wallNanos();
        return new Reading(nowNanos, wallNanos, validities.issueStamp(nowNanos, wallNanos));
    }

    private LeaseException notAcknowledged(String writer, @Nullable LeaseException cause) {
        return new LeaseUnavailableException(
                "the session of writer '" + writer + "' in namespace '" + context.namespace()
                        + "' could not be acknowledged" + (cause == null ? "" : ": " + cause.getMessage()),
                cause);
    }

    /** When the next heartbeat is due: a period after the newest acknowledgement, and sooner if the last one failed. */
    record HeartbeatSchedule(long periodNanos) {

        /** At least this many attempts fit into the period after a failed heartbeat. */
        private static final int ATTEMPTS_A_PERIOD = 4;

        /** So many heartbeats in a session length, instead of three, where others wait for this engine. */
        private static final int HASTENED_A_SESSION = 10;

        HeartbeatSchedule hastened(long lengthNanos) {
            return new HeartbeatSchedule(Math.min(periodNanos, lengthNanos / HASTENED_A_SESSION));
        }

        long dueInNanos(long acknowledgedNanos, long nowNanos) {
            return Math.max(0, acknowledgedNanos + periodNanos - nowNanos);
        }

        /**
         * The longest wait after so many failures in a row; the wait itself is random, evenly from zero to this.
         *
         * @param last the last failure, if it is known
         */
        long windowNanos(int failures, @Nullable LeaseException last) {
            return Math.min(RetryWindow.nanos(failures, last), periodNanos / ATTEMPTS_A_PERIOD);
        }
    }

    /** The clock readings before a write was sent, and its stamp. */
    private record Reading(long nowNanos, long wallNanos, long stampNanos) {}
}
