package dev.leasehold.mergequeue.store;

/** The document of a provider is not what this service writes. It harms no other provider. */
public final class DamagedStateException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    DamagedStateException(String provider, RuntimeException cause) {
        super("the document of provider '" + provider + "' cannot be read: " + cause.getMessage(), cause);
    }
}
