package dev.leasehold.engine.internal.rules;

import dev.leasehold.engine.internal.store.LeaseWrite;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * For which waiters the write that releases a lease may begin the next tenure.
 *
 * @param readFirst whether the queue is read first, if it was not just read under this tenure: a ticket may be there
 * @param own the acquisitions that wait in this engine for a session lease, the first one first
 * @param instance the instance whose ticket goes before all others; null for none
 * @param withdrawn closed tickets of this engine, which are taken out in the same command; null for none
 */
public record HandOver(
        boolean readFirst,
        List<Request.Acquire> own,
        @Nullable String instance,
        Request.@Nullable Withdraw withdrawn) {

    /** For the first ticket, if the queue was read under this tenure. */
    public static final HandOver TO_KNOWN_WAITERS = new HandOver(false, List.of(), null, null);

    public HandOver {
        own = List.copyOf(own);
    }

    /** Whether this writer is of the instance to prefer. */
    public boolean asksFor(String writer) {
        return instance != null && WaitQueue.isOf(writer, instance);
    }

    /** The statement that takes the closed tickets out; null for none. */
    LeaseWrite.@Nullable Withdraw withdrawal() {
        return withdrawn == null ? null : withdrawn.write();
    }

    Set<Long> openTickets() {
        return own.stream()
                .map(Request.Acquire::ticketNanos)
                .filter(Objects::nonNull)
                .collect(Collectors.toSet());
    }

    /** The first own waiter. */
    Request.@Nullable Acquire ownFirst() {
        return own.isEmpty() ? null : own.get(0);
    }

    /** The first own waiter that has no ticket, or one that was not read yet; those that were read have their turn in the queue. */
    Request.@Nullable Acquire ownOutside(WaitQueue queue) {
        return own.stream()
                .filter(waiting -> waiting.ticketNanos() == null || !queue.hasOwn(waiting.ticketNanos()))
                .findFirst()
                .orElse(null);
    }
}
