/** What holds in a world, and what befalls it: plain data, and numbers drawn from a seed. Knows nothing of the processes that take part. */
@NullMarked
package dev.leasehold.simulator.conditions;

import org.jspecify.annotations.NullMarked;
