/**
 * Leases for Spring: methods that run while a lease is held, leaders, and transactions that commit only under a lease.
 *
 * <p>Start with {@link dev.leasehold.spring.Leased}.
 */
@NullMarked
package dev.leasehold.spring;

import org.jspecify.annotations.NullMarked;
