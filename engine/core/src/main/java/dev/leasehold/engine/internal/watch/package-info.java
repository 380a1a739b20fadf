/**
 * How an engine learns what others have done to leases: {@link dev.leasehold.engine.internal.watch.ChangeWatcher} follows the change stream, {@link
 * dev.leasehold.engine.internal.watch.LeasePoller} reads what no change reports, and {@link
 * dev.leasehold.engine.internal.watch.LeaseObservers} tells callers.
 */
@NullMarked
package dev.leasehold.engine.internal.watch;

import org.jspecify.annotations.NullMarked;
