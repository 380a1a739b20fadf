package dev.leasehold.engine.internal.store;

/**
 * The document must still be the one that was seen: last written by this writer at this stamp, and with this token.
 *
 * <p>A writer is never reused and its stamps strictly increase, so the pair never comes back, not even for a document
 * that was removed and made again. Engines change the token with the stamp alone; one that was changed by hand, by value or by type, must
 * not be written over, since tokens would go back.
 *
 * @param writer who wrote it
 * @param writtenNanos at which of its stamps
 * @param token the token that it has, an int64
 */
public record LeaseGuard(String writer, long writtenNanos, long token) {}
