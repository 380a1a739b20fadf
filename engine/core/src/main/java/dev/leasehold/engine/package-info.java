/**
 * Leases in MongoDB, for services that already use MongoDB.
 *
 * <p><b>What is not guaranteed.</b> Machines do not agree about the time. A paused process can act as holder a moment
 * too long if its clocks were stopped too. A lease need not be free soon after its expiry. A write to anything but this
 * MongoDB can come late.
 *
 * <p><b>What is.</b> Two things, always to be kept apart.
 *
 * <p>Inside the database: a transaction of the caller that carries the {@linkplain
 * dev.leasehold.assertions.LeaseAssertion assertion} of a tenure commits only if that tenure was not ended by a write and
 * no other tenure of the lease began before. No clock takes part in this.
 *
 * <p>Outside the database: two holders never both see {@link dev.leasehold.engine.Lease#isHeld()} true, provided that
 * clock <em>rates</em> keep within the configured drift and no order ends the tenure. What the clocks show does not
 * matter: every expiry is counted on the clock of the engine that wrote it, other engines wait until that clock has
 * certainly passed it, and no time of day is compared between machines. For outside systems that can compare numbers,
 * the token of a tenure is a fencing token: it grows with every tenure.
 *
 * <p>Start at {@link dev.leasehold.engine.LeaseEngine#builder}.
 */
@NullMarked
package dev.leasehold.engine;

import org.jspecify.annotations.NullMarked;
