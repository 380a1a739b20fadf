/**
 * Judges histories by the promises of the specification, G1 to G8, and by nothing else: it knows neither the engine nor how it
 * computes. It sees true time, every commit, every answer and every change of belief.
 */
@NullMarked
package dev.leasehold.simulator.check;

import org.jspecify.annotations.NullMarked;
