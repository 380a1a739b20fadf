package dev.leasehold.simulator.store;

import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.world.SimulatedNetwork;
import dev.leasehold.simulator.world.Simulation;

/**
 * What clients of the database share.
 *
 * @param simulation in which it lives
 * @param simulatedNetwork to it
 * @param primary which carries out what arrives
 * @param versions what it has written
 * @param commandNanos how patient clients are
 * @param watchNanos for how long a change stream is asked at a time
 * @param watches whether change streams work
 */
record Server(
        Simulation simulation,
        SimulatedNetwork simulatedNetwork,
        Primary primary,
        Versions versions,
        long commandNanos,
        long watchNanos,
        boolean watches) {

    void reached(int machine, String mark) {
        simulation.record(new Event.Reached(simulation.nowNanos(), machine, mark));
    }
}
