/**
 * The global lock pattern: one of several workers does something, for a duration at the longest, and its token tells others whether it
 * still may.
 *
 * <p>{@code GlobalLock} is the full pattern, {@code FencedObject} the simple one on a single object, and {@code FileStore} a resource
 * outside of the database that compares tokens. {@code TimeOfDayLock} is the simple pattern as it is often written; it is here to show how
 * it fails. {@code GlobalLockStory} runs them all.
 */
@NullMarked
package dev.leasehold.examples.globallock;

import org.jspecify.annotations.NullMarked;
