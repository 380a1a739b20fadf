package dev.leasehold.simulator.store;

import dev.leasehold.engine.internal.store.ClockStatement;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.simulator.store.Statement.Effect;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What writes of the clock document rest on, and what they make of it. */
final class ClockStatements {

    private ClockStatements() {}

    /** The first statement of a transaction. */
    record OfTransaction(String documentId, ClockStatement statement) implements Statement {

        @Override
        public Effect on(@Nullable Document found) {
            if (!(found instanceof Document.Clock clock) || !matches(clock)) {
                return Effect.MISSES;
            }
            SortedMap<String, WriterEntry.Sound> writers = new TreeMap<>(clock.writers());
            WriterEntry.Sound before = clock.writers().get(statement.writer());
            writers.put(
                    statement.writer(),
                    new WriterEntry.Sound(
                            statement.writer(),
                            statement.stampNanos(),
                            statement.stampNanos(),
                            Objects.requireNonNull(before).sessionNanos(),
                            before.driverSession()));
            for (String evicted : statement.evictedWriters().keySet()) {
                writers.remove(evicted);
            }
            Long raised = statement.raiseTokenFloorTo();
            long floor = raised == null ? clock.tokenFloor() : Math.max(clock.tokenFloor(), raised);
            return Effect.writes(new Document.Clock(clock.partitions(), clock.ticks() + 1, floor, writers));
        }

        private boolean matches(Document.Clock clock) {
            if (!isBetween(clock, statement.writer(), statement.acknowledgedNanos(), statement.stampNanos())) {
                return false;
            }
            if (statement.tokenFloor() != null && statement.tokenFloor() != clock.tokenFloor()) {
                return false;
            }
            for (String absent : statement.absentWriters()) {
                if (clock.writers().containsKey(absent)) {
                    return false;
                }
            }
            for (Map.Entry<String, Long> evicted : statement.evictedWriters().entrySet()) {
                WriterEntry.Sound entry = clock.writers().get(evicted.getKey());
                if (entry == null || entry.timeNanos() != evicted.getValue()) {
                    return false;
                }
            }
            return true;
        }
    }

    /** Its time was acknowledged up to here, and does not go back. */
    private static boolean isBetween(Document.Clock clock, String writer, long leastNanos, long belowNanos) {
        WriterEntry.Sound entry = clock.writers().get(writer);
        return entry != null && entry.timeNanos() >= leastNanos && entry.timeNanos() < belowNanos;
    }

    /** A write of the clock document alone. */
    record Alone(String documentId, int partitions, ClockWrite write) implements Statement {

        @Override
        public Effect on(@Nullable Document found) {
            if (!(found instanceof Document.Clock clock) || !matches(clock)) {
                return Effect.MISSES;
            }
            return Effect.writes(new Document.Clock(
                    clock.partitions(), clock.ticks() + 1, clock.tokenFloor(), change(clock.writers())));
        }

        private boolean matches(Document.Clock clock) {
            WriterEntry.Sound entry = clock.writers().get(write.writer());
            if (write instanceof ClockWrite.Barrier) {
                return true;
            }
            if (write instanceof ClockWrite.Register || entry == null) {
                return write instanceof ClockWrite.Register && entry == null && isForAsMany(clock);
            }
            boolean session = entry.sessionNanos() != null;
            if (write instanceof ClockWrite.Join join) {
                return !session && isBetween(clock, join.writer(), join.acknowledgedNanos(), join.stampNanos());
            }
            if (write instanceof ClockWrite.Heartbeat beat) {
                return session && isBetween(clock, beat.writer(), beat.acknowledgedNanos(), beat.stampNanos());
            }
            if (write instanceof ClockWrite.Prune prune) {
                return !session && entry.timeNanos() == prune.timeNanos();
            }
            return !(write instanceof ClockWrite.Evict evict) || session && entry.timeNanos() == evict.timeNanos();
        }

        private boolean isForAsMany(Document.Clock clock) {
            return clock.partitions() == partitions;
        }

        private SortedMap<String, WriterEntry.Sound> change(SortedMap<String, WriterEntry.Sound> before) {
            if (write instanceof ClockWrite.Barrier) {
                return before;
            }
            SortedMap<String, WriterEntry.Sound> writers = new TreeMap<>(before);
            WriterEntry.Sound after = after(before.get(write.writer()));
            if (after == null) {
                writers.remove(write.writer());
            } else {
                writers.put(write.writer(), after);
            }
            return writers;
        }

        /** What becomes of the entry; null when it is removed. */
        private WriterEntry.@Nullable Sound after(WriterEntry.@Nullable Sound entry) {
            if (write instanceof ClockWrite.Register register) {
                return new WriterEntry.Sound(
                        register.writer(),
                        register.timeNanos(),
                        null,
                        register.sessionNanos(),
                        register.driverSession());
            }
            if (entry == null) {
                return null;
            }
            if (write instanceof ClockWrite.Join join) {
                return new WriterEntry.Sound(
                        join.writer(),
                        join.stampNanos(),
                        entry.transactionNanos(),
                        join.sessionNanos(),
                        entry.driverSession());
            }
            if (write instanceof ClockWrite.Heartbeat beat) {
                return new WriterEntry.Sound(
                        beat.writer(),
                        beat.stampNanos(),
                        entry.transactionNanos(),
                        entry.sessionNanos(),
                        entry.driverSession());
            }
            if (write instanceof ClockWrite.Unlist) {
                return new WriterEntry.Sound(
                        entry.writer(), entry.timeNanos(), entry.transactionNanos(), entry.sessionNanos(), null);
            }
            return null;
        }
    }

    /** The clock document of a namespace that has none; an existing one stays as it is. */
    record IfNone(String documentId, int partitions) implements Statement {

        @Override
        public Effect on(@Nullable Document found) {
            return Effect.writes(found == null ? Document.Clock.initial(partitions) : found);
        }
    }

    /** Somebody's write that changes nothing that matters. */
    record Tick(String documentId) implements Statement {

        @Override
        public Effect on(@Nullable Document found) {
            return found instanceof Document.Clock clock
                    ? Effect.writes(new Document.Clock(
                            clock.partitions(), clock.ticks() + 1, clock.tokenFloor(), clock.writers()))
                    : Effect.MISSES;
        }
    }
}
