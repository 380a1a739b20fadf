/**
 * The path of an operation to the database: it is queued, decided, written in a transaction that it may share with
 * others, and retried until its deadline.
 *
 * <ul>
 *   <li>{@link dev.leasehold.engine.internal.commit.CommitLoop} runs that path.
 *   <li>{@link dev.leasehold.engine.internal.commit.UnknownOutcome} resolves a write without an answer.
 *   <li>{@link dev.leasehold.engine.internal.commit.ReadLoop} serves callers that only read.
 *   <li>{@link dev.leasehold.engine.internal.commit.ClockProbe} reads the clock document for the metrics.
 *   <li>{@link dev.leasehold.engine.internal.recovery.RecoveringStore} ends transactions that engines left open.
 *   <li>{@link dev.leasehold.engine.internal.session.Session} keeps all session leases by heartbeats.
 *   <li>{@link dev.leasehold.engine.internal.session.WriterRegistration} knows the present writer and its entry.
 *   <li>{@link dev.leasehold.engine.internal.session.ValidityTracker} knows the validity of each tenure and reports
 *       losses.
 * </ul>
 *
 * <p>Everything here runs on the engine thread, one task after the other; other threads submit operations and read
 * validities. Transactions never run on a caller's thread: with its interrupt flag set, the driver would send neither
 * commit nor abort, and the clock document would stay blocked.
 */
@NullMarked
package dev.leasehold.engine.internal.commit;

import org.jspecify.annotations.NullMarked;
