/**
 * Says for a user's own durations how late a take-over comes and what becomes of gated transactions. Every figure is taken from
 * histories that the real engine was played in; a computed bound stands beside it for comparison only.
 */
@NullMarked
package dev.leasehold.simulator.estimate;

import org.jspecify.annotations.NullMarked;
