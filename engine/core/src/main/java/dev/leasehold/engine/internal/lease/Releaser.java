package dev.leasehold.engine.internal.lease;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.internal.commit.OperationResult;
import dev.leasehold.engine.internal.rules.LogContext;
import dev.leasehold.engine.internal.rules.Request;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Releases tenures and retries until the database has confirmed that each is over: otherwise the session would keep a session lease
 * for ever. Event loop only.
 *
 * <p>A release is sent; a failure leads to a pause and then to the next attempt; an answer, also a refusal, settles it with true. After
 * {@link #close()} a paused release is sent once more and any failure settles it with false.
 */
final class Releaser {

    private static final Logger LOG = LoggerFactory.getLogger(Releaser.class);
    private static final String FAILED =
            "{}: try {} to release it has failed, and the next will follow; {} leases of the namespace wait for it: {}";

    private final LeaseContext context;
    private final Consumer<String> freed;
    private final Map<Tenure, Release> pending = new HashMap<>();
    private final FailureLog failureLog = new FailureLog(LOG, FAILED);
    private boolean closing;

    private static final class Release {
        private final Request.Release request;
        private final CompletableFuture<Boolean> settled = new CompletableFuture<>();
        private int failures;
        /** Nothing is sent that will be answered. */
        private boolean pausing = true;

        private Release(Request.Release request) {
            this.request = request;
        }
    }

    /** @param freed gets the name of each released lease */
    Releaser(LeaseContext context, Consumer<String> freed) {
        this.context = context;
        this.freed = freed;
    }

    /** Ends the validity and then the tenure. Completes with true when the tenure is certainly over, with false if the engine closed first. */
    CompletableFuture<Boolean> release(Tenure tenure) {
        return release(tenure, null);
    }

    /**
     * The same, and keeps the lease free.
     *
     * @param notBeforeNanos the instant before which the lease must not be taken; null for at once
     */
    CompletableFuture<Boolean> release(Tenure tenure, @Nullable Long notBeforeNanos) {
        return release(new Request.Release(tenure, notBeforeNanos));
    }

    /** Ends what may have been granted to a caller that was not told so, as far as no other engine has written it since. */
    void releaseUntold(Tenure tenure) {
        release(new Request.Release(tenure, null, true));
    }

    private CompletableFuture<Boolean> release(Request.Release request) {
        Tenure tenure = request.tenure();
        context.validities(tenure).end(tenure);
        Release release = pending.get(tenure);
        if (release == null) {
            release = new Release(request);
            pending.put(tenure, release);
            send(release);
        }
        return release.settled;
    }

    /** Whether a release of the tenure is pending: its token is no longer valid for any holder. */
    boolean isReleasing(Tenure tenure) {
        return pending.containsKey(tenure);
    }

    /** Whether a release that keeps the lease free is pending: until it is written, the same holder could take the lease again. */
    boolean isKeepingFree(String name) {
        for (Release release : pending.values()) {
            if (release.request.notBeforeNanos() != null
                    && release.request.name().equals(name)) {
                return true;
            }
        }
        return false;
    }

    int size() {
        return pending.size();
    }

    boolean isEmpty() {
        return pending.isEmpty();
    }

    /** The engine is closed: each release is tried at most once more. */
    void close() {
        closing = true;
        List.copyOf(pending.values()).forEach(this::sendIfPausing);
    }

    private void sendIfPausing(Release release) {
        if (release.pausing) {
            send(release);
        }
    }

    private void send(Release release) {
        new Submission(
                        context,
                        release.request,
                        context.operations().deadlineNanos(),
                        (result, failure) -> answered(release, result, failure))
                .send();
        // Not if an error keeps it from being sent: then the end of the engine settles it.
        release.pausing = false;
    }

    private void answered(Release release, @Nullable OperationResult result, @Nullable Throwable failure) {
        if (result == null) {
            failed(release, Objects.requireNonNull(failure, "no reply without a failure"));
            return;
        }
        Tenure tenure = release.request.tenure();
        context.validities(tenure).forget(tenure);
        settle(release, true);
        // A refusal means that the tenure was over before.
        freed.accept(release.request.name());
    }

    private void failed(Release release, Throwable failure) {
        LogContext subject = LogContext.of(release.request.tenure());
        release.failures++;
        if (closing) {
            settle(release, false);
            LOG.warn(
                    "{}: it was not released before the engine was closed: {}",
                    subject,
                    failure.getMessage(),
                    LeaseContext.stackTraceOf(failure));
            return;
        }
        release.pausing = true;
        context.loop().at(context.inNanos(context.backoffNanos(release.failures)), () -> sendIfPausing(release));
        failureLog.failed(release, subject, release.failures, failure);
    }

    private void settle(Release release, boolean over) {
        pending.remove(release.request.tenure());
        failureLog.ended(release);
        release.settled.complete(over);
    }
}
