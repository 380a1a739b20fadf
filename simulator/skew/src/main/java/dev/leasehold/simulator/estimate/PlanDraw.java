package dev.leasehold.simulator.estimate;

import dev.leasehold.simulator.clock.Machine;
import dev.leasehold.simulator.conditions.DatabaseConditions;
import dev.leasehold.simulator.conditions.NetworkConditions;
import dev.leasehold.simulator.conditions.SeededRandom;
import dev.leasehold.simulator.estimate.Circumstances.Kind;
import dev.leasehold.simulator.plan.Action;
import dev.leasehold.simulator.plan.Command;
import dev.leasehold.simulator.plan.Plan;
import dev.leasehold.simulator.plan.PlanRules;
import dev.leasehold.simulator.plan.Setting;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Draws the plan of one history: the first machine acquires a lease and keeps it, others wait for it, one more works under it, and the
 * last one, on which nothing is done, belongs to the observer.
 */
final class PlanDraw {

    static final int HOLDER = 0;

    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000_000_000;
    private static final long WALL_NANOS = 1_767_225_600 * SECOND;
    private static final long PPB_PER_PPM = 1_000;
    private static final long MINUTE = 60 * SECOND;
    /** A transaction whose client is gone stays open for that long, and until it is looked for. */
    static final long LIFETIME_NANOS = 60 * SECOND;

    static final long SWEEP_NANOS = 30 * SECOND;
    /** For the holder to begin, and the others to see it. */
    private static final long BEGIN_NANOS = 2 * SECOND;

    private static final long WORK_NANOS = MINUTE;
    private static final long SPARE_NANOS = 20 * SECOND;
    private static final Action.Choice NEWEST = new Action.Choice(0, 0);
    private static final Action.Choice FORMER = new Action.Choice(0, 1);

    private final Circumstances circumstances;
    private final Kind kind;
    private final Scenario scenario;
    private final SeededRandom seededRandom;
    private final long seed;
    private final List<Command> commands = new ArrayList<>();

    PlanDraw(Circumstances circumstances, Kind kind, Scenario scenario, long seed) {
        this.circumstances = circumstances;
        this.kind = kind;
        this.scenario = scenario;
        this.seed = seed;
        this.seededRandom = new SeededRandom(seed);
    }

    /** The machine of those who work under the lease without having got it. */
    static int worker(Circumstances circumstances) {
        return circumstances.clients();
    }

    Plan plan() {
        long eventNanos = beginNanos() + SECOND + seededRandom.upTo(circumstances.renewalNanos(kind));
        long lengthNanos = lengthNanos(eventNanos);
        acquire(HOLDER, 0, lengthNanos);
        for (int i = 1; i < circumstances.clients(); i++) {
            acquire(i, beginNanos() + seededRandom.upTo(SECOND), lengthNanos);
        }
        befall(eventNanos, lengthNanos);
        commands.sort(Comparator.comparingLong(Command::atNanos));
        Plan plan = new Plan("estimate", seed, setting(lengthNanos), machines(), commands);
        PlanRules.check(plan);
        return plan;
    }

    private long beginNanos() {
        return BEGIN_NANOS + 20 * circumstances.latency().maxNanos();
    }

    private long lengthNanos(long eventNanos) {
        long strayNanos = scenario == Scenario.DIES_AT_WORK ? LIFETIME_NANOS + SWEEP_NANOS : 0;
        long workNanos = scenario.isDeath() ? 0 : WORK_NANOS;
        return eventNanos + 2 * circumstances.ruleNanos(kind) + strayNanos + workNanos + SPARE_NANOS;
    }

    private void befall(long eventNanos, long lengthNanos) {
        switch (scenario) {
            case DIES -> add(eventNanos, HOLDER, new Action.Crash(PlanRules.NEVER_NANOS, 0));
            case DIES_AT_WORK -> {
                gate(HOLDER, NEWEST, beginNanos(), eventNanos);
                add(eventNanos, HOLDER, new Action.Crash(PlanRules.NEVER_NANOS, 0));
            }
            case WORKS -> gate(worker(circumstances), NEWEST, beginNanos(), lengthNanos - SPARE_NANOS);
            case STALLS -> {
                long wakesNanos = eventNanos + circumstances.ruleNanos(kind) + SECOND;
                gate(worker(circumstances), NEWEST, beginNanos(), lengthNanos - SPARE_NANOS);
                // Nobody calls them off before the holder wakes. Until it is replaced there is no tenure before the
                // newest.
                gate(worker(circumstances), FORMER, eventNanos, wakesNanos);
                add(eventNanos, HOLDER, new Action.Pause(wakesNanos - eventNanos));
            }
        }
    }

    private void acquire(int machine, long atNanos, long lengthNanos) {
        Long termNanos = kind == Kind.TERM ? circumstances.termNanos() : null;
        add(atNanos, machine, new Action.Acquire(0, null, termNanos, lengthNanos - atNanos, PlanRules.NEVER_NANOS));
    }

    /** Transactions that begin at random, so many in a minute. */
    private void gate(int machine, Action.Choice tenure, long fromNanos, long toNanos) {
        long periodNanos = MINUTE / circumstances.gatesPerMinute();
        for (long at = fromNanos + seededRandom.upTo(2 * periodNanos);
                at < toNanos;
                at += 1 + seededRandom.upTo(2 * periodNanos)) {
            long lengthNanos = circumstances.gateLength().draw(seededRandom);
            // Asserted first, worked on afterwards: as long as it is open the lease cannot be taken.
            add(at, machine, new Action.Gate(tenure, 0, lengthNanos, false));
        }
    }

    private void add(long atNanos, int machine, Action action) {
        commands.add(new Command(atNanos, machine, seededRandom.next(), null, action));
    }

    private List<Machine> machines() {
        List<Machine> machines = new ArrayList<>();
        for (int i = 0; i <= circumstances.clients() + 1; i++) {
            long ppb = seededRandom.upTo(2 * circumstances.driftPpm() * PPB_PER_PPM)
                    - circumstances.driftPpm() * PPB_PER_PPM;
            machines.add(new Machine(
                    seededRandom.upTo(MINUTE),
                    WALL_NANOS + seededRandom.upTo(MINUTE),
                    MILLI,
                    List.of(new Machine.Rate(0, ppb))));
        }
        return machines;
    }

    private Setting setting(long lengthNanos) {
        Span latency = circumstances.latency();
        Span replication = circumstances.replication();
        long operationNanos = circumstances.operationNanos();
        return new Setting(
                true,
                circumstances.driftPpm(),
                circumstances.sessionNanos(),
                circumstances.heartbeatNanos(),
                operationNanos,
                operationNanos / 2,
                operationNanos / 2,
                60 * MINUTE,
                1,
                lengthNanos,
                new NetworkConditions(latency.minNanos(), latency.jitterNanos(), 0, 0, 0, 0, 0, 0, 0),
                new DatabaseConditions(
                        replication.minNanos(), replication.jitterNanos(), LIFETIME_NANOS, SWEEP_NANOS, true));
    }
}
