/**
 * Plays many histories, one after the other or several at a time, and says what came of them: which invariant was broken first and by
 * how small a plan, what was reached, and whether everything repeats. How many jobs share the work makes no difference to the result.
 */
@NullMarked
package dev.leasehold.simulator.batch;

import org.jspecify.annotations.NullMarked;
