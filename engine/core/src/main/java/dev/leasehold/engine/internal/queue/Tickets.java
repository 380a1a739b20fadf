package dev.leasehold.engine.internal.queue;

import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.internal.commit.OperationResult;
import dev.leasehold.engine.internal.eventloop.EventLoop.Timer;
import dev.leasehold.engine.internal.eventloop.LeaseContext;
import dev.leasehold.engine.internal.eventloop.Submission;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.rules.TicketId;
import dev.leasehold.engine.internal.runtime.LogContext;
import dev.leasehold.engine.internal.store.LeaseChange;
import dev.leasehold.engine.internal.watch.LeasePoller;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tickets of this engine: sends them, and takes them out of the queues again when no waiter has them any more. Event loop only, apart
 * from {@link #count()}.
 *
 * <p>A closed ticket may still be granted, by a holder that decided before it was withdrawn. So it is watched until it is dead: withdrawn, and the
 * lease was seen afterwards to be vacant or absent, or under a greater token than the read after the withdrawal has shown. A holder of the lease
 * from then on reads the queue without it.
 */
public final class Tickets {

    private static final Logger LOG = LoggerFactory.getLogger(Tickets.class);

    /** A short tenure withdraws its ticket together with its release. */
    private static final long WITHDRAW_AFTER_NANOS = 20_000_000;

    /** By then most holders have decided by a queue that they read after the withdrawal. */
    private static final long FIRST_READ_NANOS = 2_000_000_000L;

    private static final long READ_PERIOD_NANOS = 30_000_000_000L;

    private final LeaseContext context;
    private final LeasePoller poller;
    private final Map<String, List<Closed>> closed = new HashMap<>();
    private final AtomicInteger count = new AtomicInteger();
    private @Nullable Timer readTimer;
    private int failures;
    /** The tickets and requests that were sent and are not answered. */
    private final Set<Object> unanswered = Collections.newSetFromMap(new IdentityHashMap<>());

    private boolean ending;

    /** A ticket that no waiter has. */
    private static final class Closed {
        private final TicketId id;
        private @Nullable Timer due;
        private boolean withdrawing;
        /** What takes it out, unless a release does. */
        private @Nullable Submission withdrawal;
        /** The token that the lease had after the withdrawal; null as long as it was not read. */
        private @Nullable Long token;

        private Closed(TicketId id) {
            this.id = id;
        }
    }

    Tickets(LeaseContext context, LeasePoller poller) {
        this.context = context;
        this.poller = poller;
    }

    /** How many are open, or closed and not dead. Any thread. */
    public int count() {
        return count.get();
    }

    /** Whether none is left that must be watched. */
    boolean areAllDead() {
        return closed.isEmpty();
    }

    /** Whether no command is under way for them. */
    public boolean isIdle() {
        return unanswered.isEmpty();
    }

    private boolean isOfPresentWriter(String name, TicketId id) {
        return id.writer().equals(context.partitions().writer(name));
    }

    // ---- open tickets ----

    /**
     * Sends a ticket.
     *
     * @param answered gets the ticket, and whether it certainly was sent, when that is known, unless the ticket was closed by then
     */
    Ticket send(Request.Acquire acquire, BiConsumer<Ticket, Boolean> answered) {
        Ticket ticket = new Ticket(acquire);
        count.incrementAndGet();
        Request.Enqueue enqueue = new Request.Enqueue(acquire, null);
        long deadlineNanos = context.operations().deadlineNanos();
        Submission submission = new Submission(context, enqueue, deadlineNanos, (result, failure) -> {
            unanswered.remove(ticket);
            ticket.answered();
            if (ticket.isClosed()) {
                closeAnswered(ticket, 0);
            } else {
                answered.accept(ticket, result != null);
            }
        });
        ticket.enqueuedBy(submission);
        send(submission, ticket);
        return ticket;
    }

    /** What an error keeps from being sent is never answered, and the end of the engine would wait for that. */
    private void send(Submission submission, Object sent) {
        submission.send();
        unanswered.add(sent);
    }

    /**
     * No waiter has the ticket any more.
     *
     * @param held whether it has led to a tenure without gate stripes, whose release may take it out
     */
    void close(Ticket ticket, boolean held) {
        ticket.close();
        if (ticket.cancel()) {
            unanswered.remove(ticket);
            closeAnswered(ticket, held ? WITHDRAW_AFTER_NANOS : 0);
        }
    }

    private void closeAnswered(Ticket ticket, long delayNanos) {
        TicketId id = ticket.id();
        if (id == null || !isOfPresentWriter(ticket.name(), id)) {
            count.decrementAndGet();
            return;
        }
        Closed added = new Closed(id);
        closed.computeIfAbsent(ticket.name(), name -> new ArrayList<>()).add(added);
        if (delayNanos == 0) {
            withdraw(ticket.name());
        } else {
            added.due = context.after(delayNanos, () -> withdraw(ticket.name()));
        }
        readPeriodically();
    }

    /** Whether a closed ticket has that name. */
    public boolean isClosed(String name, String writer, long stampNanos) {
        return closed.getOrDefault(name, List.of()).stream()
                .anyMatch(each -> each.id.equals(new TicketId(writer, stampNanos)));
    }

    // ---- withdrawing ----

    /**
     * Those that a release of the lease is to take out. Nothing else does as long as that is not answered: a withdrawal that was not sent yet would
     * follow the release, and the next holder could read the queue before.
     */
    Request.@Nullable Withdraw takeForRelease(String name) {
        for (Closed each : closed.getOrDefault(name, List.of())) {
            Submission withdrawal = each.withdrawal;
            if (withdrawal != null && withdrawal.cancel()) {
                unanswered.remove(withdrawal.operation().request());
                each.withdrawal = null;
                each.withdrawing = false;
            }
        }
        return take(name);
    }

    private Request.@Nullable Withdraw take(String name) {
        Set<Long> stamps = new HashSet<>();
        String writer = context.partitions().writer(name);
        for (Closed each : closed.getOrDefault(name, List.of())) {
            if (!each.withdrawing && each.token == null && each.id.writer().equals(writer)) {
                context.loop().cancel(each.due);
                each.withdrawing = true;
                stamps.add(each.id.stampNanos());
            }
        }
        return stamps.isEmpty() ? null : new Request.Withdraw(name, writer, stamps);
    }

    /**
     * What became of those that were taken.
     *
     * @param applied whether the release was applied: then the next holder of the lease reads the queue without them
     */
    void released(Request.@Nullable Withdraw taken, boolean applied) {
        if (taken == null) {
            return;
        }
        for (Closed each : matching(taken)) {
            each.withdrawing = false;
            if (applied) {
                remove(taken.name(), each);
            }
        }
        if (!applied) {
            withdraw(taken.name());
        }
    }

    private List<Closed> matching(Request.Withdraw withdraw) {
        return closed.getOrDefault(withdraw.name(), List.of()).stream()
                .filter(each -> each.id.writer().equals(withdraw.writer())
                        && withdraw.stampsNanos().contains(each.id.stampNanos()))
                .toList();
    }

    private void remove(String name, Closed dead) {
        List<Closed> ofName = closed.get(name);
        if (ofName != null && ofName.remove(dead)) {
            count.decrementAndGet();
            context.loop().cancel(dead.due);
            if (ofName.isEmpty()) {
                closed.remove(name);
            }
        }
    }

    private void withdraw(String name) {
        for (Closed each : List.copyOf(closed.getOrDefault(name, List.of()))) {
            if (!isOfPresentWriter(name, each.id)) {
                // Of a writer that is gone: whatever is granted to it is free.
                remove(name, each);
            }
        }
        Request.Withdraw withdraw = take(name);
        if (withdraw != null) {
            Submission withdrawal = submission(withdraw, succeeded -> withdrawn(withdraw, succeeded));
            matching(withdraw).forEach(each -> each.withdrawal = withdrawal);
            send(withdrawal, withdraw);
        }
    }

    private void withdrawn(Request.Withdraw withdraw, boolean succeeded) {
        for (Closed each : matching(withdraw)) {
            each.withdrawing = false;
            each.withdrawal = null;
        }
        if (succeeded) {
            failures = 0;
            if (!ending) {
                readFirst(withdraw);
                context.after(FIRST_READ_NANOS, () -> look(withdraw.name()));
            }
        } else {
            repeat(() -> withdraw(withdraw.name()));
        }
    }

    /** The first read behind the withdrawal. Without it the tickets would be watched for ever. */
    private void readFirst(Request.Withdraw withdraw) {
        poller.read(withdraw.name(), state -> onRead(withdraw, state), () -> repeat(() -> readFirst(withdraw)));
    }

    private void repeat(Runnable failed) {
        if (!ending) {
            failures++;
            context.after(context.backoffNanos(failures), failed);
        }
    }

    private Submission submission(Request.OfQueue request, Consumer<Boolean> ended) {
        return new Submission(
                context,
                request,
                context.operations().deadlineNanos(),
                (@Nullable OperationResult result, @Nullable Throwable failure) -> {
                    unanswered.remove(request);
                    if (result == null) {
                        LOG.debug(
                                "{}: tickets were not taken out of its queue",
                                LogContext.ofLease(context.settings().namespace(), request.name()),
                                failure);
                    }
                    ended.accept(result != null);
                });
    }

    /** Takes the tickets of writers out that are gone, for the waiter at the head. */
    void dropAbsent(String name, Set<String> writers) {
        Request.OfQueue drop = new Request.DropAbsent(name, writers);
        send(submission(drop, succeeded -> {}), drop);
    }

    // ---- until they are dead ----

    private void onRead(Request.Withdraw withdraw, LeaseState state) {
        for (Closed each : matching(withdraw)) {
            Long token = tokenOfHeld(state);
            if (token == null) {
                remove(withdraw.name(), each);
            } else if (each.token == null) {
                each.token = token;
            }
        }
    }

    /** Null if it is not held. What cannot be read may be. */
    private static @Nullable Long tokenOfHeld(LeaseState state) {
        if (state instanceof LeaseState.Held held) {
            return held.tenure().token();
        }
        return state instanceof LeaseState.Corrupt ? (Long) Long.MAX_VALUE : null;
    }

    /** The state of a lease as read. */
    void onSeen(LeaseState state) {
        Long token = tokenOfHeld(state);
        removeDead(state.name(), null, known -> token == null || token > known && token < Long.MAX_VALUE);
    }

    /** A change, which may come late. A ticket that it shows to be granted is needed until what was granted is known. */
    void onChange(LeaseChange.OfLease change) {
        removeDead(change.name(), change.writtenNanos(), change::showsNotHeldUnder);
    }

    private void removeDead(String name, @Nullable Long grantedNanos, LongPredicate isOver) {
        for (Closed each : List.copyOf(closed.getOrDefault(name, List.of()))) {
            if (each.token != null && !Objects.equals(grantedNanos, each.id.stampNanos()) && isOver.test(each.token)) {
                remove(name, each);
            }
        }
    }

    /** Each withdrawal has a look of its own: that of another may come too early. */
    private void look(String name) {
        if (closed.containsKey(name)) {
            poller.read(name);
        }
    }

    private void readPeriodically() {
        if (readTimer == null) {
            readTimer = context.after(READ_PERIOD_NANOS, () -> {
                readTimer = null;
                if (!closed.isEmpty()) {
                    readPeriodically();
                    readAll();
                }
            });
        }
    }

    /** Reads the leases of all that are not dead: a change of them may be missing. */
    void readAll() {
        List.copyOf(closed.keySet()).forEach(poller::read);
    }

    /** The engine is closed: what is left is taken out once, as far as the time lasts. */
    void close() {
        ending = true;
        context.loop().cancel(readTimer);
        List.copyOf(closed.keySet()).forEach(this::withdraw);
    }
}
