/**
 * Time, chance, waiting and background work: everything that differs from run to run, other than the database.
 *
 * <p>The engine has no other way to any of them, so that it runs unmodified in a world where time is moved by hand.
 */
@NullMarked
package dev.leasehold.engine.internal.runtime;

import org.jspecify.annotations.NullMarked;
