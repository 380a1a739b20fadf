package dev.leasehold.simulator.plan;

import com.fasterxml.jackson.annotation.JsonAlias;
import dev.leasehold.simulator.conditions.DamageKind;
import org.jspecify.annotations.Nullable;

/** What a command does. Leases and holders are numbers; which text stands for them is of no importance. */
public sealed interface Action {

    /** One that asks for a lease for so long. */
    interface ForTerm {
        long durationNanos();
    }

    /** For how long, from its grant on, it may keep others from a lease. */
    default long keepsOthersOffNanos() {
        return this instanceof ForTerm term ? term.durationNanos() : 0;
    }

    // ---- what services ask of the engine on their machine ----

    /** Claims a term lease. */
    record Claim(int lease, int holder, long durationNanos) implements Action, ForTerm {}

    /** Takes a term lease over. */
    record TakeOver(int lease, int holder, long durationNanos) implements Action, ForTerm {}

    /** Extends a tenure that was granted, whichever machine it was. */
    record Extend(Choice tenure, long durationNanos) implements Action, ForTerm {}

    /** Releases a tenure that was granted, whichever machine it was. */
    record Release(Choice tenure) implements Action {}

    record Expire(int lease) implements Action {}

    /** Reads all leases by name. */
    record Refresh() implements Action {}

    /** Lists all leases. */
    record ListAll() implements Action {}

    record Housekeeping() implements Action {}

    /**
     * Acquires a lease as a handle, keeps it, and closes it.
     *
     * @param lease which lease
     * @param holder under which name; null for one of its own
     * @param termNanos of the term, which the handle renews; null for a lease of the session
     * @param waitNanos for how long it is waited for
     * @param keepNanos until it is closed; never, if this is longer than the history
     * @param stripes how many gate stripes it is to have at least; null for none
     * @param cancelNanos after which time it is cancelled, if it is not granted or refused by then; null for never
     * @param supersede whether it is taken from the same holder in another engine; null for no
     * @param atLeastNanos for how long since its acquisition no other holder is to have it; null for no time
     * @param elects whether it is a leader election, which acquires it again and again until it is closed; null for no
     * @param priority with which it waits; null for none of its own
     */
    record Acquire(
            int lease,
            @JsonAlias("owner") @Nullable Integer holder,
            @Nullable Long termNanos,
            long waitNanos,
            long keepNanos,
            @Nullable Integer stripes,
            @Nullable Long cancelNanos,
            @Nullable Boolean supersede,
            @Nullable Long atLeastNanos,
            @Nullable Boolean elects,
            @Nullable Integer priority)
            implements Action {

        /** Without any option. */
        public Acquire(int lease, @Nullable Integer holder, @Nullable Long termNanos, long waitNanos, long keepNanos) {
            this(lease, holder, termNanos, waitNanos, keepNanos, null, null, null, null, null, null);
        }

        /** The same with another value of one component. */
        Acquire with(String component, @Nullable Object value) {
            return Components.with(this, component, value);
        }

        public boolean supersedes() {
            return Boolean.TRUE.equals(supersede);
        }

        public boolean campaigns() {
            return Boolean.TRUE.equals(elects);
        }

        @Override
        public long keepsOthersOffNanos() {
            return Math.max(termNanos == null ? 0 : termNanos, atLeastNanos == null ? 0 : atLeastNanos);
        }
    }

    /**
     * Steps down from a lead that a candidate of the machine has, for the engine of another machine that waits for it.
     *
     * @param lease of which election
     * @param to which machine is to lead
     */
    record StepDownTo(int lease, int to) implements Action {}

    /**
     * Runs a transaction of the service's own that asserts a tenure and writes a document of the service's.
     *
     * @param tenure which tenure is asserted
     * @param beforeNanos from the begin of the transaction, with a read, to the assertion
     * @param afterNanos from the assertion to the commit
     * @param forgetful whether a second run of the body leaves the assertion out, which is a mistake of the caller
     * @param occurrence which occurrence of the work of the lease it does, and so records; null for none
     */
    record Gate(
            Choice tenure,
            long beforeNanos,
            long afterNanos,
            boolean forgetful,
            @Nullable Integer occurrence) implements Action {

        /** Without an occurrence. */
        public Gate(Choice tenure, long beforeNanos, long afterNanos, boolean forgetful) {
            this(tenure, beforeNanos, afterNanos, forgetful, null);
        }
    }

    /**
     * Does an occurrence of the work of a lease once: looks whether it was done, acquires the lease, does it in a transaction that records
     * it, and releases the lease.
     *
     * @param holder under which name; null for one of its own
     * @param termNanos of the term, which the handle renews; null for a lease of the session
     * @param waitNanos for how long the lease is waited for
     * @param afterNanos from the record to the commit
     */
    record RunOnce(
            int lease,
            @Nullable Integer holder,
            @Nullable Long termNanos,
            long waitNanos,
            int occurrence,
            long afterNanos)
            implements Action {

        @Override
        public long keepsOthersOffNanos() {
            return termNanos == null ? 0 : termNanos;
        }
    }

    /**
     * Reads a lease again and again until the engine says when it is certainly over, waits until that instant on the
     * machine's own clock, and acts with no delay.
     *
     * @param move what is done
     * @param lease to which lease
     * @param holder for which it is wanted
     * @param offsetNanos before or after the first instant at which it is legal; -1, 0 and 1 are of interest
     * @param durationNanos for what is claimed
     */
    record Aim(Move move, int lease, int holder, long offsetNanos, long durationNanos) implements Action, ForTerm {}

    /** What is done at the instant that was aimed at. */
    enum Move {
        EXPIRE,
        /** Takes it over for a term. */
        TAKE_OVER,
        /** Acquires it for the session, which evicts the session that kept it. */
        ACQUIRE,
        /** Extends the newest tenure of it: at the end of its validity for the machine's own engine. */
        EXTEND,
        /** Asks the local check of the newest tenure of it: at the end of its validity for the machine's own engine. */
        CHECK,
        /** Asserts the newest tenure of it in a transaction: at the instant from which it may be taken. */
        GATE
    }

    // ---- operators ----

    record ForceExpire(int lease) implements Action {}

    record Pin(int lease, int entity) implements Action {}

    record Unpin(int lease, int entity) implements Action {}

    // ---- faults of a machine ----

    /** Closes the engine and starts another one in the same process, so on the same clocks. */
    record Restart() implements Action {}

    /** The machine makes no step; its clocks run on. */
    record Pause(long durationNanos) implements Action {}

    /** The same, and afterwards its monotonic clock runs at another rate. */
    record Migrate(long durationNanos, long ppbAfter) implements Action {}

    /** The machine makes no step, and its wall clock shows on waking how long it was. Its monotonic clock may stand still meanwhile. */
    record Suspend(long durationNanos, boolean monotonicStops) implements Action {}

    /**
     * The machine loses everything that it had in memory, and starts again.
     *
     * @param downNanos when; never, if this is longer than the history
     * @param monotonicNanos what its monotonic clock shows then
     */
    record Crash(long downNanos, long monotonicNanos) implements Action {}

    record WallStep(long byNanos) implements Action {}

    /** No message of the machine arrives, in either direction. */
    record CutOff(long durationNanos) implements Action {}

    /** A cloned machine: the engine of this machine goes on under the writer's name of another one. */
    record CloneWriter(int from) implements Action {}

    record MonotonicStep(long byNanos) implements Action {}

    // ---- faults of the database ----

    /**
     * The primary is gone; another one comes.
     *
     * @param durationNanos for how long there is none
     * @param losesUnreplicated whether the writes that no majority has are lost
     */
    record FailOver(long durationNanos, boolean losesUnreplicated) implements Action {}

    /** No write reaches a majority. */
    record Lag(long durationNanos) implements Action {}

    /** A service dies in the middle of a transaction that asserted the newest tenure of a lease. */
    record Stray(int lease) implements Action {}

    /** A transaction of another program writes the clock document, changes nothing that matters, and takes its time to commit. */
    record Storm(int times, long holdNanos) implements Action {}

    /** A document is damaged from outside. */
    record Damage(DamageKind damage, int lease) implements Action {}

    /**
     * A tenure that was granted in the history so far.
     *
     * @param age 0 for the newest, 1 for the one before, and so on
     */
    record Choice(int lease, int age) {}
}
