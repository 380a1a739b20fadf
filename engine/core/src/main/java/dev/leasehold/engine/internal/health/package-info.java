/**
 * How an engine fares with its database: {@link dev.leasehold.engine.internal.health.StoreHealth} knows how the last command of a partition ended and
 * whether one is unanswered, and {@link dev.leasehold.engine.internal.health.HealthReport} is what a health check gets to see.
 *
 * <p>A partition asks whether a command is unanswered: then its thread takes no task of the event loop, and a heartbeat that is not sent
 * counts as failed. No decision about a lease depends on it. It needs no meters.
 */
@NullMarked
package dev.leasehold.engine.internal.health;

import org.jspecify.annotations.NullMarked;
