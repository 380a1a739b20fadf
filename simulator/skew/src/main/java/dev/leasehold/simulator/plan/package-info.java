/**
 * A history before it happens: machines with their clocks, the weather of the network, and what is done when. Plain data, drawn
 * from a seed, written as JSON, and shrunk when it breaks a promise. Knows nothing of the engine.
 *
 * <p>All instants are nanoseconds of true time, which only the world and the judges see; it starts at 0.
 */
@NullMarked
package dev.leasehold.simulator.plan;

import org.jspecify.annotations.NullMarked;
