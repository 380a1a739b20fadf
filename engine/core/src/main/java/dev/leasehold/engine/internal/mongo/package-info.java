/**
 * The lease store on a MongoDB replica set or sharded cluster, with the synchronous driver.
 *
 * <p>{@link dev.leasehold.engine.internal.mongo.MongoLeaseStore} is the store. {@link
 * dev.leasehold.engine.internal.mongo.Guards} holds the conditions of all writes, {@link
 * dev.leasehold.engine.internal.mongo.Updates} their update operators. The codecs decode stored documents, or report what
 * is wrong with them. {@link dev.leasehold.engine.internal.mongo.ErrorKind} classifies the driver's exceptions, and {@link
 * dev.leasehold.engine.internal.mongo.ErrorMapper} maps them to outcomes.
 *
 * <p>This package does not decide when a lease may be acquired or when a transaction is stuck. It has no clock, no
 * thread and no waiting besides the driver's.
 */
@NullMarked
package dev.leasehold.engine.internal.mongo;

import org.jspecify.annotations.NullMarked;
