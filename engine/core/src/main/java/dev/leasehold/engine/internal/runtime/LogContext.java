package dev.leasehold.engine.internal.runtime;

import dev.leasehold.assertions.LeaseIds;
import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.assertions.Tenure;
import org.jspecify.annotations.Nullable;

/**
 * The subject of a log message, in one form for all messages: {@code namespace 'n', lease 'x', holder 'h', token 3}. A
 * dash stands for an unknown value. Rendered only if the message is written.
 *
 * @param namespace of the lease, or the id of a partition, of which the namespace is shown
 * @param holder the requested or current holder; null for a dash
 */
public record LogContext(
        String namespace,
        String lease,
        @Nullable String holder,
        @Nullable Long token) {

    public static LogContext of(Tenure tenure) {
        return new LogContext(tenure.namespace(), tenure.name(), tenure.holder(), tenure.token());
    }

    public static LogContext ofLease(String namespace, String lease) {
        return new LogContext(namespace, lease, null, null);
    }

    @Override
    public String toString() {
        return "namespace '" + LeaseIds.namespaceOf(namespace) + "', lease " + LeaseNames.quote(lease) + ", holder "
                + (holder == null ? "-" : LeaseNames.quote(holder))
                + ", token " + (token == null ? "-" : token);
    }
}
