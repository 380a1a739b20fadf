/**
 * Leases in MongoDB, for services that already use MongoDB.
 *
 * <p><b>What is not guaranteed.</b> Machines may disagree about the time. If the clocks of a process stand still while it is
 * paused, it can act as holder a moment too long. A lease need not become free soon after its expiry. A write to any other
 * system than this MongoDB can come late.
 *
 * <p><b>What is guaranteed.</b> There are two guarantees, one inside the database and one outside it.
 *
 * <p>Inside the database: a transaction of the caller that carries the {@linkplain
 * dev.leasehold.assertions.LeaseAssertion assertion} of a tenure commits only if no write has ended that tenure and no other
 * tenure of the lease has begun before. This depends on no clock.
 *
 * <p>Outside the database: two holders never both see {@link dev.leasehold.engine.Lease#isHeld()} true, provided that
 * clock <em>rates</em> keep within the configured drift and no operator ends the tenure. It does not matter which time the
 * clocks show: every expiry is counted on the clock of the engine that wrote it, other engines wait until that clock has
 * certainly passed it, and no time of day is compared between machines. For other systems that can compare numbers, the token
 * of a tenure is a fencing token: it grows with every tenure.
 *
 * <p>Start at {@link dev.leasehold.engine.LeaseEngine#builder}.
 */
@NullMarked
package dev.leasehold.engine;

import org.jspecify.annotations.NullMarked;
