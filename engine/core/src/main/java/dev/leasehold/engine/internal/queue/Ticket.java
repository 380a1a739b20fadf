package dev.leasehold.engine.internal.queue;

import dev.leasehold.engine.internal.eventloop.Submission;
import dev.leasehold.engine.internal.rules.TicketId;
import org.jspecify.annotations.Nullable;

/**
 * The ticket of the acquisitions of one holder that wait in this engine. It may be granted from the moment in which it is sent first: a grant
 * proves that it has landed. Event loop only.
 */
final class Ticket {

    private final String name;
    private final String holder;
    private @Nullable Submission enqueue;
    private @Nullable TicketId sent;
    private boolean closed;

    Ticket(String name, String holder) {
        this.name = name;
        this.holder = holder;
    }

    String name() {
        return name;
    }

    String holder() {
        return holder;
    }

    void enqueuedBy(Submission submission) {
        enqueue = submission;
    }

    /** It is certain from now on whether it was sent. */
    void answered() {
        sent = id();
        enqueue = null;
    }

    boolean isAnswered() {
        return enqueue == null;
    }

    /** Prevents what was not sent yet. False: its enqueue is under way. */
    boolean cancel() {
        if (enqueue != null && enqueue.cancel()) {
            answered();
        }
        return isAnswered();
    }

    /** Its name in the queue; null if it was not sent. */
    @Nullable TicketId id() {
        return enqueue == null ? sent : enqueue.operation().ticketId();
    }

    /** Its stamp, if this writer sent it: a ticket of a former writer is over. */
    @Nullable Long stampNanos(String writer) {
        TicketId id = id();
        return id != null && id.writer().equals(writer) ? (Long) id.stampNanos() : null;
    }

    boolean isNamed(String writer, long stampNanos) {
        Long own = stampNanos(writer);
        return own != null && own == stampNanos;
    }

    void close() {
        closed = true;
    }

    boolean isClosed() {
        return closed;
    }
}
