/**
 * Decides what an engine may do, by pure functions: from an observation, a request and the time to a refusal or a
 * guarded write. No I/O, no clock, no thread.
 *
 * <p>{@link dev.leasehold.engine.internal.rules.Preconditions} names the conditions, {@link
 * dev.leasehold.engine.internal.rules.LeaseRules} applies them for each operation, and {@link
 * dev.leasehold.engine.internal.rules.LeaseWrites} builds the write and its dependency.
 */
@NullMarked
package dev.leasehold.engine.internal.rules;

import org.jspecify.annotations.NullMarked;
