/**
 * Leases that this engine holds: their handles, their renewal, their loss and their release. A held lease begins with a grant in {@link
 * dev.leasehold.engine.internal.held.HeldLeases}, and {@link dev.leasehold.engine.internal.held.Releaser} ends its tenure. Knows neither documents
 * nor transactions.
 */
@NullMarked
package dev.leasehold.engine.internal.held;

import org.jspecify.annotations.NullMarked;
