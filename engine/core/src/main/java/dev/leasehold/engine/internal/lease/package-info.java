/**
 * The entrance for callers that want leases. {@link dev.leasehold.engine.internal.lease.LeaseManager} puts the wait queues, the held leases and the
 * watch on one event loop, and closes them together.
 */
@NullMarked
package dev.leasehold.engine.internal.lease;

import org.jspecify.annotations.NullMarked;
