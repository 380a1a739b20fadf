package dev.leasehold.engine.internal.rules;

/**
 * Names a ticket for ever.
 *
 * @param writer the engine that waits
 * @param stampNanos that engine's stamp of the round that sent it first
 */
public record TicketId(String writer, long stampNanos) {}
