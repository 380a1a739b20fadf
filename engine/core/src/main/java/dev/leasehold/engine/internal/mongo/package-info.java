/**
 * The lease store on a MongoDB replica set or sharded cluster, with the synchronous driver.
 *
 * <ul>
 * <li>{@link dev.leasehold.engine.internal.mongo.MongoLeaseStore} is the store, {@link
 *     dev.leasehold.engine.internal.mongo.StoreInitializer} opens it.
 * <li>{@link dev.leasehold.engine.internal.mongo.Guards} holds the conditions of all writes, {@link
 *     dev.leasehold.engine.internal.mongo.Updates} their update operators.
 * <li>The codecs decode stored documents, or report what is wrong with them.
 * <li>{@link dev.leasehold.engine.internal.mongo.SingleWrites} writes the clock document or leases without a
 *     transaction.
 * <li>{@link dev.leasehold.engine.internal.mongo.ChangeStream} reports changes by other engines.
 * <li>{@link dev.leasehold.engine.internal.mongo.IdleTransactions} lists and ends transactions that dead engines left
 *     open.
 * <li>{@link dev.leasehold.engine.internal.mongo.ErrorKind} classifies the driver's exceptions, and {@link
 *     dev.leasehold.engine.internal.mongo.ErrorMapper} maps them to outcomes.
 * </ul>
 *
 * <p>This package does not decide when a lease may be acquired or when a transaction is stuck. It has no clock, no
 * thread and no waiting besides the driver's.
 */
@NullMarked
package dev.leasehold.engine.internal.mongo;

import org.jspecify.annotations.NullMarked;
