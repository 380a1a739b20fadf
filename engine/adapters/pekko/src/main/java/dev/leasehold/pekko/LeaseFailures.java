package dev.leasehold.pekko;

import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.engine.LeaseContentionException;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseOutcomeUnknownException;
import dev.leasehold.engine.LeaseUnavailableException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.apache.pekko.coordination.lease.LeaseException;
import org.apache.pekko.coordination.lease.LeaseTimeoutException;

/** What went wrong, as Pekko says it. */
final class LeaseFailures {

    private LeaseFailures() {}

    static LeaseException of(String what, Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        String message = what + ": " + (cause instanceof TimeoutException ? "no answer in time" : cause.getMessage());
        LeaseException mapped = isTimeout(cause) ? new LeaseTimeoutException(message) : new LeaseException(message);
        mapped.initCause(cause);
        return mapped;
    }

    private static boolean isTimeout(Throwable cause) {
        return cause instanceof LeaseUnavailableException
                || cause instanceof LeaseContentionException
                || cause instanceof LeaseOutcomeUnknownException
                || cause instanceof TimeoutException;
    }

    /** Why a lease was lost. */
    static LeaseException of(LeaseLoss loss) {
        LeaseException lost =
                new LeaseException("lease " + LeaseNames.quote(loss.tenure().name())
                        + " of owner " + LeaseNames.quote(loss.tenure().holder()) + " was lost under token "
                        + loss.tenure().token() + ": " + loss.message());
        lost.initCause(loss.cause());
        return lost;
    }
}
