package dev.leasehold.replicaset;

/** How it went with one {@link MongodSource}. */
sealed interface StartAttempt {

    /** {@code said} completes the sentence "using ..." and must not contain a password. */
    record Found(Server server, String said) implements StartAttempt {}

    /** {@code reason} tells a user that wanted this way what to repair. */
    record NotFound(String reason) implements StartAttempt {}
}
