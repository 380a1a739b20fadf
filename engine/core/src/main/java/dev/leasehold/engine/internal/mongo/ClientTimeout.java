package dev.leasehold.engine.internal.mongo;

import org.jspecify.annotations.Nullable;

/** The timeout that the application may have set on its client. */
final class ClientTimeout {

    private ClientTimeout() {}

    /** Null if there is none. To the driver, 0 means none too, and it then sends no limit of its own. */
    static @Nullable Long millis(@Nullable Long setMillis) {
        return setMillis == null || setMillis == 0 ? null : setMillis;
    }
}
