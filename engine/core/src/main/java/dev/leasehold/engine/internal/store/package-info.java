/**
 * The one seam to the database: what is stored, what may be asked of it, and what it can answer.
 *
 * <p>The types here say nothing about when a lease may be taken; they only carry documents, guards and verdicts. {@link
 * dev.leasehold.engine.internal.store.ForwardingStore} is the base of stores that add something to another store.
 */
@NullMarked
package dev.leasehold.engine.internal.store;

import org.jspecify.annotations.NullMarked;
