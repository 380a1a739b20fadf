/**
 * The one seam to the database: what is stored, what may be asked of it, and what it can answer.
 *
 * <p>The types here say nothing about when a lease may be taken; they only carry documents, guards and verdicts. Whoever
 * wants to add something to a few methods of a store begins with {@link dev.leasehold.engine.internal.store.ForwardingStore}.
 */
@NullMarked
package dev.leasehold.engine.internal.store;

import org.jspecify.annotations.NullMarked;
