package dev.leasehold.engine.internal.store;

/**
 * The document must still be the one that was read: last written by this writer at this stamp, and with this token.
 *
 * <p>A writer is never reused and its stamps strictly increase, so the pair recurs only where a ticket is granted again after the first grant was
 * ended unheard; then the token tells the two apart. A token that was changed by hand, by value or by type, must not be overwritten, because
 * tokens would go back.
 */
public record LeaseGuard(String writer, long writtenNanos, long token) {}
