package dev.leasehold.engine.internal.rules;

import dev.leasehold.engine.internal.store.ClockDocument;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.store.Snapshot;
import dev.leasehold.engine.internal.store.StoredLease;
import dev.leasehold.engine.internal.store.StoredQueue;
import dev.leasehold.engine.internal.store.Waiter;
import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.engine.internal.time.Drift;
import dev.leasehold.engine.internal.time.ExpiryBound;
import dev.leasehold.engine.internal.time.Observation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The newest observation of each lease that this engine uses, with the tightest expiry bound. Forgetting a lease is
 * always safe: it is read again, and its bound is counted from a later read. Engine thread of the partition only.
 */
public final class LeaseCache {

    private final String namespace;
    private final Drift drift;
    private final long retentionNanos;
    private final LruCache<ObservedLease> observations;
    /** How many queues are kept: all of one read at least, since a queue that was dropped looks as if the tickets in it were lost. */
    public static final int QUEUES_MAX = 1_000;

    private final LruCache<WaitQueue> queues = new LruCache<>(QUEUES_MAX);

    /** Of sessions that were read with a lease. */
    private final LruCache<HeartbeatPredictor> predictors;

    private final WriterSights sights;
    private long tokenFloor;

    /** The end of this engine's session, as far as a majority has acknowledged it. */
    private long ownSessionUntilNanos = ExpiryBound.NEVER;

    /**
     * An empty cache.
     *
     * @param retentionNanos how long a vacant document is kept
     * @param limit how many leases are kept; the least recently used is dropped first
     */
    public LeaseCache(String namespace, Drift drift, long retentionNanos, int limit) {
        this.namespace = namespace;
        this.drift = drift;
        this.retentionNanos = retentionNanos;
        this.observations = new LruCache<>(limit);
        this.predictors = new LruCache<>(limit);
        this.sights = new WriterSights(limit);
    }

    /** What is known of the clocks of other writers. */
    public WriterSights sights() {
        return sights;
    }

    /** The newest observation of a lease, which counts as a use of it; null if there is none. */
    public @Nullable ObservedLease get(String name) {
        ObservedLease known = observations.get(name);
        // Every acknowledgement extends this engine's session leases without an observation of any of them.
        return known instanceof ObservedLease.Lease lease && lease.own() ? own(lease.document()) : known;
    }

    public boolean isUnusable(String name) {
        return observations.peek(name) instanceof ObservedLease.Unusable;
    }

    /**
     * Whether this engine's current writer holds any cached lease, or released it with a time before which it must not
     * be acquired.
     */
    public boolean holdsOwn() {
        return observations.any(known -> known instanceof ObservedLease.Lease lease
                && lease.own()
                && (lease.isHeld() || lease.document().isKeptFree()));
    }

    public long tokenFloor() {
        return tokenFloor;
    }

    /**
     * Records a read, and returns the observation of each lease.
     *
     * @param writer this engine's current writer
     */
    public List<ObservedLease> observe(Snapshot snapshot, String writer, long readBeganNanos, long readEndedNanos) {
        return observe(snapshot, writer, readBeganNanos, readEndedNanos, observations::put);
    }

    /**
     * Records a listing as far as there is room, without counting as a use of any lease. Otherwise a long listing would
     * drop the bounds of leases that this engine uses, and it would never see them expire.
     */
    public List<ObservedLease> observeListed(
            Snapshot snapshot, String writer, long readBeganNanos, long readEndedNanos) {
        return observe(snapshot, writer, readBeganNanos, readEndedNanos, observations::putIfRoom);
    }

    private List<ObservedLease> observe(
            Snapshot snapshot,
            String writer,
            long readBeganNanos,
            long readEndedNanos,
            BiConsumer<String, ObservedLease> recorder) {
        tokenFloor = snapshot.clock().tokenFloor();
        if (snapshot.clock().writers().get(writer) instanceof WriterEntry.Sound entry && entry.sessionNanos() != null) {
            acknowledged(entry.timeNanos(), entry.sessionNanos());
        }
        List<ObservedLease> seen = new ArrayList<>();
        for (StoredLease lease : snapshot.leases()) {
            ObservedLease observed = assess(lease, snapshot.clock(), writer, readBeganNanos, readEndedNanos);
            seen.add(observed);
            recorder.accept(lease.name(), observed);
            StoredQueue queue = snapshot.queues().get(lease.name());
            if (queue != null) {
                observe(queue, observed, snapshot.clock(), writer, readEndedNanos);
            }
        }
        return seen;
    }

    private void observe(
            StoredQueue queue, ObservedLease observed, ClockDocument clock, String writer, long readEndedNanos) {
        for (Waiter waiter : queue.waiters()) {
            if (clock.writers().get(waiter.writer()) instanceof WriterEntry.Sound entry
                    && !entry.writer().equals(writer)) {
                sights.saw(entry.writer(), entry.timeNanos(), readEndedNanos);
            }
        }
        long token = observed instanceof ObservedLease.Lease lease && lease.isHeld()
                ? lease.document().token()
                : 0;
        queues.put(
                queue.name(),
                WaitQueue.of(queue, token, clock, sights, queues.peek(queue.name()), writer, readEndedNanos));
    }

    /** The queue as read together with the tenure that the lease shows; null if it was not. */
    public @Nullable WaitQueue queueOf(LeaseDocument held) {
        WaitQueue queue = queues.peek(held.name());
        return queue != null && queue.wasReadUnder(held.token()) ? queue : null;
    }

    /** The queue of a lease as last read, for this engine. */
    public WaitQueue.QueueView viewOf(String name, long sentNanos) {
        WaitQueue queue = queues.peek(name);
        return queue == null ? WaitQueue.QueueView.NONE : queue.view(sentNanos);
    }

    private ObservedLease assess(
            StoredLease lease, ClockDocument clock, String writer, long readBeganNanos, long readEndedNanos) {
        if (lease instanceof StoredLease.Corrupt corrupt) {
            return new ObservedLease.Unusable(corrupt.name(), corrupt.documentId(), corrupt.field(), corrupt.found());
        }
        if (lease instanceof StoredLease.Sound sound) {
            LeaseDocument document = sound.document();
            return document.writer().equals(writer)
                    ? own(document)
                    : foreign(document, clock.writers().get(document.writer()), readBeganNanos, readEndedNanos);
        }
        return new ObservedLease.Nothing(lease.name());
    }

    /**
     * When to read these leases again, because another writer's session that keeps one of them may have been renewed by
     * then: the sooner a heartbeat is read, the sooner the expiry is certain. {@link Long#MAX_VALUE} if there is none.
     */
    public long nextReadNanos(Collection<String> names, long nowNanos) {
        long nextNanos = Long.MAX_VALUE;
        for (String name : names) {
            WaitQueue queue = queues.peek(name);
            if ((queue == null || !queue.isFar())
                    && observations.peek(name) instanceof ObservedLease.Lease lease
                    && lease.sessionSeenNanos() != null) {
                HeartbeatPredictor predictor = predictors.get(lease.document().writer());
                nextNanos = predictor == null ? nextNanos : Math.min(nextNanos, predictor.nextReadNanos(nowNanos));
            }
        }
        return nextNanos;
    }

    /**
     * Records that a majority has acknowledged a stamp of this engine's current writer, in a write of any kind. Stamps
     * never decrease.
     */
    public void acknowledged(long stampNanos, long sessionNanos) {
        ownSessionUntilNanos = ExpiryBound.laterNanos(stampNanos, sessionNanos);
    }

    /** Records a write of this engine that a majority has acknowledged. */
    public void wrote(LeaseWrite write) {
        if (write instanceof LeaseWrite.Insert insert) {
            observations.put(write.name(), own(insert.document()));
        } else if (write instanceof LeaseWrite.Replace replace) {
            observations.put(write.name(), own(replace.document()));
        } else if (write instanceof LeaseWrite.Remove remove) {
            observations.put(write.name(), new ObservedLease.Nothing(write.name()));
            tokenFloor = Math.max(tokenFloor, remove.guard().token());
        } else if (write instanceof LeaseWrite.Pin pin) {
            pinned(pin);
        }
    }

    /**
     * Records a document that this engine has granted to the ticket of another one, or a change has shown to be kept by this engine. Of another
     * engine nothing is known that bounds its session.
     */
    public void shown(LeaseDocument document, boolean own) {
        observations.put(
                document.name(),
                own ? own(document) : new ObservedLease.Lease(document, false, false, ExpiryBound.NEVER, null));
    }

    /** Whether a document of this token is news, or the newest that is known: a change may come late. */
    public boolean mayShow(LeaseDocument document) {
        return !(observations.peek(document.name()) instanceof ObservedLease.Lease known)
                || known.document().token() < document.token()
                || known.document().guard().equals(document.guard());
    }

    /** A pin changes neither the writer nor a bound. */
    private void pinned(LeaseWrite.Pin pin) {
        if (observations.peek(pin.name()) instanceof ObservedLease.Lease known
                && known.document().guard().equals(pin.guard())) {
            observations.put(pin.name(), known.of(known.document().withPin(pin.entity(), pin.pinned())));
        }
    }

    /**
     * Records a document that another engine made vacant and that may have changed since. It serves as the guard of the
     * next acquire, which misses and is retried if it is out of date, and starts no bound for a lease that is kept free.
     * An observation of this engine's own write is kept, because it is newer.
     */
    public void noteVacant(LeaseDocument vacant) {
        // A known observation of the same document keeps its bound, which counts from the earlier read.
        boolean known = observations.peek(vacant.name()) instanceof ObservedLease.Lease seen
                && (seen.own() || vacant.isKeptFree() && seen.document().equals(vacant));
        if (!known) {
            long freeAfterNanos = vacant.isKeptFree() ? ExpiryBound.NEVER : ObservedLease.Lease.AT_ONCE;
            observations.put(
                    vacant.name(),
                    new ObservedLease.Lease(vacant, false, false, ExpiryBound.NEVER, null, freeAfterNanos));
        }
    }

    public void forget(Collection<String> names) {
        observations.removeAll(names);
    }

    /** Called when the engine becomes a new writer: its earlier writes are now those of another writer. */
    public void forgetAll() {
        observations.clear();
        ownSessionUntilNanos = ExpiryBound.NEVER;
    }

    /** This engine compares its own expiry with its own clock directly, without a margin for drift. */
    private ObservedLease own(LeaseDocument document) {
        long untilNanos = document.isSessionLease() ? ownSessionUntilNanos : horizonNanos(document);
        long freeAfterNanos =
                document.isKeptFree() ? Objects.requireNonNull(document.expiryNanos()) : ObservedLease.Lease.AT_ONCE;
        return new ObservedLease.Lease(document, true, false, untilNanos, null, freeAfterNanos);
    }

    private ObservedLease foreign(
            LeaseDocument document, @Nullable WriterEntry entry, long readBeganNanos, long readEndedNanos) {
        if (entry instanceof WriterEntry.Corrupt corrupt) {
            return new ObservedLease.Unusable(
                    document.name(), namespace, "writers." + corrupt.writer() + "." + corrupt.field(), corrupt.found());
        }
        if (!(entry instanceof WriterEntry.Sound sound)) {
            sights.sawNone(document.writer());
            return document.isSessionLease()
                    ? orphaned(document, readEndedNanos)
                    : withTerm(document, readBeganNanos, readEndedNanos);
        }
        // Recorded for any kind of lease, because the writer may keep others.
        sights.saw(sound.writer(), sound.timeNanos(), readEndedNanos);
        predict(sound, readBeganNanos, readEndedNanos);
        if (!document.isSessionLease()) {
            return withTerm(document, readBeganNanos, readEndedNanos);
        }
        long boundNanos = sights.sessionBoundNanos(sound, readEndedNanos, drift);
        return new ObservedLease.Lease(document, false, false, boundNanos, sound.timeNanos());
    }

    private void predict(WriterEntry.Sound entry, long readBeganNanos, long readEndedNanos) {
        Long sessionNanos = entry.sessionNanos();
        if (sessionNanos != null) {
            HeartbeatPredictor known = predictors.peek(entry.writer());
            predictors.put(
                    entry.writer(), HeartbeatPredictor.of(known, entry, sessionNanos, readBeganNanos, readEndedNanos));
        }
    }

    /**
     * The retention of an orphaned session lease counts from the first read that found its writer absent: the end of a
     * session writes no lease document.
     */
    private ObservedLease orphaned(LeaseDocument document, long readEndedNanos) {
        boolean known = observations.peek(document.name()) instanceof ObservedLease.Lease before && before.orphaned();
        long boundNanos = ExpiryBound.laterNanos(readEndedNanos, retentionNanos);
        ObservedLease.Lease seen = new ObservedLease.Lease(document, false, true, boundNanos, null);
        return known ? tightest(seen) : seen;
    }

    private ObservedLease withTerm(LeaseDocument document, long readBeganNanos, long readEndedNanos) {
        Observation observation = new Observation(readBeganNanos, readEndedNanos, document.writtenNanos());
        WriterSights.Sight sight = sights.since(document.writer(), document.writtenNanos());
        long boundNanos = boundNanos(observation, sight, horizonNanos(document));
        long freeAfterNanos = document.isKeptFree()
                ? boundNanos(observation, sight, Objects.requireNonNull(document.expiryNanos()))
                : ObservedLease.Lease.AT_ONCE;
        return tightest(new ObservedLease.Lease(document, false, false, boundNanos, null, freeAfterNanos));
    }

    /** By the sight, if there is one: its stamp is no older than the write, and was seen no later. */
    private long boundNanos(Observation observation, WriterSights.@Nullable Sight sight, long xNanos) {
        return sight == null ? observation.safeAfterNanos(xNanos, drift) : sight.safeAfterNanos(xNanos, drift);
    }

    /**
     * The earliest bounds of all observations since this write was first read: each of them stays true. Observations
     * before it are not used, because the writer may have been suspended in between.
     */
    private ObservedLease.Lease tightest(ObservedLease.Lease seen) {
        return observations.peek(seen.name()) instanceof ObservedLease.Lease known
                        && known.document().guard().equals(seen.document().guard())
                ? seen.notLaterThan(known)
                : seen;
    }

    private long horizonNanos(LeaseDocument document) {
        Long expiryNanos = document.expiryNanos();
        if (expiryNanos != null && !document.isVacant()) {
            return expiryNanos;
        }
        long retainedNanos = ExpiryBound.laterNanos(document.writtenNanos(), retentionNanos);
        return expiryNanos == null ? retainedNanos : Math.max(expiryNanos, retainedNanos);
    }
}
