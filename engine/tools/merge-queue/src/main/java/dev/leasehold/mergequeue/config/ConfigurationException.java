package dev.leasehold.mergequeue.config;

/** A configuration that is refused. The message names the line and says what would do. */
public final class ConfigurationException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ConfigurationException(String message) {
        super(message);
    }

    static ConfigurationException at(int line, String message) {
        return new ConfigurationException("line " + line + ": " + message);
    }
}
