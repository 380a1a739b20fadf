package dev.leasehold.simulator.plan;

import static dev.leasehold.simulator.plan.Nanos.SECOND;

import dev.leasehold.simulator.clock.Machine;
import dev.leasehold.simulator.clock.Machine.Rate;
import java.util.Collections;
import java.util.List;

/** Plain plans for tests: three machines and an observer's, two leases, ten seconds. */
final class Plans {

    static final Setting SETTING = Setting.PLAIN.with("leases", 2).with("lengthNanos", 10 * SECOND);

    static final Machine MACHINE = new Machine(0, PlanRules.PLAIN_WALL_NANOS, 1, List.of(new Rate(0, 0)));

    private Plans() {}

    static Plan of(Command... commands) {
        return new Plan("calm", 1, SETTING, Collections.nCopies(4, MACHINE), List.of(commands));
    }

    static Command at(long atNanos, int machine, Action action) {
        return new Command(atNanos, machine, 0, null, action);
    }
}
