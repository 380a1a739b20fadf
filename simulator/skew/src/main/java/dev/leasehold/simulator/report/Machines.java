package dev.leasehold.simulator.report;

import dev.leasehold.simulator.history.Event;

/** To which machine events belong. */
final class Machines {

    private Machines() {}

    /** -1 for the database, for what befalls everything, and for events that name a call instead. */
    static int of(Event event) {
        if (event instanceof Event.Message it) {
            return it.machine();
        }
        if (event instanceof Event.Believed it) {
            return it.machine();
        }
        if (event instanceof Event.Doubted it) {
            return it.machine();
        }
        if (event instanceof Event.Called it) {
            return it.machine();
        }
        if (event instanceof Event.Fault it) {
            return it.machine();
        }
        if (event instanceof Event.Reached it) {
            return it.machine();
        }
        if (event instanceof Event.Started it) {
            return it.machine();
        }
        if (event instanceof Event.Stopped it) {
            return it.machine();
        }
        if (event instanceof Event.Lost it) {
            return it.machine();
        }
        if (event instanceof Event.Revived it) {
            return it.machine();
        }
        return event instanceof Event.Broken it ? it.machine() : -1;
    }
}
