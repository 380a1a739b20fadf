package dev.leasehold.engine.internal.store;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One writer in the clock document. */
public sealed interface WriterEntry {

    String writer();

    /**
     * An entry that follows the schema.
     *
     * @param timeNanos its newest acknowledged stamp
     * @param transactionNanos the stamp of its newest transaction, which nothing else sets; null before the first
     * @param sessionNanos its session length; null without a session
     * @param driverSession the driver session of its transactions; null once it was closed
     */
    record Sound(
            String writer,
            long timeNanos,
            @Nullable Long transactionNanos,
            @Nullable Long sessionNanos,
            @Nullable UUID driverSession)
            implements WriterEntry {}

    /** An entry with an invalid field, and what was found there. All leases of this writer are unusable. */
    record Corrupt(String writer, String field, String found) implements WriterEntry {}
}
