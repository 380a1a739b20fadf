/**
 * What may be done, decided by pure functions: what was seen, what is asked and what time it is, to a refusal or a
 * guarded write. No input or output, no clock, no thread.
 *
 * <p>{@link dev.leasehold.engine.internal.rules.Preconditions} lists what must hold; {@link
 * dev.leasehold.engine.internal.rules.LeaseRules} says for each operation which of them it needs, and {@link
 * dev.leasehold.engine.internal.rules.LeaseWrites} what it writes and on what that rests.
 */
@NullMarked
package dev.leasehold.engine.internal.rules;

import org.jspecify.annotations.NullMarked;
