/**
 * What happened when a plan was played, in true time: what machines asked and were answered, what the database stored, and what
 * engines believed. It is written by the side that plays and read by the side that judges, and knows neither.
 */
@NullMarked
package dev.leasehold.simulator.history;

import org.jspecify.annotations.NullMarked;
