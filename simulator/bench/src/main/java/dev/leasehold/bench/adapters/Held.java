package dev.leasehold.bench.adapters;

/** A lock that is held. */
public interface Held {

    /**
     * Releases it. Returns when it is free, or when the library takes it for free.
     *
     * @throws Exception whatever the library throws; the measurement ends with it
     */
    void release() throws Exception;
}
