/**
 * Judges a recorded history by the guarantees of the specification: what was asked of engines and answered, what the database
 * committed, and what processes took to be held. A {@link dev.leasehold.simulator.checker.Recording} says all of it; it may come from
 * the simulator or from real servers. Nothing here knows how an engine works. Each guarantee is an invariant, in a class of its own with
 * its sentence above it; what must come at last is bounded by {@link dev.leasehold.simulator.checker.LivenessBounds}.
 */
@NullMarked
package dev.leasehold.simulator.checker;

import org.jspecify.annotations.NullMarked;
