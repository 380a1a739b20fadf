package dev.leasehold.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What an inspector knows of an engine by its entry in a clock document. A value: it does not change when the entry does. */
public sealed interface WriterState {

    /** {@return the key of the entry: the name of the engine, and a part that is its own} */
    String writer();

    /** {@return the part of the namespace whose clock document has the entry} */
    String partition();

    /**
     * The name of the engine, for people.
     *
     * @return as it was configured, by default host and process id
     */
    default String instance() {
        int end = writer().lastIndexOf('#');
        return (end < 0 ? writer() : writer().substring(0, end)).replace('~', '.');
    }

    /**
     * An entry that keeps to the schema.
     *
     * @param writer the key of the entry
     * @param partition whose clock document has it
     * @param stampNanos its newest stamp that a majority has, on its own clock; comparable with other stamps of the
     *     same writer and with nothing else
     * @param session how long the leases of its session stay held without a heartbeat; null if it has no session
     * @param driverSession the driver session of its transactions; null once it was closed
     * @param firstSeen when this inspector first saw that stamp, on the inspector's clock
     * @param seenMoving whether this inspector saw that stamp take the place of an older one
     * @param latestEnd the instant on the inspector's clock strictly after which other engines that saw the same may
     *     end the session, unless there is another heartbeat; null without a session
     * @param behindAtMost an upper bound of how far its clock is behind the inspector's. Negative where it is certainly
     *     ahead. Nothing is decided from it
     * @param driftPpm the {@linkplain LeaseEngineBuilder#maximumDriftPpm drift bound} that it was built with; null where it did not store it.
     *     All engines of a namespace should have the same
     */
    record Known(
            String writer,
            String partition,
            long stampNanos,
            @Nullable Duration session,
            @Nullable UUID driverSession,
            Instant firstSeen,
            boolean seenMoving,
            @Nullable Instant latestEnd,
            Duration behindAtMost,
            @Nullable Long driftPpm)
            implements WriterState {

        /** {@return whether it was closed; its entry stays, so that other engines can judge the terms that it wrote} */
        public boolean isClosed() {
            return driverSession == null;
        }
    }

    /**
     * An entry that breaks the schema, so that no lease of this writer can be used.
     *
     * @param writer the key of the entry
     * @param partition whose clock document has it
     * @param field the field at fault
     * @param found what was found there
     */
    record Corrupt(String writer, String partition, String field, String found) implements WriterState {}
}
