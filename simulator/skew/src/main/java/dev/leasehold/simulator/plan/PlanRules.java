package dev.leasehold.simulator.plan;

import static dev.leasehold.simulator.plan.Nanos.DAY;
import static dev.leasehold.simulator.plan.Nanos.MILLI;
import static dev.leasehold.simulator.plan.Nanos.SECOND;
import static dev.leasehold.simulator.plan.Nanos.YEAR;

import dev.leasehold.simulator.clock.Machine;
import dev.leasehold.simulator.conditions.DatabaseConditions;
import dev.leasehold.simulator.conditions.MessageFault;
import dev.leasehold.simulator.conditions.NetworkConditions;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What makes a plan one that can be played and judged. The settings are such that engines accept them; the last machine is the
 * observer's, for which there is no command; and a plan is only called inside if nothing in it leaves the conditions of the promises.
 */
public final class PlanRules {

    /** Longer than any history: what takes so long never ends. */
    public static final long NEVER_NANOS = 7_200 * SECOND;

    /** The beginning of 2026. */
    static final long PLAIN_WALL_NANOS = 1_767_225_600 * SECOND;

    static final long WALL_MIN_NANOS = DAY;
    static final long WALL_MAX_NANOS = 230 * YEAR;

    private static final long LENGTH_MAX_NANOS = 3_600 * SECOND;
    private static final long THREAD_LATE_MAX_NANOS = 100_000_000;
    private static final long BUDGET_MIN_NANOS = SECOND / 10;
    private static final long BUDGET_MAX_NANOS = 3_600 * SECOND;
    private static final long HEARTBEAT_MIN_NANOS = 10 * MILLI;
    private static final long TERM_MIN_NANOS = MILLI;
    private static final long TERM_MAX_NANOS = 10 * YEAR;
    /** As the engine wants it. */
    private static final long AT_LEAST_MIN_NANOS = 1_000_000;

    private static final int SESSION_PERCENT_MIN = 1;
    private static final int SESSION_PERCENT_MAX = 1_000;
    private static final int PPM_MAX = 1_000_000;
    private static final int LEASES_MAX = 1_000;
    private static final int PARTITIONS_MAX = 64;
    /** As in services. */
    static final int SINGLE_WRITES_MAX = 8;

    private static final int MACHINES_MAX = 100;
    private static final int HOLDERS_MAX = 1_000;
    private static final int STRIPES_MAX = 64;
    private static final int TIMES_MAX = 1_000;
    private static final long PPB_MIN = -SECOND + 1;
    private static final long PPB_MAX = SECOND;

    private final Plan plan;
    private final Setting setting;

    private PlanRules(Plan plan) {
        this.plan = plan;
        this.setting = plan.setting();
    }

    /**
     * Checks a plan.
     *
     * @throws IllegalArgumentException if it breaks a rule; the message begins with the place
     */
    public static void check(Plan plan) {
        given("profile", plan.profile());
        given("setting", plan.setting());
        PlanRules rules = new PlanRules(plan);
        rules.checkSetting();
        rules.checkMachines();
        rules.checkCommands();
        rules.checkTier();
    }

    /** Whether {@link #check} would pass. */
    static boolean isKept(Plan plan) {
        try {
            check(plan);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** The nearest time of day that a wall clock may show. */
    static long nearestWallNanos(long wallNanos) {
        return Math.max(WALL_MIN_NANOS, Math.min(WALL_MAX_NANOS, wallNanos));
    }

    // ---- the setting ----

    private void checkSetting() {
        range("setting.driftPpm", setting.driftPpm(), 0, PPM_MAX - 1);
        range("setting.commandNanos", setting.commandNanos(), BUDGET_MIN_NANOS, BUDGET_MAX_NANOS);
        range("setting.operationNanos", setting.operationNanos(), setting.commandNanos(), BUDGET_MAX_NANOS);
        range("setting.sessionNanos", setting.sessionNanos(), setting.operationNanos() + 1, DAY);
        range("setting.heartbeatNanos", setting.heartbeatNanos(), HEARTBEAT_MIN_NANOS, setting.sessionNanos() / 2 - 1);
        range("setting.closeNanos", setting.closeNanos(), BUDGET_MIN_NANOS, BUDGET_MAX_NANOS);
        range("setting.retentionNanos", setting.retentionNanos(), TERM_MIN_NANOS, TERM_MAX_NANOS);
        range("setting.leases", setting.leases(), 1, LEASES_MAX);
        range("setting.partitions", setting.partitions(), 1, PARTITIONS_MAX);
        range("setting.lengthNanos", setting.lengthNanos(), 0, LENGTH_MAX_NANOS);
        if (setting.threadLateNanos() != null) {
            range("setting.threadLateNanos", setting.threadLateNanos(), 1, THREAD_LATE_MAX_NANOS);
        }
        if (setting.singleWritesMax() != null) {
            range("setting.singleWritesMax", setting.singleWritesMax(), 1, SINGLE_WRITES_MAX);
        }
        checkNetwork(given("setting.network", setting.network()));
        checkDatabase(given("setting.database", setting.database()));
    }

    private static void checkNetwork(NetworkConditions network) {
        range("setting.network.delayNanos", network.delayNanos(), 0, LENGTH_MAX_NANOS);
        range("setting.network.jitterNanos", network.jitterNanos(), 0, LENGTH_MAX_NANOS);
        range("setting.network.lateNanos", network.lateNanos(), 0, LENGTH_MAX_NANOS);
        range("setting.network.latePpm", network.latePpm(), 0, PPM_MAX);
        range("setting.network.lostRequestPpm", network.lostRequestPpm(), 0, PPM_MAX);
        range("setting.network.lostReplyPpm", network.lostReplyPpm(), 0, PPM_MAX);
        range("setting.network.refusedPpm", network.refusedPpm(), 0, PPM_MAX);
        range("setting.network.unansweredPpm", network.unansweredPpm(), 0, PPM_MAX);
        range("setting.network.repeatedPpm", network.repeatedPpm(), 0, PPM_MAX);
    }

    private static void checkDatabase(DatabaseConditions database) {
        range("setting.database.replicationNanos", database.replicationNanos(), 0, LENGTH_MAX_NANOS);
        range("setting.database.replicationJitterNanos", database.replicationJitterNanos(), 0, LENGTH_MAX_NANOS);
        range("setting.database.lifetimeNanos", database.lifetimeNanos(), BUDGET_MIN_NANOS, LENGTH_MAX_NANOS);
        range("setting.database.sweepNanos", database.sweepNanos(), MILLI, LENGTH_MAX_NANOS);
    }

    // ---- the machines ----

    private void checkMachines() {
        range("machines: their number", plan.machines().size(), 2, MACHINES_MAX);
        for (int i = 0; i < plan.machines().size(); i++) {
            checkMachine("machines[" + i + "]", plan.machines().get(i));
        }
    }

    private void checkMachine(String place, Machine machine) {
        range(place + ".wallNanos", machine.wallNanos(), WALL_MIN_NANOS, WALL_MAX_NANOS);
        range(place + ".wallPrecisionNanos", machine.wallPrecisionNanos(), 1, SECOND);
        if (machine.sessionPercent() != null) {
            range(place + ".sessionPercent", machine.sessionPercent(), SESSION_PERCENT_MIN, SESSION_PERCENT_MAX);
            range(
                    place + ".sessionPercent: the session",
                    machine.own(setting.sessionNanos()),
                    setting.operationNanos() + 1,
                    DAY);
            range(
                    place + ".sessionPercent: the heartbeat",
                    machine.own(setting.heartbeatNanos()),
                    HEARTBEAT_MIN_NANOS,
                    machine.own(setting.sessionNanos()) / 2 - 1);
        }
        List<Machine.Rate> rates = machine.rates();
        range(place + ".rates: their number", rates.size(), 1, Integer.MAX_VALUE);
        range(place + ".rates[0].fromNanos", rates.get(0).fromNanos(), 0, 0);
        for (int i = 0; i < rates.size(); i++) {
            range(place + ".rates[" + i + "].ppb", rates.get(i).ppb(), PPB_MIN, PPB_MAX);
            if (i > 0) {
                range(
                        place + ".rates[" + i + "].fromNanos",
                        rates.get(i).fromNanos(),
                        rates.get(i - 1).fromNanos() + 1,
                        Long.MAX_VALUE);
            }
        }
    }

    // ---- the commands ----

    private void checkCommands() {
        long[] wallNanos =
                plan.machines().stream().mapToLong(Machine::wallNanos).toArray();
        long beforeNanos = 0;
        for (int i = 0; i < plan.commands().size(); i++) {
            String place = "commands[" + i + "]";
            Command command = plan.commands().get(i);
            range(place + ".atNanos", command.atNanos(), beforeNanos, setting.lengthNanos());
            range(place + ".machine", command.machine(), 0, plan.machines().size() - 2);
            checkFate(place + ".fault", command.fault());
            checkAction(place + ".action", given(place + ".action", command.action()));
            checkClone(place + ".action", command);
            if (command.action() instanceof Action.WallStep step) {
                wallNanos[command.machine()] += step.byNanos();
                range(
                        place + ".action.byNanos: the wall clock after it",
                        wallNanos[command.machine()],
                        WALL_MIN_NANOS,
                        WALL_MAX_NANOS);
            }
            beforeNanos = command.atNanos();
        }
    }

    private static void checkFate(String place, @Nullable MessageFault fault) {
        if (fault != null) {
            given(place + ".kind", fault.kind());
            range(place + ".afterMessages", fault.afterMessages(), 0, Integer.MAX_VALUE);
            range(place + ".delayNanos", fault.delayNanos(), 0, NEVER_NANOS);
        }
    }

    private void checkAction(String place, Action action) {
        if (action instanceof Action.Claim claim) {
            lease(place, claim.lease());
            holder(place, claim.holder());
            term(place, claim.durationNanos());
        } else if (action instanceof Action.TakeOver takeOver) {
            lease(place, takeOver.lease());
            holder(place, takeOver.holder());
            term(place, takeOver.durationNanos());
        } else if (action instanceof Action.Extend extend) {
            choice(place, extend.tenure());
            term(place, extend.durationNanos());
        } else if (action instanceof Action.Release release) {
            choice(place, release.tenure());
        } else if (action instanceof Action.Expire expire) {
            lease(place, expire.lease());
        } else if (action instanceof Action.Acquire acquire) {
            checkAcquire(place, acquire);
        } else if (action instanceof Action.Gate gate) {
            choice(place, gate.tenure());
            span(place + ".beforeNanos", gate.beforeNanos());
            span(place + ".afterNanos", gate.afterNanos());
        } else if (action instanceof Action.Aim aim) {
            given(place + ".move", aim.move());
            lease(place, aim.lease());
            holder(place, aim.holder());
            range(place + ".offsetNanos", aim.offsetNanos(), -LENGTH_MAX_NANOS, LENGTH_MAX_NANOS);
            term(place, aim.durationNanos());
        } else {
            checkOperator(place, action);
        }
    }

    private static void checkClone(String place, Command command) {
        if (command.action() instanceof Action.CloneWriter clone && clone.from() == command.machine()) {
            throw new IllegalArgumentException(
                    place + ".from: " + clone.from() + " is refused: it must be another machine");
        }
    }

    private void checkAcquire(String place, Action.Acquire acquire) {
        lease(place, acquire.lease());
        if (acquire.owner() != null) {
            range(place + ".owner", acquire.owner(), 0, HOLDERS_MAX);
        }
        if (acquire.termNanos() != null) {
            range(place + ".termNanos", acquire.termNanos(), setting.operationNanos() + 1, TERM_MAX_NANOS);
        }
        if (acquire.stripes() != null) {
            range(place + ".stripes", acquire.stripes(), 0, STRIPES_MAX);
        }
        if (acquire.cancelNanos() != null) {
            span(place + ".cancelNanos", acquire.cancelNanos());
        }
        if (acquire.supersedes() && acquire.owner() == null) {
            throw new IllegalArgumentException(place + ".supersede: true is refused: it needs an owner");
        }
        if (acquire.atLeastNanos() != null) {
            range(place + ".atLeastNanos", acquire.atLeastNanos(), AT_LEAST_MIN_NANOS, TERM_MAX_NANOS);
        }
        span(place + ".waitNanos", acquire.waitNanos());
        span(place + ".keepNanos", acquire.keepNanos());
    }

    private void checkOperator(String place, Action action) {
        if (action instanceof Action.ForceExpire forceExpire) {
            lease(place, forceExpire.lease());
        } else if (action instanceof Action.Pin pin) {
            lease(place, pin.lease());
            range(place + ".entity", pin.entity(), 0, HOLDERS_MAX);
        } else if (action instanceof Action.Unpin unpin) {
            lease(place, unpin.lease());
            range(place + ".entity", unpin.entity(), 0, HOLDERS_MAX);
        } else {
            checkTrouble(place, action);
        }
    }

    private void checkTrouble(String place, Action action) {
        if (action instanceof Action.Pause pause) {
            span(place + ".durationNanos", pause.durationNanos());
        } else if (action instanceof Action.Migrate migrate) {
            span(place + ".durationNanos", migrate.durationNanos());
            range(place + ".ppbAfter", migrate.ppbAfter(), PPB_MIN, PPB_MAX);
        } else if (action instanceof Action.Suspend suspend) {
            span(place + ".durationNanos", suspend.durationNanos());
        } else if (action instanceof Action.Crash crash) {
            span(place + ".downNanos", crash.downNanos());
        } else if (action instanceof Action.CutOff cutOff) {
            span(place + ".durationNanos", cutOff.durationNanos());
        } else if (action instanceof Action.CloneWriter clone) {
            range(place + ".from", clone.from(), 0, plan.machines().size() - 2);
        } else {
            checkDatabaseTrouble(place, action);
        }
    }

    private void checkDatabaseTrouble(String place, Action action) {
        if (action instanceof Action.FailOver failOver) {
            span(place + ".durationNanos", failOver.durationNanos());
        } else if (action instanceof Action.Lag lag) {
            span(place + ".durationNanos", lag.durationNanos());
        } else if (action instanceof Action.Stray stray) {
            lease(place, stray.lease());
        } else if (action instanceof Action.Storm storm) {
            range(place + ".times", storm.times(), 1, TIMES_MAX);
            span(place + ".holdNanos", storm.holdNanos());
        } else if (action instanceof Action.Damage damage) {
            given(place + ".damage", damage.damage());
            lease(place, damage.lease());
        }
    }

    private void checkTier() {
        String why = setting.inside() ? Tier.whyOutside(setting.driftPpm(), plan.machines(), plan.commands()) : null;
        if (why != null) {
            throw new IllegalArgumentException("setting.inside: true is refused: " + why);
        }
    }

    // ---- single values ----

    private void choice(String place, Action.@Nullable Choice choice) {
        lease(place + ".tenure", given(place + ".tenure", choice).lease());
        range(place + ".tenure.age", Objects.requireNonNull(choice).age(), 0, Integer.MAX_VALUE);
    }

    private void lease(String place, int lease) {
        range(place + ".lease", lease, 0, setting.leases() - 1);
    }

    private static void holder(String place, int holder) {
        range(place + ".holder", holder, 0, HOLDERS_MAX);
    }

    private static void term(String place, long durationNanos) {
        range(place + ".durationNanos", durationNanos, TERM_MIN_NANOS, TERM_MAX_NANOS);
    }

    private static void span(String place, long nanos) {
        range(place, nanos, 0, NEVER_NANOS);
    }

    private static void range(String place, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(place + ": " + value + " is refused: it must be " + min + " to " + max);
        }
    }

    private static <T> T given(String place, @Nullable T value) {
        if (value == null) {
            throw new IllegalArgumentException(place + ": nothing is refused: it must be there");
        }
        return value;
    }
}
