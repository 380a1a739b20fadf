/**
 * A lease for Apache Pekko's coordination module, kept in MongoDB: for Cluster Singleton, Cluster Sharding, the split brain resolver, and
 * code of one's own.
 *
 * <p>Usually it is enough to name it in the configuration, and code needs no class of this package:
 *
 * <pre>
 * leasehold.pekko.connection-string = "mongodb://db1,db2,db3/?replicaSet=rs0"
 * pekko.cluster.singleton.use-lease = "leasehold.pekko"
 * </pre>
 *
 * <p>{@link dev.leasehold.pekko.LeaseholdLease} gives the fencing token and the assertion of a lease, {@link
 * dev.leasehold.pekko.LeaseholdSetup} passes a client of the application to it.
 *
 * <p>What is guaranteed is what Leasehold guarantees: while {@code checkLease} is true on one node, it is on no other, as long as clock rates
 * keep within the drift; and a transaction that carries the assertion commits only under the tenure that it asserts, whatever clocks do.
 */
@NullMarked
package dev.leasehold.pekko;

import org.jspecify.annotations.NullMarked;
