package dev.leasehold.operator;

/** What was asked for cannot be done as it was said. */
final class UsageException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UsageException(String message) {
        super(message);
    }
}
