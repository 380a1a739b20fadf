package dev.leasehold.simulator.store;

import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.world.Wire;
import dev.leasehold.simulator.world.World;

/**
 * What clients of the database share.
 *
 * @param world in which it lives
 * @param wire to it
 * @param primary which carries out what arrives
 * @param versions what it has written
 * @param commandNanos how patient clients are
 * @param watchNanos for how long a change stream is asked at a time
 * @param watches whether change streams work
 */
record Server(
        World world,
        Wire wire,
        Primary primary,
        Versions versions,
        long commandNanos,
        long watchNanos,
        boolean watches) {

    void reached(int machine, String mark) {
        world.record(new Event.Reached(world.nowNanos(), machine, mark));
    }
}
