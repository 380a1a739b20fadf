package dev.leasehold.engine.internal.rules;

import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.store.Waiter;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A request for one lease. Its values are already validated. */
public sealed interface Request {

    String name();

    /** The operation in one word, for metrics and logs. */
    String kind();

    /** The operation as a noun, for messages. */
    default String noun() {
        return kind();
    }

    /** The operation in words, for messages. */
    default String describe() {
        return noun() + " of lease " + LeaseNames.quote(name());
    }

    /** The same, with the place of the lease. */
    default String describeIn(String namespace) {
        return describe() + " in namespace '" + namespace + "'";
    }

    default @Nullable String holder() {
        return null;
    }

    default @Nullable Long token() {
        return null;
    }

    sealed interface ToHold extends Request {

        @Override
        String holder();

        /** The term; null for a session lease. */
        @Nullable Long termNanos();

        @Nullable String comment();

        /** What the holder publishes; null for nothing. */
        default @Nullable String payload() {
            return null;
        }

        /** The minimum number of gate stripes of the lease. */
        default int stripes() {
            return 0;
        }

        @Override
        default String describe() {
            return Request.super.describe() + " for " + LeaseNames.quote(holder());
        }
    }

    /** Begins a tenure of a vacant lease. */
    record Claim(
            String name,
            String holder,
            Long termNanos,
            @Nullable String comment) implements ToHold {
        @Override
        public String kind() {
            return "claim";
        }
    }

    /** Ends a tenure that has certainly expired and begins the next, in one write. */
    record TakeOver(
            String name,
            String holder,
            Long termNanos,
            @Nullable String comment) implements ToHold {
        @Override
        public String kind() {
            return "take-over";
        }
    }

    /**
     * Begins a tenure of a lease that is vacant, or whose tenure has certainly expired.
     *
     * @param termNanos the term; null for a session lease
     * @param stripes the minimum number of gate stripes from the next tenure on
     * @param supersede whether a tenure of the same holder in another engine is ended at once
     * @param renewalNanos how often handles renew a term; 0 without a term
     * @param atLeastNanos how long after the grant the lease must not be taken again, released or not; 0 for no time
     * @param atMostNanos how long after the grant a handle holds the lease at most; 0 for no limit
     * @param payload what the holder publishes; null for nothing
     * @param priority of waiters the one with the higher priority goes first
     * @param ticketNanos the stamp of the ticket that it waits with; null for none
     */
    record Acquire(
            String name,
            String holder,
            @Nullable Long termNanos,
            @Nullable String comment,
            int stripes,
            boolean supersede,
            long renewalNanos,
            long atLeastNanos,
            long atMostNanos,
            @Nullable String payload,
            int priority,
            @Nullable Long ticketNanos)
            implements ToHold {

        /** The same, that waits with a ticket. */
        public Acquire withTicket(@Nullable Long stampNanos) {
            return new Acquire(
                    name,
                    holder,
                    termNanos,
                    comment,
                    stripes,
                    supersede,
                    renewalNanos,
                    atLeastNanos,
                    atMostNanos,
                    payload,
                    priority,
                    stampNanos);
        }

        public Acquire(String name, String holder, @Nullable Long termNanos, @Nullable String comment) {
            this(name, holder, termNanos, comment, 0, false, 0, 0, 0, null, 0, null);
        }

        @Override
        public String kind() {
            return "acquire";
        }

        @Override
        public String noun() {
            return "acquisition";
        }
    }

    sealed interface OfTenure extends Request {

        Tenure tenure();

        @Override
        default String name() {
            return tenure().name();
        }

        @Override
        default String holder() {
            return tenure().holder();
        }

        @Override
        default Long token() {
            return tenure().token();
        }
    }

    /**
     * Extends a term.
     *
     * @param renewal whether handles ask for it: then it prolongs a validity but never begins one, as a lost handle stays lost
     */
    record Extend(Tenure tenure, long durationNanos, boolean renewal) implements OfTenure {

        public Extend(Tenure tenure, long durationNanos) {
            this(tenure, durationNanos, false);
        }

        @Override
        public String kind() {
            return "extend";
        }

        @Override
        public String describe() {
            return OfTenure.super.describe() + " for " + LeaseNames.quote(holder()) + " under token " + token();
        }
    }

    /**
     * Changes what the holder publishes, and nothing else.
     *
     * @param payload null for nothing
     */
    record UpdatePayload(Tenure tenure, @Nullable String payload) implements OfTenure {
        @Override
        public String kind() {
            return "update-payload";
        }

        @Override
        public String noun() {
            return "payload update";
        }

        @Override
        public String describe() {
            return OfTenure.super.describe() + " by " + LeaseNames.quote(holder()) + " under token " + token();
        }
    }

    /**
     * Releases a tenure.
     *
     * @param notBeforeNanos the earliest instant of this engine's clock at which the lease may be acquired again; null
     *     for at once
     * @param untold whether no caller was told of the tenure. Then it is released only if this engine wrote the lease last:
     *     another engine that wrote it since has promised it, or has begun a tenure of the same holder and token
     * @param handOver for which waiters the next tenure may begin in the same write; null for none
     */
    record Release(
            Tenure tenure,
            @Nullable Long notBeforeNanos,
            boolean untold,
            @Nullable HandOver handOver) implements OfTenure {

        public Release(Tenure tenure) {
            this(tenure, null, false, null);
        }

        @Override
        public String kind() {
            return "release";
        }

        @Override
        public String describe() {
            return OfTenure.super.describe() + " by " + LeaseNames.quote(holder()) + " under token " + token();
        }
    }

    /** A write of the queue of a lease, which rests on nothing that was read. */
    sealed interface OfQueue extends Request {}

    /**
     * Sends the ticket of an acquisition.
     *
     * @param sent the ticket if it was sent before; null for a new one
     */
    record Enqueue(Acquire acquire, @Nullable Waiter sent) implements OfQueue {

        @Override
        public String name() {
            return acquire.name();
        }

        @Override
        public String holder() {
            return acquire.holder();
        }

        @Override
        public String kind() {
            return "enqueue";
        }
    }

    /** Takes closed tickets of one writer out of a queue. */
    record Withdraw(String name, String writer, Set<Long> stampsNanos) implements OfQueue {

        public Withdraw {
            stampsNanos = Set.copyOf(stampsNanos);
        }

        @Override
        public String kind() {
            return "withdraw";
        }

        LeaseWrite.Withdraw write() {
            return new LeaseWrite.Withdraw(name, writer, stampsNanos);
        }
    }

    /** Takes the tickets of absent writers out of a queue. */
    record DropAbsent(String name, Set<String> writers) implements OfQueue {

        public DropAbsent {
            writers = Set.copyOf(writers);
        }

        @Override
        public String kind() {
            return "withdraw";
        }
    }

    record Expire(String name) implements Request {
        @Override
        public String kind() {
            return "expire";
        }
    }

    /** Removes a document that has been vacant for longer than the retention. */
    record Remove(String name) implements Request {
        @Override
        public String kind() {
            return "remove";
        }

        @Override
        public String noun() {
            return "removal";
        }
    }

    /**
     * Ends a tenure by an operator's order, expired or not.
     *
     * @param tenure the only tenure that may be ended; null for any
     */
    record ForceExpire(String name, String reason, @Nullable Tenure tenure) implements Request {

        public ForceExpire(String name, String reason) {
            this(name, reason, null);
        }

        @Override
        public String kind() {
            return "force-expire";
        }

        @Override
        public String noun() {
            return "forced expiry";
        }
    }

    /** Sets or removes an entity's pin, which prevents every grant of the lease while it is set. */
    record Pin(String name, String entity, boolean pinned) implements Request {
        @Override
        public String kind() {
            return pinned ? "pin" : "unpin";
        }

        @Override
        public String describe() {
            return (pinned ? "pinning" : "unpinning") + " of lease " + LeaseNames.quote(name) + " by "
                    + LeaseNames.quote(entity);
        }
    }
}
