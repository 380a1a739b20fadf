/** Hears what the engine logs, which otherwise nothing reads here. It is the same for all copies of the engine. */
@NullMarked
package dev.leasehold.simulator.logging;

import org.jspecify.annotations.NullMarked;
