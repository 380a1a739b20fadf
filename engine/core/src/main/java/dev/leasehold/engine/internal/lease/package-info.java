/**
 * Leases as callers see them: handles that are kept by renewal or by the session, loss callbacks, wait queues for leases that others hold,
 * and leader elections. Uses operations of the engine below, and knows neither documents nor transactions. All state belongs to one event
 * loop that does no I/O.
 */
@NullMarked
package dev.leasehold.engine.internal.lease;

import org.jspecify.annotations.NullMarked;
