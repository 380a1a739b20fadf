/**
 * The path of an operation to the database: it is submitted, queued, decided, written in a transaction that it may share
 * with others, and retried until its deadline.
 *
 * <ol>
 *   <li>{@link dev.leasehold.engine.internal.commit.Operations} submits it, and waits for its answer.
 *   <li>{@link dev.leasehold.engine.internal.partition.PartitionRouter} finds the engine of its partition.
 *   <li>{@link dev.leasehold.engine.internal.commit.CommitLoop} carries it out in a round.
 *   <li>{@link dev.leasehold.engine.internal.commit.UnknownOutcome} resolves a write without an answer.
 * </ol>
 *
 * <p>{@link dev.leasehold.engine.internal.commit.LeaseReader} serves callers that only read.
 *
 * <p>Everything here runs on the engine thread of the partition, one task after the other; other threads submit
 * operations and read validities. Transactions never run on a caller's thread: with its interrupt flag set, the driver
 * would send neither commit nor abort, and the clock document would stay blocked.
 */
@NullMarked
package dev.leasehold.engine.internal.commit;

import org.jspecify.annotations.NullMarked;
