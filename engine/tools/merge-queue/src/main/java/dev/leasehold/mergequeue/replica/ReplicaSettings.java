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
public record ReplicaSettings(String database, URI address, Duration sessionLength) {

    /** {@return what the engine gives a command: two of them leave a third of the session for the renewal after one that was late} */
    public Duration commandBudget() {
        return sessionLength.dividedBy(3);
    }
}
