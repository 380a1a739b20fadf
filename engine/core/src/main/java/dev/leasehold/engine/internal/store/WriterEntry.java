package dev.leasehold.engine.internal.store;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One writer in the clock document. */
public sealed interface WriterEntry {

    String writer();

    /**
     * An entry that keeps to the schema.
     *
     * @param writer whose entry it is
     * @param timeNanos its newest acknowledged stamp
     * @param transactionNanos the stamp of its newest transaction, which nothing else sets; null before the first
     * @param sessionNanos the length of its session; null without one
     * @param driverSession the driver session of its transactions; null once it was closed
     */
    record Sound(
            String writer,
            long timeNanos,
            @Nullable Long transactionNanos,
            @Nullable Long sessionNanos,
            @Nullable UUID driverSession)
            implements WriterEntry {}

    /**
     * An entry that breaks the schema; it makes the leases of this writer unusable.
     *
     * @param writer whose entry it is
     * @param field the field at fault
     * @param found what was found there
     */
    record Corrupt(String writer, String field, String found) implements WriterEntry {}
}
