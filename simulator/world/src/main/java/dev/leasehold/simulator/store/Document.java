package dev.leasehold.simulator.store;

import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.simulator.history.Change.ClockRow;
import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.Change.WriterRow;
import java.util.Collections;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A document as stored. Immutable: a write puts another object in its place, and so it is seen that somebody has written. */
sealed interface Document {

    /** A lease document. A damaged one keeps what it was before, for the day when it is repaired. */
    final class Lease implements Document {
        private final LeaseDocument content;
        private final boolean sound;
        private @Nullable LeaseRow row;

        Lease(LeaseDocument content, boolean sound) {
            this.content = content;
            this.sound = sound;
        }

        LeaseDocument content() {
            return content;
        }

        boolean isSound() {
            return sound;
        }

        LeaseRow row() {
            LeaseRow made = row;
            if (made == null) {
                made = new LeaseRow(
                        content.holder(),
                        content.token(),
                        content.writer(),
                        content.writtenNanos(),
                        content.expiryNanos(),
                        content.gates(),
                        ordered(content.pins()),
                        sound);
                row = made;
            }
            return made;
        }

        /** The order of an immutable set is another one in every run of the JVM. */
        private static Set<String> ordered(Set<String> pins) {
            return pins.isEmpty() ? pins : Collections.unmodifiableSortedSet(new TreeSet<>(pins));
        }
    }

    /** A clock document. Its map is not to be changed. */
    final class Clock implements Document {
        private final int partitions;
        private final long ticks;
        private final long tokenFloor;
        private final SortedMap<String, WriterEntry.Sound> writers;
        private @Nullable ClockRow row;

        Clock(int partitions, long ticks, long tokenFloor, SortedMap<String, WriterEntry.Sound> writers) {
            this.partitions = partitions;
            this.ticks = ticks;
            this.tokenFloor = tokenFloor;
            this.writers = writers;
        }

        static Clock initial(int partitions) {
            return new Clock(partitions, 0, 0, new TreeMap<>());
        }

        /** For how many partitions it was made. */
        int partitions() {
            return partitions;
        }

        long ticks() {
            return ticks;
        }

        long tokenFloor() {
            return tokenFloor;
        }

        SortedMap<String, WriterEntry.Sound> writers() {
            return writers;
        }

        /** The writers that are registered with this driver session: of a registration that nobody heard of the next one knows nothing. */
        Stream<String> registeredBy(UUID driverSession) {
            return writers.values().stream()
                    .filter(entry -> driverSession.equals(entry.driverSession()))
                    .map(WriterEntry::writer);
        }

        ClockRow row() {
            ClockRow made = row;
            if (made == null) {
                SortedMap<String, WriterRow> rows = new TreeMap<>();
                for (WriterEntry.Sound entry : writers.values()) {
                    rows.put(
                            entry.writer(),
                            new WriterRow(entry.timeNanos(), entry.transactionNanos(), entry.sessionNanos()));
                }
                made = new ClockRow(ticks, tokenFloor, rows);
                row = made;
            }
            return made;
        }
    }

    /** A gate stripe of a lease. */
    record Stripe(String namespace, String name, @Nullable String holder, long token, long gates) implements Document {}

    /** A document of a caller's own. */
    record OfCaller(long value) implements Document {}
}
