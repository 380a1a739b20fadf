package dev.leasehold.simulator.world;

import dev.leasehold.simulator.history.Event;

/** Where real threads would not wait, an engine that asks for less than nothing has miscalculated. */
public final class NegativeWait {

    private NegativeWait() {}

    /** Writes it down, if it is one. What was asked for goes on as if it were no wait at all. */
    public static void record(SimulatedProcess simulatedProcess, long waitNanos) {
        if (waitNanos < 0) {
            simulatedProcess
                    .simulation()
                    .record(new Event.Broken(
                            simulatedProcess.simulation().nowNanos(),
                            simulatedProcess.simulatedMachine().number(),
                            "it asked for a wait of " + waitNanos + " ns"));
        }
    }
}
