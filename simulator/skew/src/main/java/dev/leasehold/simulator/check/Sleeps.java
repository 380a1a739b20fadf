package dev.leasehold.simulator.check;

import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Faults;

/** The faults during which a machine makes no step. */
final class Sleeps {

    private Sleeps() {}

    static boolean isOne(Event.Fault fault) {
        return fault.untilNanos() > fault.atNanos() && Faults.isSleep(fault.fault());
    }
}
