/**
 * An engine in one partition of a namespace, {@link dev.leasehold.engine.internal.partition.PartitionEngine}, which puts the floors below together,
 * and the way to the partition of a lease, {@link dev.leasehold.engine.internal.partition.PartitionRouter}.
 */
@NullMarked
package dev.leasehold.engine.internal.partition;

import org.jspecify.annotations.NullMarked;
