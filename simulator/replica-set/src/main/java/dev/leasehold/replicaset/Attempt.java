package dev.leasehold.replicaset;

/** How it went with one {@link Way}. */
sealed interface Attempt {

    /** {@code said} completes the sentence "using ..." and must not contain a password. */
    record Found(Server server, String said) implements Attempt {}

    /** {@code reason} tells somebody who wanted this way what to mend. */
    record NotFound(String reason) implements Attempt {}
}
