package dev.leasehold.mergequeue.replica;

/** A pattern in the configuration fits any number of branches; a replica stands for only so many. */
public final class TooManyProvidersException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    TooManyProvidersException(int providersMax) {
        super("this replica serves " + providersMax + " providers already, and takes no further one");
    }
}
