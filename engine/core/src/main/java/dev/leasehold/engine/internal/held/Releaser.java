package dev.leasehold.engine.internal.held;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.internal.commit.OperationResult;
import dev.leasehold.engine.internal.commit.ReleaseOutcome;
import dev.leasehold.engine.internal.eventloop.FailureLog;
import dev.leasehold.engine.internal.eventloop.LeaseContext;
import dev.leasehold.engine.internal.eventloop.Submission;
import dev.leasehold.engine.internal.rules.HandOver;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.runtime.LogContext;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Releases tenures and retries until the database has confirmed that each is over: otherwise the session would keep a session lease
 * for ever. The write that releases a lease may begin its next tenure, for the first waiter. Event loop only.
 *
 * <p>A release is sent; a failure leads to a pause and then to the next attempt; an answer, also a refusal, settles it. After {@link #close()} a
 * paused release is sent once more and any failure settles it as not released.
 */
public final class Releaser {

    private static final Logger LOG = LoggerFactory.getLogger(Releaser.class);
    private static final String FAILED =
            "{}: try {} to release it has failed, and the next will follow; {} leases of the namespace wait for it: {}";

    private final LeaseContext context;
    private final Supplier<Waiters> waiters;
    private final Map<Tenure, Release> pending = new HashMap<>();
    private final FailureLog failureLog = new FailureLog(LOG, FAILED);
    private boolean closing;

    /** How a tenure is released. */
    public record Manner(
            @Nullable Long notBeforeNanos,
            boolean untold,
            boolean readFirst,
            @Nullable String instance) {

        /** At once, and for the waiters that are known. */
        public static final Manner PLAIN = new Manner(null, false, false, null);

        /** There may be a waiter of which nothing was read yet. */
        public static final Manner READING_FIRST = new Manner(null, false, true, null);

        private static final Manner UNTOLD = new Manner(null, true, true, null);
    }

    private static final class Release {
        private final Tenure tenure;
        private final Manner manner;
        private final long begunNanos;
        private final CompletableFuture<ReleaseOutcome> settled = new CompletableFuture<>();
        private int failures;
        /** Nothing is sent that will be answered. */
        private boolean pausing = true;
        /** What the last attempt was to do for those that wait. */
        private @Nullable HandOver handOver;

        private Release(Tenure tenure, Manner manner, long begunNanos) {
            this.tenure = tenure;
            this.manner = manner;
            this.begunNanos = begunNanos;
        }
    }

    /** @param waiters those that wait for the leases */
    public Releaser(LeaseContext context, Supplier<Waiters> waiters) {
        this.context = context;
        this.waiters = waiters;
    }

    /**
     * Ends the validity and then the tenure. Completes when the tenure is certainly over, or as not released if the engine closed first. The manner
     * of the first call counts.
     */
    public CompletableFuture<ReleaseOutcome> release(Tenure tenure, Manner manner) {
        context.validities(tenure).end(tenure);
        Release release = pending.get(tenure);
        if (release == null) {
            release = new Release(tenure, manner, context.nowNanos());
            pending.put(tenure, release);
            send(release);
        }
        return release.settled;
    }

    /** Ends what may have been granted to a caller that was not told so, as far as no other engine has written it since. */
    public void releaseUntold(Tenure tenure) {
        release(tenure, Manner.UNTOLD);
    }

    /** Whether a release of the tenure is pending: its token is no longer valid for any holder. */
    public boolean isReleasing(Tenure tenure) {
        return pending.containsKey(tenure);
    }

    /** Whether a release of the lease is pending. What follows it is not known before. */
    public boolean isReleasing(String name) {
        return pending.keySet().stream().anyMatch(tenure -> tenure.name().equals(name));
    }

    /** Ends the pause of a release that failed: an acquire of the lease waits for its answer. */
    public void hasten(String name) {
        for (Release release : List.copyOf(pending.values())) {
            if (release.tenure.name().equals(name)) {
                sendIfPausing(release);
            }
        }
    }

    public int size() {
        return pending.size();
    }

    public boolean isEmpty() {
        return pending.isEmpty();
    }

    /** The engine is closed: each release is tried at most once more. */
    public void close() {
        closing = true;
        List.copyOf(pending.values()).forEach(this::sendIfPausing);
    }

    private void sendIfPausing(Release release) {
        if (release.pausing) {
            send(release);
        }
    }

    private void send(Release release) {
        Manner manner = release.manner;
        release.handOver = waiters.get()
                .handOver(release.tenure.name(), manner.readFirst(), manner.instance(), release.failures == 0);
        Request request =
                new Request.Release(release.tenure, manner.notBeforeNanos(), manner.untold(), release.handOver);
        long deadlineNanos = context.operations().deadlineNanos();
        new Submission(context, request, deadlineNanos, (result, failure) -> answered(release, result, failure)).send();
        // Not if an error keeps it from being sent: then the end of the engine settles it.
        release.pausing = false;
    }

    private void answered(Release release, @Nullable OperationResult result, @Nullable Throwable failure) {
        boolean applied = result != null && result.refusal() == null;
        if (release.handOver != null) {
            waiters.get().onAnswered(release.handOver, applied);
        }
        if (result == null) {
            failed(release, Objects.requireNonNull(failure, "no reply without a failure"));
            return;
        }
        Tenure tenure = release.tenure;
        context.validities(tenure).forget(tenure);
        ReleaseOutcome outcome = result.release();
        settle(release, outcome);
        waiters.get().onReleased(tenure.name(), outcome, result, context.nowNanos() - release.begunNanos);
    }

    private void failed(Release release, Throwable failure) {
        LogContext subject = LogContext.of(release.tenure);
        release.failures++;
        if (closing) {
            settle(release, ReleaseOutcome.NOT_RELEASED);
            Throwable trace = LeaseContext.stackTraceOf(failure);
            LOG.warn("{}: it was not released before the engine was closed: {}", subject, failure.getMessage(), trace);
            return;
        }
        release.pausing = true;
        context.after(context.backoffNanos(release.failures), () -> sendIfPausing(release));
        failureLog.failed(release, subject, release.failures, failure);
    }

    private void settle(Release release, ReleaseOutcome outcome) {
        pending.remove(release.tenure);
        failureLog.ended(release);
        release.settled.complete(outcome);
    }
}
