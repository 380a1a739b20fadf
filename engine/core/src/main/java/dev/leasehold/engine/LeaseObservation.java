package dev.leasehold.engine;

/**
 * A listener that an engine tells how a lease stands, until this is closed: see {@link LeaseEngine#observe}. Closing the engine ends it
 * too.
 *
 * <p>Safe for use by many threads. Made to be used, not to be implemented: methods may be added in any version.
 */
public interface LeaseObservation extends AutoCloseable {

    /** {@return the name of the observed lease} */
    String name();

    /**
     * Ends the observation: no further call of the listener begins. One that runs already is not waited for. Never blocks, does no I/O; a
     * second call has no effect.
     */
    @Override
    void close();
}
