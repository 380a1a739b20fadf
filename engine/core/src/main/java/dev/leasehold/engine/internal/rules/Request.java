package dev.leasehold.engine.internal.rules;

import dev.leasehold.assertions.Tenure;
import org.jspecify.annotations.Nullable;

/** What is asked of one lease. Everything in it was checked before. */
public sealed interface Request {

    String name();

    /** The operation in one word, for meters and logs. */
    String kind();

    /** The operation in words, for messages. */
    String describe();

    /** Whom the request names as holder; null when it names nobody. */
    default @Nullable String holder() {
        return null;
    }

    /** The token that the request names; null when it names none. */
    default @Nullable Long token() {
        return null;
    }

    /** To begin a tenure. */
    sealed interface ToHold extends Request {

        @Override
        String holder();

        /** The term; null for a lease that the engine's session keeps. */
        @Nullable Long termNanos();

        @Nullable String comment();

        /** How many gate stripes the lease is to have at least. */
        default int stripes() {
            return 0;
        }
    }

    /** Hold a lease that nobody holds. */
    record Claim(
            String name,
            String holder,
            long durationNanos,
            @Nullable String comment) implements ToHold {
        @Override
        public Long termNanos() {
            return durationNanos;
        }

        @Override
        public String kind() {
            return "claim";
        }

        @Override
        public String describe() {
            return "claim of lease '" + name + "' for '" + holder + "'";
        }
    }

    /** End a tenure that has certainly run out and begin the next, in one write. */
    record TakeOver(
            String name,
            String holder,
            long durationNanos,
            @Nullable String comment) implements ToHold {
        @Override
        public Long termNanos() {
            return durationNanos;
        }

        @Override
        public String kind() {
            return "take-over";
        }

        @Override
        public String describe() {
            return "take-over of lease '" + name + "' for '" + holder + "'";
        }
    }

    /** Hold on, under the same token. */
    record Extend(Tenure tenure, long durationNanos) implements Request {
        @Override
        public String name() {
            return tenure.name();
        }

        @Override
        public String kind() {
            return "extend";
        }

        @Override
        public String holder() {
            return tenure.holder();
        }

        @Override
        public Long token() {
            return tenure.token();
        }

        @Override
        public String describe() {
            return "extend of lease '" + name() + "' for '" + tenure.holder() + "' under token " + tenure.token();
        }
    }

    /**
     * Give up.
     *
     * @param notBeforeNanos until when nobody is to take the lease then, on the clock of this engine; null for at once
     * @param untold whether its caller was never told that it holds the tenure. Then only what this engine wrote last is released: another
     *     engine that has written it since has promised it to somebody, or has begun a tenure with the same holder and token
     */
    record Release(Tenure tenure, @Nullable Long notBeforeNanos, boolean untold) implements Request {

        /** Give up, so that it may be taken at once. */
        public Release(Tenure tenure) {
            this(tenure, null);
        }

        /** Give up what somebody was told to hold. */
        public Release(Tenure tenure, @Nullable Long notBeforeNanos) {
            this(tenure, notBeforeNanos, false);
        }

        @Override
        public String name() {
            return tenure.name();
        }

        @Override
        public String kind() {
            return "release";
        }

        @Override
        public String holder() {
            return tenure.holder();
        }

        @Override
        public Long token() {
            return tenure.token();
        }

        @Override
        public String describe() {
            return "release of lease '" + name() + "' by '" + tenure.holder() + "' under token " + tenure.token();
        }
    }

    /** End a tenure that has certainly run out. */
    record Expire(String name) implements Request {
        @Override
        public String kind() {
            return "expire";
        }

        @Override
        public String describe() {
            return "expire of lease '" + name + "'";
        }
    }

    /** Remove a document that has been vacant for longer than the retention. */
    record Remove(String name) implements Request {
        @Override
        public String kind() {
            return "remove";
        }

        @Override
        public String describe() {
            return "removal of lease '" + name + "'";
        }
    }

    /**
     * Hold a lease that nobody holds, or whose tenure has certainly run out, in whichever way that takes.
     *
     * @param termNanos the term; null for a lease that the engine's session keeps
     * @param stripes how many gate stripes it is to have at least, from the next tenure on
     * @param supersede whether it is taken at once if another engine holds it under the name of the same holder
     */
    record Acquire(
            String name,
            String holder,
            @Nullable Long termNanos,
            @Nullable String comment,
            int stripes,
            boolean supersede)
            implements ToHold {

        /** Without a need for gate stripes, and from nobody. */
        public Acquire(String name, String holder, @Nullable Long termNanos, @Nullable String comment) {
            this(name, holder, termNanos, comment, 0, false);
        }

        @Override
        public String kind() {
            return "acquire";
        }

        @Override
        public String describe() {
            return "acquisition of lease '" + name + "' for '" + holder + "'";
        }
    }

    /**
     * End a tenure by an operator's order, expired or not.
     *
     * @param reason for people
     * @param tenure the only one to be ended; null for whichever there is
     */
    record ForceExpire(String name, String reason, @Nullable Tenure tenure) implements Request {

        /** Whichever tenure there is. */
        public ForceExpire(String name, String reason) {
            this(name, reason, null);
        }

        @Override
        public String kind() {
            return "force-expire";
        }

        @Override
        public String describe() {
            return "forced expiry of lease '" + name + "'";
        }
    }

    /** Let nobody take the lease, or no longer want that, on behalf of an entity. */
    record Pin(String name, String entity, boolean pinned) implements Request {
        @Override
        public String kind() {
            return pinned ? "pin" : "unpin";
        }

        @Override
        public String describe() {
            return (pinned ? "pinning" : "unpinning") + " of lease '" + name + "' by '" + entity + "'";
        }
    }
}
