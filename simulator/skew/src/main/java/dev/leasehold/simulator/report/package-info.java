/**
 * Tells what happened in a history: as text with a line per event, as a hash that two runs of a plan must share, as a picture that
 * explains a broken invariant, as a test that repeats it, and as figures over many histories. Everything here reads, and checks nothing.
 */
@NullMarked
package dev.leasehold.simulator.report;

import org.jspecify.annotations.NullMarked;
