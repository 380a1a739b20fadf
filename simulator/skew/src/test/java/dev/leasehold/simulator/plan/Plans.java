package dev.leasehold.simulator.plan;

import static dev.leasehold.simulator.plan.Nanos.SECOND;

import dev.leasehold.simulator.clock.Machine;
import dev.leasehold.simulator.clock.Machine.Rate;
import dev.leasehold.simulator.conditions.DatabaseConditions;
import dev.leasehold.simulator.conditions.NetworkConditions;
import java.util.Collections;
import java.util.List;

/** Plain plans for tests: three machines and an observer's, two leases, ten seconds. */
final class Plans {

    static final Setting SETTING = new Setting(
            true,
            1_000,
            10 * SECOND,
            3 * SECOND,
            5 * SECOND,
            2 * SECOND,
            2 * SECOND,
            3_600 * SECOND,
            2,
            10 * SECOND,
            NetworkConditions.PERFECT,
            DatabaseConditions.PLAIN);

    static final Machine MACHINE = new Machine(0, PlanRules.PLAIN_WALL_NANOS, 1, List.of(new Rate(0, 0)));

    private Plans() {}

    static Plan of(Command... commands) {
        return new Plan("calm", 1, SETTING, Collections.nCopies(4, MACHINE), List.of(commands));
    }

    static Command at(long atNanos, int machine, Action action) {
        return new Command(atNanos, machine, 0, null, action);
    }
}
