package dev.leasehold.simulator.estimate;

import static dev.leasehold.simulator.plan.Nanos.MILLI;
import static dev.leasehold.simulator.plan.Nanos.MINUTE;
import static dev.leasehold.simulator.plan.Nanos.SECOND;

import dev.leasehold.simulator.clock.Machine;
import dev.leasehold.simulator.conditions.DatabaseConditions;
import dev.leasehold.simulator.conditions.NetworkConditions;
import dev.leasehold.simulator.conditions.SeededRandom;
import dev.leasehold.simulator.plan.Action;
import dev.leasehold.simulator.plan.Command;
import dev.leasehold.simulator.plan.Plan;
import dev.leasehold.simulator.plan.PlanRules;
import dev.leasehold.simulator.plan.Setting;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The plan of one history: the first machine acquires a lease and keeps it, others wait for it, one more works under it, and the
 * last one, on which nothing is done, belongs to the observer.
 */
final class EstimatePlan {

    static final int HOLDER = 0;

    /** A transaction whose client is gone stays open for that long, and until it is looked for. */
    static final long LIFETIME_NANOS = 60 * SECOND;

    static final long SWEEP_NANOS = 30 * SECOND;
    /** For the holder to begin, and the others to see it. */
    private static final long BEGIN_NANOS = 2 * SECOND;

    private static final long WORK_NANOS = MINUTE;
    private static final long SPARE_NANOS = 20 * SECOND;
    private static final Action.Choice NEWEST = new Action.Choice(0, 0);
    private static final Action.Choice FORMER = new Action.Choice(0, 1);

    private final EstimateSettings settings;
    private final LeaseKind kind;
    private final HolderCase holder;
    private final SeededRandom random;
    private final long seed;
    private final List<Command> commands = new ArrayList<>();

    EstimatePlan(EstimateSettings settings, LeaseKind kind, HolderCase holder, long seed) {
        this.settings = settings;
        this.kind = kind;
        this.holder = holder;
        this.seed = seed;
        this.random = new SeededRandom(seed);
    }

    /** The machine that works under the lease without having been granted it. */
    static int worker(EstimateSettings settings) {
        return settings.clients();
    }

    Plan plan() {
        long eventNanos = beginNanos() + SECOND + random.upTo(settings.renewalNanos(kind));
        long lengthNanos = lengthNanos(eventNanos);
        acquire(HOLDER, 0, lengthNanos);
        for (int i = 1; i < settings.clients(); i++) {
            acquire(i, beginNanos() + random.upTo(SECOND), lengthNanos);
        }
        befall(eventNanos, lengthNanos);
        commands.sort(Comparator.comparingLong(Command::atNanos));
        Plan plan = new Plan("estimate", seed, setting(lengthNanos), machines(), commands);
        PlanRules.check(plan);
        return plan;
    }

    private long beginNanos() {
        return BEGIN_NANOS + 20 * settings.latency().maxNanos();
    }

    private long lengthNanos(long eventNanos) {
        long strayNanos = holder == HolderCase.DIES_AT_WORK ? LIFETIME_NANOS + SWEEP_NANOS : 0;
        long workNanos = holder.isDeath() ? 0 : WORK_NANOS;
        return eventNanos + 2 * settings.boundNanos(kind) + strayNanos + workNanos + SPARE_NANOS;
    }

    private void befall(long eventNanos, long lengthNanos) {
        switch (holder) {
            case DIES -> add(eventNanos, HOLDER, new Action.Crash(PlanRules.NEVER_NANOS, 0));
            case DIES_AT_WORK -> {
                gate(HOLDER, NEWEST, beginNanos(), eventNanos);
                add(eventNanos, HOLDER, new Action.Crash(PlanRules.NEVER_NANOS, 0));
            }
            case WORKS -> gate(worker(settings), NEWEST, beginNanos(), lengthNanos - SPARE_NANOS);
            case STALLS -> {
                long wakesNanos = eventNanos + settings.boundNanos(kind) + SECOND;
                gate(worker(settings), NEWEST, beginNanos(), lengthNanos - SPARE_NANOS);
                // Nothing calls them off before the holder wakes. Until it is replaced there is no tenure before the
                // newest.
                gate(worker(settings), FORMER, eventNanos, wakesNanos);
                add(eventNanos, HOLDER, new Action.Pause(wakesNanos - eventNanos));
            }
        }
    }

    private void acquire(int machine, long atNanos, long lengthNanos) {
        Long termNanos = kind == LeaseKind.TERM ? settings.termNanos() : null;
        add(atNanos, machine, new Action.Acquire(0, null, termNanos, lengthNanos - atNanos, PlanRules.NEVER_NANOS));
    }

    /** Transactions that begin at random, so many in a minute. */
    private void gate(int machine, Action.Choice tenure, long fromNanos, long toNanos) {
        long periodNanos = MINUTE / settings.gatesPerMinute();
        for (long at = fromNanos + random.upTo(2 * periodNanos); at < toNanos; at += 1 + random.upTo(2 * periodNanos)) {
            long lengthNanos = settings.gateLength().draw(random);
            // Asserted first, worked on afterwards: as long as it is open the lease cannot be taken.
            add(at, machine, new Action.Gate(tenure, 0, lengthNanos, false));
        }
    }

    private void add(long atNanos, int machine, Action action) {
        commands.add(new Command(atNanos, machine, random.next(), null, action));
    }

    private List<Machine> machines() {
        List<Machine> machines = new ArrayList<>();
        for (int i = 0; i <= settings.clients() + 1; i++) {
            long ppb = random.upTo(2 * settings.driftPpm() * 1_000) - settings.driftPpm() * 1_000;
            machines.add(new Machine(
                    random.upTo(MINUTE),
                    PlanRules.PLAIN_WALL_NANOS + random.upTo(MINUTE),
                    MILLI,
                    List.of(new Machine.Rate(0, ppb))));
        }
        return machines;
    }

    private Setting setting(long lengthNanos) {
        Span latency = settings.latency();
        Span replication = settings.replication();
        long operationNanos = settings.operationNanos();
        return new Setting(
                true,
                settings.driftPpm(),
                settings.sessionNanos(),
                settings.heartbeatNanos(),
                operationNanos,
                operationNanos / 2,
                operationNanos / 2,
                60 * MINUTE,
                1,
                1,
                lengthNanos,
                null,
                null,
                new NetworkConditions(latency.minNanos(), latency.jitterNanos(), 0, 0, 0, 0, 0, 0, 0),
                new DatabaseConditions(
                        replication.minNanos(), replication.jitterNanos(), LIFETIME_NANOS, SWEEP_NANOS, true));
    }
}
