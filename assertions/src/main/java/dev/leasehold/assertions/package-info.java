/**
 * What a caller puts into its own MongoDB transaction, so that the transaction commits only if a lease is still held.
 *
 * <h2>What is not guaranteed</h2>
 *
 * <p>Nothing outside the database. A mail, a file or a call to another service is not taken back if the transaction
 * fails, and may come after another holder has taken the lease. Nothing about single writes outside a transaction
 * either: for those, {@link dev.leasehold.assertions.LeaseFence} gives a weaker protection, of one document at a time.
 *
 * <p>Nothing about time. The assertion of a lease past its expiry, or of an ended session, still passes until another
 * holder takes the lease: until then no other process holds it. So a commit does not mean that the lease had time left.
 *
 * <p>Nothing beyond the write concern of the caller's transaction. With less than {@code majority} a commit that was
 * reported can be lost in a fail-over, the assertion together with all else.
 *
 * <h2>What is guaranteed</h2>
 *
 * <p>A transaction that carries {@link dev.leasehold.assertions.LeaseAssertion} commits only if no other tenure of the
 * lease began before it committed, and no write made the lease vacant. A new tenure of the same holder is another
 * tenure. No clock takes part in this: not that of the caller, of the server, or of the next holder.
 *
 * <p>The reason is that the assertion <em>writes</em>. It adds 1 to a counter in the lease document, under a filter
 * with the holder and the token. Every change of tenure writes the same document, and of two transactions that write
 * one document MongoDB lets only one go on. A read would see an older state and stop nothing. A lease with gate stripes
 * has several such documents: an assertion writes one of them, and a change of tenure writes all.
 *
 * <p>{@link dev.leasehold.assertions.LeaseAssertion#once} adds the record of an occurrence to the transaction. At most one transaction with
 * the record of one occurrence commits, since the record has one id.
 *
 * <h2>In use</h2>
 *
 * <pre>{@code
 * LeaseAssertion assertion = LeaseAssertion.of(tenure, leases);
 * try (ClientSession session = client.startSession()) {
 *     session.withTransaction(() -> {
 *         assertion.check(session);
 *         return accounts.updateOne(session, eq("_id", account), inc("balance", amount));
 *     });
 * }
 * }</pre>
 *
 * <p>The driver runs the body again after a write conflict. The body must then assert the <em>original</em> tenure, as above,
 * where the assertion is made outside the body. A body that looks up the present tenure each time could pass under a later
 * tenure, although its work was prepared under an earlier one.
 */
@NullMarked
package dev.leasehold.assertions;

import org.jspecify.annotations.NullMarked;
