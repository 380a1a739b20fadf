package dev.leasehold.engine.internal.held;

import dev.leasehold.assertions.AbandonedTransaction;
import dev.leasehold.engine.internal.eventloop.LeaseContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends what a caller's failed transaction may have left open, in the background and until the server answers: until then its lease document
 * is blocked, and neither a renewal nor a release gets through.
 */
final class LostAbort {

    private static final Logger LOG = LoggerFactory.getLogger(LostAbort.class);

    private static final long PAUSE_NANOS = 500_000_000;

    /** By then the server has ended it by itself, with its default settings. */
    private static final int ATTEMPTS_MAX = 120;

    private final LeaseContext context;
    private final AbandonedTransaction transaction;
    private int attempts;

    private LostAbort(LeaseContext context, AbandonedTransaction transaction) {
        this.context = context;
        this.transaction = transaction;
    }

    /** Never blocks. */
    static void end(LeaseContext context, AbandonedTransaction transaction) {
        new LostAbort(context, transaction).attemptSoon();
    }

    private void attemptSoon() {
        context.aborts().execute(this::attempt);
    }

    private void attempt() {
        attempts++;
        try {
            if (!transaction.end() && attempts < ATTEMPTS_MAX) {
                context.loop().post(() -> context.after(PAUSE_NANOS, this::attemptSoon));
            }
        } catch (RuntimeException e) {
            LOG.debug("what a failed transaction may have left open could not be ended", e);
        }
    }
}
