/**
 * Replica sets for JUnit tests: {@link dev.leasehold.replicaset.junit.WithReplicaSet} for the one that all tests of a
 * run share, {@link dev.leasehold.replicaset.junit.WithOwnReplicaSet} for one to do faults to.
 */
@NullMarked
package dev.leasehold.replicaset.junit;

import org.jspecify.annotations.NullMarked;
