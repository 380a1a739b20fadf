/**
 * Decides what an engine may do, by pure functions: from an observation, a request and the time to a refusal or a
 * guarded write. No I/O, no clock, no thread.
 *
 * <p>{@link dev.leasehold.engine.internal.rules.Preconditions} names the conditions, {@link
 * dev.leasehold.engine.internal.rules.LeaseRules} applies them for each operation, and {@link
 * dev.leasehold.engine.internal.rules.LeaseWrites} builds the write and its dependency.
 *
 * <p>What an engine keeps of its reads has a word each. The <b>cache</b> ({@link dev.leasehold.engine.internal.rules.LeaseCache}) has leases
 * as last read. A <b>sight</b> ({@link dev.leasehold.engine.internal.rules.WriterSights}) is the newest stamp of a writer, with the local time of
 * the first read that showed it. A <b>look</b> is the periodic read of the newest stamps of all writers, which brings nothing but sights.
 */
@NullMarked
package dev.leasehold.engine.internal.rules;

import org.jspecify.annotations.NullMarked;
