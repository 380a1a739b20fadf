package dev.leasehold.mergequeue.replica;

import java.net.URI;
import java.time.Duration;

/**
 * What a replica is told about itself.
 *
 * @param database of the service
 * @param address under which other replicas reach this one
 * @param sessionLength after which others take over what a replica served that died
 */
public record ReplicaSettings(String database, URI address, Duration sessionLength) {}
