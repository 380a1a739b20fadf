/**
 * The way of an operation to the database: it waits its turn, is decided, shares a transaction with others, and is
 * tried again while its time lasts.
 *
 * <p>{@link dev.leasehold.engine.internal.commit.CommitLoop} goes that way. What lies beside it: {@link
 * dev.leasehold.engine.internal.commit.UnknownOutcome} finds out what became of a commit without an answer, {@link
 * dev.leasehold.engine.internal.recovery.RecoveringStore} ends transactions that engines left open, {@link
 * dev.leasehold.engine.internal.commit.ReadLoop} are for callers who only look, and {@link dev.leasehold.engine.internal.commit.ClockProbe} is for the
 * meters. {@link dev.leasehold.engine.internal.session.Session} keeps all session leases by heartbeats, {@link
 * dev.leasehold.engine.internal.session.WriterRegistration} knows under which writer the engine writes, and {@link
 * dev.leasehold.engine.internal.session.ValidityTracker} what may be believed by that, and tells of what is lost.
 *
 * <p>Everything here runs on the engine's own thread, one thing after the other; other threads hand over operations, and ask what
 * is believed.
 * Transactions never run on a caller's thread: with its interrupt flag set the driver would send neither commit nor
 * abort, and the clock document would stay blocked.
 */
@NullMarked
package dev.leasehold.engine.internal.commit;

import org.jspecify.annotations.NullMarked;
