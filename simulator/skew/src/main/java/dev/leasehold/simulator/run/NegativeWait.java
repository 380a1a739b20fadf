package dev.leasehold.simulator.run;

import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.world.Program;

/** Where real threads would not wait, an engine that asks for less than nothing has miscalculated. */
final class NegativeWait {

    private NegativeWait() {}

    /** Writes it down, if it is one. What was asked for goes on as if it were no wait at all. */
    static void record(Program program, long waitNanos) {
        if (waitNanos < 0) {
            program.world()
                    .record(new Event.Broken(
                            program.world().nowNanos(),
                            program.host().number(),
                            "it asked for a wait of " + waitNanos + " ns"));
        }
    }
}
