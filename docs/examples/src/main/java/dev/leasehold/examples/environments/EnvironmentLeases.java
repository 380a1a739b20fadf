package dev.leasehold.examples.environments;

/** Lets one instance at a time check an environment and begin something in it. Safe for use by many threads. */
public interface EnvironmentLeases {

    /**
     * Takes the lease of an environment, or says which instance has it. It lasts until it is closed, and at most for the configured
     * duration: nothing renews it.
     *
     * @param environment which one
     * @param action what it is for
     * @return to be closed as soon as it is recorded that the action has begun
     * @throws EnvironmentInUseException if another instance has it
     * @throws InterruptedException if the thread was interrupted; no lease is left behind
     */
    EnvironmentLease tryAcquire(String environment, Action action)
            throws EnvironmentInUseException, InterruptedException;
}
