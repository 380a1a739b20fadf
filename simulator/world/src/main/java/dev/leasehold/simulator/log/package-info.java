/** Hears what the programs of a world log. It is the same for all copies of the engine. */
@NullMarked
package dev.leasehold.simulator.log;

import org.jspecify.annotations.NullMarked;
