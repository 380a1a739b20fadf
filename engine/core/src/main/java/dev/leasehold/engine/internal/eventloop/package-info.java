/**
 * The one event loop that owns the state of queues, held leases and observers, and {@link dev.leasehold.engine.internal.eventloop.Submission}, by
 * which its tasks send operations to the database and get their answers as tasks again. The loop does no I/O.
 */
@NullMarked
package dev.leasehold.engine.internal.eventloop;

import org.jspecify.annotations.NullMarked;
