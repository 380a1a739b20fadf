package dev.leasehold.simulator.check;

import dev.leasehold.simulator.history.Event;

/** The faults during which a machine makes no step. */
final class Sleeps {

    private Sleeps() {}

    static boolean isOne(Event.Fault fault) {
        return fault.untilNanos() > fault.atNanos() && switch (fault.fault()) {
            case "PAUSE", "MIGRATE", "SUSPEND", "PAUSE_WHEN_SENT", "PAUSE_WHEN_DONE" -> true;
            default -> false;
        };
    }
}
