/**
 * The rules of the priority mutex, without threads, clocks and documents: from a state, an event and the time since the last one, the next
 * state and the answer.
 *
 * <p><b>Clock.</b> Each provider has a clock of its own, kept in its state: the time for which a replica has served it. An event moves it
 * on by what the serving replica's monotonic clock has counted since the last one. A replica that takes the provider over goes on with the
 * value that was written last; the time in between is not counted. So a window is never shortened, a holder never starts again from zero,
 * and no two machines' clocks are compared. All times in a state are values of that clock, in nanoseconds.
 */
@NullMarked
package dev.leasehold.mergequeue.queue;

import org.jspecify.annotations.NullMarked;
