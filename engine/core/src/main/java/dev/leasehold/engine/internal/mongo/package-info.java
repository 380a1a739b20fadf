/**
 * The lease store on a MongoDB replica set or sharded cluster, with the synchronous driver.
 *
 * <p>{@link dev.leasehold.engine.internal.mongo.MongoLeaseStore} is the store. {@link dev.leasehold.engine.internal.mongo.Guards} holds
 * all conditions under which anything is written, {@link dev.leasehold.engine.internal.mongo.Updates} what is written then. The
 * codecs turn what is stored into values, or say what is wrong with it. {@link dev.leasehold.engine.internal.mongo.SingleWrites}
 * writes the clock document or leases without a transaction, {@link dev.leasehold.engine.internal.mongo.ChangeStream} tells what others
 * have ended, and {@link dev.leasehold.engine.internal.mongo.IdleTransactions} lists and ends what dead engines have left open.
 * {@link dev.leasehold.engine.internal.mongo.ErrorKind} tells the driver's exceptions apart, and {@link
 * dev.leasehold.engine.internal.mongo.ErrorMapper} what may be concluded from each.
 *
 * <p>Nothing here knows when a lease may be taken, or when a transaction is stuck. There is no clock, no thread and no
 * waiting besides the driver's.
 */
@NullMarked
package dev.leasehold.engine.internal.mongo;

import org.jspecify.annotations.NullMarked;
