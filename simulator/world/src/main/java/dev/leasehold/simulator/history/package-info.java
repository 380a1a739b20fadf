/**
 * What happened when a plan was played, in true time: what machines asked and were answered, what the database stored, and what
 * until when tenures were valid. It is written by the side that plays and read by the side that checks, and knows neither.
 */
@NullMarked
package dev.leasehold.simulator.history;

import org.jspecify.annotations.NullMarked;
