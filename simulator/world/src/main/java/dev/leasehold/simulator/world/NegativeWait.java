package dev.leasehold.simulator.world;

import dev.leasehold.simulator.history.Event;

/** Where real threads would not wait, an engine that asks for less than nothing has miscalculated. */
public final class NegativeWait {

    private NegativeWait() {}

    /** Writes it down, if it is one. What was asked for goes on as if it were no wait at all. */
    public static void record(Program program, long waitNanos) {
        if (waitNanos < 0) {
            program.world()
                    .record(new Event.Broken(
                            program.world().nowNanos(),
                            program.host().number(),
                            "it asked for a wait of " + waitNanos + " ns"));
        }
    }
}
