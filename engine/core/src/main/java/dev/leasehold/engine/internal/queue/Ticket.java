package dev.leasehold.engine.internal.queue;

import dev.leasehold.engine.internal.eventloop.Submission;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.rules.TicketId;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The ticket of the acquisitions of one holder that wait in this engine. It may be granted from the moment in which it is sent first: a grant
 * proves that it has landed. Event loop only.
 */
final class Ticket {

    private final Request.Acquire request;
    private @Nullable Submission enqueue;
    private @Nullable TicketId sent;
    private boolean closed;

    Ticket(Request.Acquire request) {
        this.request = request;
    }

    String name() {
        return request.name();
    }

    String holder() {
        return request.holder();
    }

    /** Whether it asks for what this request of the same holder asks for: the engine that grants it reads the ticket alone. */
    boolean asksAs(Request.Acquire other) {
        return request.priority() == other.priority()
                && request.stripes() == other.stripes()
                && Objects.equals(request.comment(), other.comment())
                && Objects.equals(request.payload(), other.payload());
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
