/**
 * A MongoDB of one's own, without a server: a primary that keeps versions of documents, the majority that follows it, and the clients
 * of both. The engine sees it as its {@link dev.leasehold.engine.internal.store.LeaseStore}, callers as the driver's session and collection.
 *
 * <p>What the primary does, it does at one instant of true time; whatever takes time is the wire's, the replication's, or a wait for
 * another process. A suite of cases runs against it and against a real replica set, which decides.
 */
@NullMarked
package dev.leasehold.simulator.store;

import org.jspecify.annotations.NullMarked;
