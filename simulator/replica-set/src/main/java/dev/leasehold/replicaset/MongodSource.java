package dev.leasehold.replicaset;

/** One way to get a server. */
interface MongodSource {

    /** The name of the way in an error message. */
    String name();

    /**
     * Tries this way for a set with such settings.
     *
     * @throws ReplicaSetUnavailableException if the user asked for exactly this way and it does not work: no other
     *     way may stand in for it then
     */
    StartAttempt attempt(ReplicaSetSettings settings);
}
