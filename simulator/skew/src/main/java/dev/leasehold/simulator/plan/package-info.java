/**
 * A history before it happens: machines with their clocks, the conditions of the network and the database, and what is done when. Plain data, drawn
 * from a seed, written as JSON, and shrunk when it breaks an invariant. Knows nothing of the engine.
 *
 * <p>All instants are nanoseconds of true time, which only the simulation and the checker see; it starts at 0.
 */
@NullMarked
package dev.leasehold.simulator.plan;

import org.jspecify.annotations.NullMarked;
