package dev.leasehold.engine.internal.mongo;

import org.jspecify.annotations.Nullable;

/** The timeout that the application may have set on its client. */
final class ClientTimeout {

    private ClientTimeout() {}

    /** Null where there is none: to the driver, 0 means that too, and it sends no limit of its own then. */
    static @Nullable Long millis(@Nullable Long setMillis) {
        return setMillis == null || setMillis == 0 ? null : setMillis;
    }
}
