/**
 * The lease store on a MongoDB replica set or sharded cluster, with the synchronous driver.
 *
 * <p>{@link dev.leasehold.engine.internal.mongo.MongoLeaseStore} is the store; its parts read, write in a transaction, and
 * write single documents without one.
 *
 * <p>Neither this package nor those below it decide when a lease may be acquired or when a transaction is stuck. They have
 * no clock, no thread and no waiting besides the driver's.
 */
@NullMarked
package dev.leasehold.engine.internal.mongo;

import org.jspecify.annotations.NullMarked;
