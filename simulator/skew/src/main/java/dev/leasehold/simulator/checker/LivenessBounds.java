package dev.leasehold.simulator.checker;

import dev.leasehold.simulator.history.Operation;

/**
 * By when something has to come, in true time, before it counts as never. These are the bounds that the specification states for a database
 * that answers, plus what a slow clock takes. They are generous: what is looked for is what does not come at all.
 */
public final class LivenessBounds {

    private static final long SECOND = 1_000_000_000;
    private static final long MILLION = 1_000_000;

    /** A waiter gets a lease that has become free within this, and two operation budgets; the end of a stuck transaction included. */
    public static final long WAITER_NANOS = 12 * SECOND;

    /** A holder hears that its tenure was ended within this, beyond what a waiter needs, where change streams do not work. */
    private static final long LOOK_AT_HELD_NANOS = 30 * SECOND;

    /** A stuck transaction of another engine is ended within this. */
    private static final long RESCUE_NANOS = 5 * SECOND;

    /** A handle tells of its loss within this, where threads are in time. */
    private static final long TELLING_NANOS = SECOND;

    private static final long LOOK_MAX_NANOS = 60 * SECOND;

    /** Callers and engines look at the clock one after the other. */
    static final long BETWEEN_LOOKS_NANOS = 1_000;

    /**
     * What is to be renewed lasts for as many of the slowest answers as this, at least. A third of it passes before. Of the others, ten and
     * more, a renewal that meets {@link #RENEWAL_CONFLICTS} takes eight; a heartbeat and a look at the writers may come between.
     */
    private static final int RENEWAL_ANSWERS = 16;

    /** Further heartbeats in that time, each with a look, take time of their own. */
    private static final int RENEWAL_HEARTBEATS = 3;

    /** Nothing bounds how often the transactions of other engines are in the way. */
    private static final int RENEWAL_CONFLICTS = 3;

    /** The lease and the clock are read, a session is begun, and a transaction has a statement and a commit. */
    private static final int ACQUISITION_ANSWERS = 5;

    private final Conditions conditions;

    LivenessBounds(Conditions conditions) {
        this.conditions = conditions;
    }

    /** What an operation may take on top of what it waits for, when there are no faults. */
    long slackNanos() {
        return WAITER_NANOS + 2 * conditions.operationNanos();
    }

    /** Until a holder has heard of the end of its tenure. */
    long newsNanos() {
        return slackNanos() + unreportedNanos();
    }

    /** Until an engine has heard of what was granted to it, or has released it: a ticket that was closed is looked after that often. */
    long hearingNanos() {
        return slackNanos() + LOOK_AT_HELD_NANOS;
    }

    /** How long an engine may not look at a lease that it holds, or for which a ticket of it was closed: only where no change is reported. */
    long unreportedNanos() {
        return conditions.watches() ? 0 : LOOK_AT_HELD_NANOS;
    }

    /** Until a handle has told of its loss. */
    long tellingNanos() {
        return TELLING_NANOS + conditions.threadLateNanos();
    }

    /** Until a live engine has renewed what it keeps for so long at a time: it tries that within a third, and often after a failure. */
    long renewedNanos(long durationNanos) {
        return RESCUE_NANOS + 2 * conditions.operationNanos() + outlivedNanos(durationNanos / 3);
    }

    /** Whether an engine has time to renew what is kept for so long at a time, where every answer is slow. */
    boolean isRenewable(long durationNanos, int machine) {
        long answersNanos = RENEWAL_ANSWERS * conditions.slowestAnswerNanos();
        long heartbeats = answersNanos / conditions.heartbeatNanos().get(machine);
        long further = Math.max(0, heartbeats - RENEWAL_HEARTBEATS);
        return durationNanos >= answersNanos + 2 * further * conditions.slowestAnswerNanos() && isAnsweredInTime();
    }

    /**
     * Whether a renewal had that time, though transactions of its engine met others so often, and others wrote its leases: a miss costs as many
     * answers as two conflicts.
     */
    boolean isRenewedAfter(long conflicts, long misses) {
        return conflicts + 2 * misses <= RENEWAL_CONFLICTS;
    }

    /** Whether there is time in the budget of an operation for all that an acquisition may need. */
    boolean isAcquirable() {
        return ACQUISITION_ANSWERS * conditions.slowestAnswerNanos() <= conditions.operationNanos();
    }

    /** Whether a command is answered in time, without a fault. */
    boolean isAnsweredInTime() {
        return conditions.slowestAnswerNanos() < conditions.commandNanos();
    }

    /**
     * Until an idle engine on a machine has seen the last stamp of every writer: one look a heartbeat period in all partitions together,
     * one a minute at least, on a slow clock.
     */
    long lookNanos(int machine) {
        long periodNanos = conditions.heartbeatNanos().get(machine) * conditions.partitions();
        return outlivedNanos(Math.min(LOOK_MAX_NANOS, periodNanos)) + 2 * conditions.slowestAnswerNanos();
    }

    /** Until another engine may take what is stored for so long: the bound of G7, on a slow clock. */
    long outlivedNanos(long durationNanos) {
        double drift = (double) conditions.driftPpm() / MILLION;
        return (long) Math.ceil(durationNanos * (1 + drift) / (1 - drift) / (1 - drift)) + 1;
    }

    /** Until a call has to return that is under way on a machine that lives and is awake; NEVER for those without a budget. */
    long callNanos(Operation operation) {
        return switch (operation.kind()) {
            case GATE -> Incarnation.NEVER;
            case LIST, HOUSEKEEPING -> slackNanos() + 8 * conditions.operationNanos();
            case CLOSE_ENGINE, CLOSE_HANDLE, STEP_DOWN -> slackNanos() + 2 * conditions.closeNanos();
            case ACQUIRE -> slackNanos() + outlivedNanos(operation.waitNanos());
            default -> slackNanos();
        };
    }

    /** By its caller's own clock a call is answered within this. Listing and housekeeping have a budget for each page and removal. */
    long budgetNanos(Operation operation) {
        return switch (operation.kind()) {
            case CLAIM, TAKE_OVER, EXTEND, RELEASE, EXPIRE, FORCE_EXPIRE, PIN, UNPIN, FIND_OCCURRENCE ->
                conditions.operationNanos();
            case REFRESH -> conditions.partitions() * conditions.operationNanos();
            case ACQUIRE -> operation.waitNanos() + conditions.operationNanos() + conditions.threadLateNanos();
            case CLOSE_ENGINE -> conditions.closeNanos();
            case CLOSE_HANDLE ->
                operation.waitNanos() < Operation.FOR_EVER_NANOS ? conditions.closeNanos() : Incarnation.NEVER;
            case LIST, HOUSEKEEPING -> callNanos(operation);
            case GATE, CHECK, STEP_DOWN -> Incarnation.NEVER;
        };
    }
}
