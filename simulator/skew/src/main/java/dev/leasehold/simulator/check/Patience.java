package dev.leasehold.simulator.check;

import dev.leasehold.simulator.conditions.DatabaseConditions;
import dev.leasehold.simulator.conditions.NetworkConditions;
import dev.leasehold.simulator.history.Operation;
import dev.leasehold.simulator.plan.Plan;
import dev.leasehold.simulator.plan.Setting;

/**
 * For how long one has to be patient, in true time, before something counts as never. All of it is generous: what is looked for is what
 * does not come at all.
 */
final class Patience {

    private static final long SECOND = 1_000_000_000;
    private static final long MILLION = 1_000_000;

    /** Whoever waits looks every five seconds even if nobody tells it anything, and may have to end a stuck transaction first. */
    private static final long LOOK_OUT_NANOS = 12 * SECOND;

    private static final long LOOK_AT_HELD_NANOS = 30 * SECOND;

    private static final int RENEWAL_COMMANDS = 16;

    /** A stuck transaction of another engine may have to be found and ended first. */
    private static final long RESCUE_NANOS = 5 * SECOND;

    private final Setting setting;

    Patience(Plan plan) {
        this.setting = plan.setting();
    }

    /**
     * Whether a majority's answer to a command is usually there within the command's budget. Where it is not, no engine ever learns that
     * it holds anything, and none is owed that.
     */
    boolean answersComeInTime() {
        NetworkConditions network = setting.network();
        DatabaseConditions database = setting.database();
        long usualNanos = 2 * network.delayNanos()
                + network.jitterNanos()
                + database.replicationNanos()
                + database.replicationJitterNanos() / 2;
        return usualNanos <= setting.commandNanos();
    }

    /** What an operation may take on top of what it waits for, when there are no faults. */
    long slackNanos() {
        return LOOK_OUT_NANOS + 2 * setting.operationNanos();
    }

    /** Until who keeps what somebody else has ended has looked at it. Without messages it looks every thirty seconds. */
    long hearingNanos() {
        return slackNanos() + (setting.database().watches() ? 0 : LOOK_AT_HELD_NANOS);
    }

    /** Until one that is alive has renewed what it keeps for so long at a time: it tries that within a third of it, and often after a failure. */
    long renewedNanos(long durationNanos) {
        return RESCUE_NANOS + 2 * setting.operationNanos() + outlivedNanos(durationNanos / 3);
    }

    /**
     * Whether there is time to renew what is kept for so long at a time, where every message is slow: to register, to be granted it, and to
     * write it again behind an eviction for somebody else. And no answer may be so slow that its command is given up.
     */
    boolean isRenewable(long durationNanos) {
        NetworkConditions network = setting.network();
        DatabaseConditions database = setting.database();
        long slowestNanos = 2 * (network.delayNanos() + network.jitterNanos())
                + database.replicationNanos()
                + database.replicationJitterNanos();
        return durationNanos >= RENEWAL_COMMANDS * slowestNanos && slowestNanos < setting.commandNanos();
    }

    /** Until another engine may take what is stored for so long: the bound of the specification, on a slow clock. */
    long outlivedNanos(long durationNanos) {
        double drift = (double) setting.driftPpm() / MILLION;
        return (long) Math.ceil(durationNanos * (1 + drift) / (1 - drift) / (1 - drift)) + 1;
    }

    /** Until the server ends the transaction of a caller who died. */
    long orphanNanos() {
        return setting.database().lifetimeNanos() + setting.database().sweepNanos();
    }

    /** Until a call has to return that is under way on a machine that lives and is awake; MAX_VALUE for those without a budget. */
    long callNanos(Call call) {
        Operation operation = call.operation();
        return switch (operation.kind()) {
            case GATE -> Long.MAX_VALUE;
            case LIST, HOUSEKEEPING -> slackNanos() + 8 * setting.operationNanos();
            case CLOSE_ENGINE, CLOSE_HANDLE -> slackNanos() + 2 * setting.closeNanos();
            case ACQUIRE -> slackNanos() + outlivedNanos(operation.waitNanos());
            default -> slackNanos();
        };
    }
}
