/**
 * The session of an engine in one partition: its writer's entry in the clock document, its heartbeats, and until when this process may act as
 * the holder of what it holds.
 *
 * <p>{@link dev.leasehold.engine.internal.session.Session} registers the writer and decides when the next heartbeat is due, and {@link
 * dev.leasehold.engine.internal.session.ValidityTracker} keeps the validities. The engine thread of the partition writes them; any thread may
 * ask whether a tenure is valid.
 */
@NullMarked
package dev.leasehold.engine.internal.session;

import org.jspecify.annotations.NullMarked;
