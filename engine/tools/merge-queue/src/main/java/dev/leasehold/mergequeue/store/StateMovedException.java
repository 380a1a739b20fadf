package dev.leasehold.mergequeue.store;

/** The document is not the one that was read: a write whose outcome was unknown has taken effect meanwhile. Nothing was written. */
public final class StateMovedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    StateMovedException(String provider, long version) {
        super("the document of provider '" + provider + "' is not at version " + version + " any more");
    }
}
