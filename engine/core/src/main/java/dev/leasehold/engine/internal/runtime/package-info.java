/**
 * Time, randomness, waiting and background threads: everything that differs from run to run, apart from the database.
 *
 * <p>The engine uses no other source of any of them, so that it runs unmodified in a simulation with simulated time.
 */
@NullMarked
package dev.leasehold.engine.internal.runtime;

import org.jspecify.annotations.NullMarked;
