package dev.leasehold.engine.internal.rules;

import dev.leasehold.engine.internal.store.ClockDocument;
import dev.leasehold.engine.internal.store.Snapshot;
import dev.leasehold.engine.internal.store.StoredQueue;
import dev.leasehold.engine.internal.store.Waiter;
import dev.leasehold.engine.internal.store.WriterEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The tickets of one lease as last read, in the order in which they are served: higher priorities first, then as they arrived. Immutable.
 *
 * <p>What it chooses is a matter of order and speed alone: a grant to any ticket that was ever sent is safe.
 */
public final class WaitQueue {

    /** The waiters before this position look often and send heartbeats often, and their entries are read. */
    public static final int NEAR = Snapshot.ENTRIES_OF_WAITERS;

    /** The queue of a held lease is read so often as long as it is not empty, and once more before a release if it was not read for longer. */
    public static final long PERIOD_NANOS = 1_000_000_000;

    /** Before this position a waiter is suspected early: it has been near for long enough to send heartbeats often. */
    private static final int AT_THE_HEAD = 2;

    /** Longer than a waiter needs to learn that it is near. */
    private static final long LEARNED_NANOS = 6_000_000_000L;

    private final long token;
    private final boolean full;
    private final String own;
    private final List<QueuedWaiter> queued;
    private final long readEndedNanos;

    /**
     * One ticket.
     *
     * @param position among the tickets whose writers are not known to be absent, from 0
     * @param present whether the entry of its writer was there; null if it was not read
     * @param silence of its writer; null if no session of it was read
     * @param nearNanos for how long the reads of this engine show it near
     */
    private record QueuedWaiter(
            Waiter waiter,
            int position,
            @Nullable Boolean present,
            @Nullable Silence silence,
            long nearNanos) {

        private boolean isAbsent() {
            return Boolean.FALSE.equals(present);
        }

        /**
         * Whether its writer gave no sign of life for so long that it may be dead. A waiter that has just come near sends heartbeats as rarely
         * as any other until it has read that. What came after the read is no silence: no read has followed.
         */
        private boolean isSuspected() {
            if (silence == null) {
                return false;
            }
            long earlyNanos = Math.max(silence.sessionNanos / 4, LEARNED_NANOS);
            return silence.nanos >= silence.sessionNanos / 2
                    || position < AT_THE_HEAD && Math.min(silence.nanos, nearNanos) >= earlyNanos;
        }
    }

    /**
     * For how long a writer gave no sign of life.
     *
     * @param sessionNanos its session length
     * @param nanos for how long its newest stamp had been seen when it was read again
     */
    private record Silence(long sessionNanos, long nanos) {}

    private WaitQueue(long token, boolean full, String own, List<QueuedWaiter> queued, long readEndedNanos) {
        this.token = token;
        this.full = full;
        this.own = own;
        this.queued = List.copyOf(queued);
        this.readEndedNanos = readEndedNanos;
    }

    /**
     * The queue as just read.
     *
     * @param token that of the tenure under which the lease was held right before; 0 if it was not held
     * @param clock with the entries of the first waiters
     * @param before what the read before has shown; null if there was none
     */
    static WaitQueue of(
            StoredQueue stored,
            long token,
            ClockDocument clock,
            WriterSights sights,
            @Nullable WaitQueue before,
            String own,
            long readEndedNanos) {
        List<QueuedWaiter> queued = new ArrayList<>();
        int position = 0;
        int index = 0;
        for (Waiter waiter : stored.inOrder()) {
            WriterEntry entry = clock.writers().get(waiter.writer());
            Boolean present =
                    entry != null || waiter.writer().equals(own) ? Boolean.TRUE : index < NEAR ? Boolean.FALSE : null;
            Silence silence = entry instanceof WriterEntry.Sound sound
                            && sound.sessionNanos() != null
                            && !waiter.writer().equals(own)
                    ? new Silence(sound.sessionNanos(), readEndedNanos - sights.firstSeenNanos(sound, readEndedNanos))
                    : null;
            long nearNanos = before == null ? 0 : before.nearNanos(waiter, readEndedNanos);
            QueuedWaiter each = new QueuedWaiter(waiter, position, present, silence, nearNanos);
            queued.add(each);
            position += each.isAbsent() ? 0 : 1;
            index++;
        }
        return new WaitQueue(token, stored.isFull(), own, queued, readEndedNanos);
    }

    /** For how long a waiter that was near then has been near now. */
    private long nearNanos(Waiter waiter, long nowNanos) {
        for (QueuedWaiter each : queued) {
            if (each.position() < NEAR && isSame(each.waiter(), waiter)) {
                return each.nearNanos() + nowNanos - readEndedNanos;
            }
        }
        return 0;
    }

    private static boolean isSame(Waiter one, Waiter other) {
        return one.stampNanos() == other.stampNanos() && one.writer().equals(other.writer());
    }

    /** Whether it was read together with this tenure. Only then does its holder grant by it: an engine that has withdrawn a ticket relies on that. */
    boolean wasReadUnder(long tenureToken) {
        return token == tenureToken;
    }

    /**
     * Whether it was read so long ago that another ticket may be the first one by now.
     *
     * @param expected whether a ticket may be there also where it showed no ticket
     */
    boolean isOld(boolean expected, long nowNanos) {
        return (expected || !queued.isEmpty()) && nowNanos - readEndedNanos > PERIOD_NANOS;
    }

    /** Whether this engine waits here and stands far behind. */
    boolean isFar() {
        List<QueuedWaiter> tickets = queued.stream().filter(this::isOwn).toList();
        return !tickets.isEmpty() && tickets.stream().allMatch(each -> each.position() >= NEAR);
    }

    /** Whether this ticket of this engine was read. */
    boolean hasOwn(long stampNanos) {
        return queued.stream().anyMatch(each -> isOwn(each) && each.waiter().stampNanos() == stampNanos);
    }

    private boolean isOwn(QueuedWaiter each) {
        return each.waiter().writer().equals(own);
    }

    /**
     * The ticket to grant the lease to: one of the instance if there is any, else the first. Absent and suspected writers are passed over; null
     * if only those are left, so that the lease becomes vacant, which all that live are told.
     *
     * @param ownOpen the stamps of the tickets of this engine that are waited for; its others are over
     * @param instance the instance to prefer; null for none
     */
    @Nullable Waiter choose(Set<Long> ownOpen, @Nullable String instance) {
        Predicate<QueuedWaiter> open =
                each -> !isOwn(each) || ownOpen.contains(each.waiter().stampNanos());
        if (instance != null) {
            Waiter preferred = first(open.and(each -> isOf(each.waiter().writer(), instance)));
            if (preferred != null) {
                return preferred;
            }
        }
        return first(open.and(each -> !each.isSuspected()));
    }

    private @Nullable Waiter first(Predicate<QueuedWaiter> condition) {
        return queued.stream()
                .filter(each -> !each.isAbsent() && condition.test(each))
                .findFirst()
                .map(QueuedWaiter::waiter)
                .orElse(null);
    }

    static boolean isOf(String writer, String instance) {
        return instanceOf(writer).equals(nameOf(instance));
    }

    /** The instance in the name of a writer, which has no dots. */
    private static String instanceOf(String writer) {
        return writer.substring(0, Math.max(0, writer.lastIndexOf('#')));
    }

    private static String nameOf(String instance) {
        return instance.replace('.', '~');
    }

    /** What the waiters and the holder of this engine need of it. */
    QueueView view(long sentNanos) {
        Map<Long, Integer> positions = new HashMap<>();
        Set<String> absent = new HashSet<>();
        Set<String> instances = new HashSet<>();
        Integer highest = null;
        int others = 0;
        for (QueuedWaiter each : queued) {
            if (each.isAbsent()) {
                absent.add(each.waiter().writer());
                continue;
            }
            if (isOwn(each)) {
                positions.putIfAbsent(each.waiter().stampNanos(), each.position());
                continue;
            }
            others++;
            instances.add(instanceOf(each.waiter().writer()));
            if (highest == null && !each.isSuspected()) {
                highest = each.waiter().priority();
            }
        }
        return new QueueView(sentNanos, queued.size(), others, full, positions, highest, absent, instances);
    }

    /**
     * The queue of a lease as one engine sees it.
     *
     * @param sentNanos when the read was sent, on this engine's clock
     * @param total the number of tickets
     * @param others the number of those of other engines that are not known to be absent
     * @param full whether a further ticket would be dropped
     * @param positions of the tickets of this engine, by their stamps
     * @param highestPriority of the tickets of other engines that seem alive; null if there are none
     * @param absent the writers that have tickets here and no entry any more
     * @param instances those whose tickets stand here
     */
    public record QueueView(
            long sentNanos,
            int total,
            int others,
            boolean full,
            Map<Long, Integer> positions,
            @Nullable Integer highestPriority,
            Set<String> absent,
            Set<String> instances) {

        /** Nothing was read yet. */
        public static final QueueView NONE = new QueueView(0, 0, 0, false, Map.of(), null, Set.of(), Set.of());

        /** The first position of a ticket of this engine; far behind those of others if there is none. */
        public int position() {
            return positions.values().stream().mapToInt(each -> each).min().orElse(total == 0 ? 0 : Integer.MAX_VALUE);
        }

        /** Whether a ticket of this engine stands near the head. */
        public boolean isNear() {
            return !positions.isEmpty() && position() < NEAR;
        }

        /** Whether a ticket of this instance stands here. */
        public boolean hasInstance(String instance) {
            return instances.contains(nameOf(instance));
        }
    }
}
