/**
 * Waiting for leases: the acquires of this engine in {@link dev.leasehold.engine.internal.queue.AcquireQueue}, one for each lease, and their
 * tickets in the queue that all engines share in the database.
 */
@NullMarked
package dev.leasehold.engine.internal.queue;

import org.jspecify.annotations.NullMarked;
