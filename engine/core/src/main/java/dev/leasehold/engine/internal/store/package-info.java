/**
 * The interface between the engine and the database: stored documents, requests and their outcomes.
 *
 * <p>The types here carry documents, guards and outcomes. They do not decide when a lease may be acquired. {@link
 * dev.leasehold.engine.internal.store.ForwardingStore} is the base of stores that add behaviour to another store.
 */
@NullMarked
package dev.leasehold.engine.internal.store;

import org.jspecify.annotations.NullMarked;
