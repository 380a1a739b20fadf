package dev.leasehold.engine.internal.queue;

import dev.leasehold.engine.internal.eventloop.LeaseContext;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.rules.WaitQueue.QueueView;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The tickets with which acquires of this engine wait for one lease, one for each holder, and the queue as it was last read. Event loop only.
 */
final class LeaseTickets {

    /** An engine has at most so many tickets for one lease. */
    private static final int TICKETS_MAX = 8;

    /** A ticket for a shorter wait is not worth its writes. */
    private static final long SHORTEST_WAIT_NANOS = 50_000_000;

    private final String name;
    private final LeaseContext context;
    private final AcquireQueues queues;
    private final Map<String, Ticket> byHolder = new HashMap<>();
    private QueueView view = QueueView.NONE;
    /** The ticket that was granted, as far as is known. */
    private @Nullable Ticket heard;

    LeaseTickets(String name, LeaseContext context, AcquireQueues queues) {
        this.name = name;
        this.context = context;
        this.queues = queues;
    }

    /** The queue of the lease as last read. */
    QueueView view() {
        return view;
    }

    void seen(QueueView queue) {
        view = queue;
    }

    boolean isEmpty() {
        return byHolder.isEmpty();
    }

    /** The request of an acquire, with the ticket of its holder if that was sent under the present writer. */
    Request.Acquire withTicket(PendingAcquire acquire) {
        Ticket ticket = acquire.mayHaveTicket() ? byHolder.get(acquire.holder()) : null;
        return ticket == null ? acquire.request() : acquire.request().withTicket(ticket.stampNanos(writer()));
    }

    private String writer() {
        return context.partitions().writer(name);
    }

    /** Sends the tickets that are missing. While this engine holds the lease and no other waits, it needs none. */
    void send(List<PendingAcquire> inOrder) {
        // Those of a former writer are over.
        dropIf(ticket -> ticket.stampNanos(writer()) == null);
        boolean needed = !queues.isHeldHere(name) || view.others() > 0;
        if (!context.settings().waitQueue()
                || !needed
                || view.full()
                || context.operations().isClosed()) {
            return;
        }
        Set<String> holders = new HashSet<>();
        for (PendingAcquire acquire : inOrder) {
            if (acquire.mayHaveTicket() && acquire.wasAttempted() && holders.add(acquire.holder())) {
                sendFor(acquire);
            }
        }
    }

    /** The ticket of a holder is that of its first acquire: one that came later may ask for more, and one that has left may have. */
    private void sendFor(PendingAcquire acquire) {
        if (acquire.endNanos() - context.nowNanos() < SHORTEST_WAIT_NANOS) {
            return;
        }
        String holder = acquire.holder();
        Ticket present = byHolder.get(holder);
        if (present != null && present != heard && !present.asksAs(acquire.request())) {
            close(holder, false);
            present = null;
        }
        if (present == null && byHolder.size() < TICKETS_MAX) {
            byHolder.put(holder, queues.tickets().send(acquire.request(), this::onAnswered));
        }
    }

    /** After its ticket was sent the lease is read again: it may be vacant by now. One that was not sent is tried again at a later read. */
    private void onAnswered(Ticket ticket, boolean sent) {
        if (sent) {
            queues.poller().readSoon(name);
        } else if (byHolder.remove(ticket.holder(), ticket)) {
            queues.tickets().close(ticket, false);
        }
    }

    /** What does not stand in the queue was dropped, or was never sent: its waiter waits without, and tries again later. */
    boolean dropLost() {
        String writer = writer();
        return dropIf(ticket -> {
            Long stampNanos = ticket.stampNanos(writer);
            return stampNanos == null || !view.positions().containsKey(stampNanos);
        });
    }

    /** Closes those of the answered tickets, and returns whether there was any. */
    private boolean dropIf(Predicate<Ticket> over) {
        return byHolder.values().removeIf(ticket -> {
            boolean dropped = ticket.isAnswered() && over.test(ticket);
            if (dropped) {
                queues.tickets().close(ticket, false);
            }
            return dropped;
        });
    }

    /**
     * No acquire of the holder waits any more.
     *
     * @return whether there was a ticket, whose room another may need
     */
    boolean close(String holder, boolean held) {
        Ticket ticket = byHolder.remove(holder);
        if (ticket != null) {
            queues.tickets().close(ticket, held);
        }
        return ticket != null;
    }

    /** The lease was granted to a ticket of this engine. False: it is none of these. */
    boolean hear(String writer, long stampNanos) {
        for (Ticket ticket : byHolder.values()) {
            if (ticket.isNamed(writer, stampNanos)) {
                heard = ticket;
                return true;
            }
        }
        return false;
    }

    boolean isHeard(String holder) {
        return heard != null && heard.holder().equals(holder);
    }

    void forgetHeard() {
        heard = null;
    }
}
