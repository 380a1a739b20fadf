package dev.leasehold.replicaset;

/** Another process took the port between its choice and its use: another one may be tried. */
final class PortTakenException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    PortTakenException(String message) {
        super(message);
    }
}
