/**
 * Tells what happened in a history: as text with a line per event, as a hash that two runs of a plan must share, as a picture that
 * explains a broken promise, as a test that repeats it, and as figures over many histories. Everything here reads and never judges.
 */
@NullMarked
package dev.leasehold.simulator.report;

import org.jspecify.annotations.NullMarked;
