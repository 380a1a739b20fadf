/**
 * Keeps the documents writable when a transaction was left open: by another engine that was killed or paused, or by
 * this one whose abort was lost. {@link dev.leasehold.engine.internal.recovery.RecoveringStore} puts the parts
 * together.
 */
@NullMarked
package dev.leasehold.engine.internal.recovery;

import org.jspecify.annotations.NullMarked;
