package dev.leasehold.engine.store;

/**
 * The document must still be the one that was seen: last written by this writer at this stamp.
 *
 * <p>A writer is never reused and its stamps strictly increase, so the pair never comes back, not even for a document
 * that was removed and made again.
 *
 * @param writer who wrote it
 * @param writtenNanos at which of its stamps
 */
public record LeaseGuard(String writer, long writtenNanos) {}
