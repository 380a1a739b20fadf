package dev.leasehold.engine.internal.rules;

import dev.leasehold.engine.internal.store.ClockDocument;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.store.Snapshot;
import dev.leasehold.engine.internal.store.StoredLease;
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
 * What an engine last saw of the leases that it touched, with the tightest bound for each. Forgetting a lease is always
 * safe: it is read again, and its bound starts later. Used by the engine's own thread alone.
 */
public final class LeaseCache {

    private final String namespace;
    private final Drift drift;
    private final long retentionNanos;
    private final LruCache<ObservedLease> sightings;
    private final SessionObservations sessions;
    private long tokenFloor;

    /** The end of this engine's own session as far as it is acknowledged. */
    private long ownSessionUntilNanos = ExpiryBound.NEVER;

    /**
     * An empty view.
     *
     * @param namespace of the leases
     * @param drift the largest rate error of any clock that takes part
     * @param retentionNanos how long a vacant document is kept
     * @param limit how many leases are remembered, those touched last
     */
    public LeaseCache(String namespace, Drift drift, long retentionNanos, int limit) {
        this.namespace = namespace;
        this.drift = drift;
        this.retentionNanos = retentionNanos;
        this.sightings = new LruCache<>(limit);
        this.sessions = new SessionObservations(drift, limit);
    }

    /** What is known of a lease that is used now; null when nothing is. */
    public @Nullable ObservedLease get(String name) {
        ObservedLease known = sightings.use(name);
        // Every acknowledgement prolongs one's own session leases, without a word about any of them.
        return known instanceof ObservedLease.Lease lease && lease.own() ? own(lease.document()) : known;
    }

    /** Whether the lease was found unusable when it was last seen. */
    public boolean isUnusable(String name) {
        return sightings.look(name) instanceof ObservedLease.Unusable;
    }

    /** Whether any lease that it knows is held, or kept free, by a write of this engine's present incarnation. */
    public boolean holdsOwn() {
        return sightings.any(known -> known instanceof ObservedLease.Lease lease
                && lease.own()
                && (lease.isHeld() || lease.document().isKeptFree()));
    }

    /** The token floor as last read. */
    public long tokenFloor() {
        return tokenFloor;
    }

    /**
     * Takes in what a read found.
     *
     * @param snapshot what was found
     * @param writer this engine's present incarnation
     * @param readBeganNanos this engine's clock before the read
     * @param readEndedNanos this engine's clock after it
     * @return what is known of each lease now
     */
    public List<ObservedLease> observe(Snapshot snapshot, String writer, long readBeganNanos, long readEndedNanos) {
        return observe(snapshot, writer, readBeganNanos, readEndedNanos, sightings::put);
    }

    /**
     * Takes in what a listing found, as far as there is room, and is no use of any lease: a long listing must not push out the
     * bounds of those that this engine works with, now or with the next lease, or it would never see one of them expire.
     */
    public List<ObservedLease> observeListed(
            Snapshot snapshot, String writer, long readBeganNanos, long readEndedNanos) {
        return observe(snapshot, writer, readBeganNanos, readEndedNanos, sightings::putIfRoom);
    }

    private List<ObservedLease> observe(
            Snapshot snapshot,
            String writer,
            long readBeganNanos,
            long readEndedNanos,
            BiConsumer<String, ObservedLease> keeping) {
        tokenFloor = snapshot.clock().tokenFloor();
        if (snapshot.clock().writers().get(writer) instanceof WriterEntry.Sound entry && entry.sessionNanos() != null) {
            acknowledged(entry.timeNanos(), entry.sessionNanos());
        }
        List<ObservedLease> seen = new ArrayList<>();
        for (StoredLease lease : snapshot.leases()) {
            ObservedLease observed = judge(lease, snapshot.clock(), writer, readBeganNanos, readEndedNanos);
            seen.add(observed);
            keeping.accept(lease.name(), observed);
        }
        return seen;
    }

    /** What a read means for one lease, beside what is known already. */
    private ObservedLease judge(
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
     * When a look at these leases is worthwhile, because a session that keeps one of them may have been renewed by then: the sooner
     * that is seen, the sooner its end is certain. The end of time if no other session keeps any.
     */
    public long nextLookNanos(Collection<String> names, long nowNanos) {
        long nextNanos = Long.MAX_VALUE;
        for (String name : names) {
            if (sightings.look(name) instanceof ObservedLease.Lease lease && lease.sessionSeenNanos() != null) {
                nextNanos = Math.min(
                        nextNanos, sessions.nextLookNanos(lease.document().writer(), nowNanos));
            }
        }
        return nextNanos;
    }

    /**
     * Takes in an acknowledgement of this engine's present incarnation, by a write of whichever kind.
     *
     * @param stampNanos the stamp that a majority has acknowledged, never less than one before
     * @param sessionNanos how long the session lasts from there
     */
    public void acknowledged(long stampNanos, long sessionNanos) {
        ownSessionUntilNanos = ExpiryBound.laterNanos(stampNanos, sessionNanos);
    }

    /** Takes in a write of this engine that a majority has acknowledged. */
    public void wrote(LeaseDocument document) {
        sightings.put(document.name(), own(document));
    }

    /**
     * Takes in a document that somebody else made vacant, and that may have been written since. A claim is guarded by it, so one that
     * is out of date costs that claim a try; nothing else is concluded from it, nor until when it is kept free. What this engine
     * wrote last, it knows better.
     */
    public void noteVacant(LeaseDocument vacant) {
        // What is kept free and was seen already keeps the bound that counts from then.
        boolean known = sightings.look(vacant.name()) instanceof ObservedLease.Lease seen
                && (seen.own() || vacant.isKeptFree() && seen.document().equals(vacant));
        if (!known) {
            long freeAfterNanos = vacant.isKeptFree() ? ExpiryBound.NEVER : ObservedLease.Lease.AT_ONCE;
            sightings.put(
                    vacant.name(),
                    new ObservedLease.Lease(vacant, false, false, ExpiryBound.NEVER, null, freeAfterNanos));
        }
    }

    /** Takes in a removal by this engine that a majority has acknowledged. */
    public void removed(String name, long token) {
        sightings.put(name, new ObservedLease.Nothing(name));
        tokenFloor = Math.max(tokenFloor, token);
    }

    /**
     * Takes in a pin, set or taken away by this engine, that a majority has acknowledged. Whose write the document shows stays as it was,
     * and so does what is known of its end. Others may have pinned it too: who takes the lease is told so by the guard.
     */
    public void wrote(LeaseWrite.Pin pin) {
        if (sightings.look(pin.name()) instanceof ObservedLease.Lease known
                && known.document().guard().equals(pin.guard())) {
            sightings.put(pin.name(), known.of(known.document().withPin(pin.entity(), pin.pinned())));
        }
    }

    public void forget(Collection<String> names) {
        sightings.removeAll(names);
    }

    /** To be called when the engine becomes a new writer: what it wrote before is another's now. */
    public void forgetAll() {
        sightings.clear();
        ownSessionUntilNanos = ExpiryBound.NEVER;
    }

    /** One's own expiry is compared with one's own clock directly, without observation or margin. */
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
            return document.isSessionLease()
                    ? orphaned(document, readEndedNanos)
                    : withTerm(document, document.writtenNanos(), readBeganNanos, readEndedNanos);
        }
        // Noted for its other leases too, whatever kind this one is.
        long sessionBoundNanos = sessions.safeAfterNanos(sound, readBeganNanos, readEndedNanos);
        return document.isSessionLease()
                ? new ObservedLease.Lease(document, false, false, sessionBoundNanos, sound.timeNanos())
                : withTerm(
                        document, Math.max(sound.timeNanos(), document.writtenNanos()), readBeganNanos, readEndedNanos);
    }

    /** For how long nobody has held it is known from the first sight of that alone: the end of a session writes no lease. */
    private ObservedLease orphaned(LeaseDocument document, long readEndedNanos) {
        boolean known = sightings.look(document.name()) instanceof ObservedLease.Lease before && before.orphaned();
        long boundNanos = ExpiryBound.laterNanos(readEndedNanos, retentionNanos);
        return new ObservedLease.Lease(
                document, false, true, known ? tightest(document, boundNanos) : boundNanos, null);
    }

    private ObservedLease withTerm(
            LeaseDocument document, long writerStampNanos, long readBeganNanos, long readEndedNanos) {
        Observation observation = new Observation(readBeganNanos, readEndedNanos, writerStampNanos);
        long boundNanos = observation.safeAfterNanos(horizonNanos(document), drift);
        long freeAfterNanos = document.isKeptFree()
                ? observation.safeAfterNanos(Objects.requireNonNull(document.expiryNanos()), drift)
                : ObservedLease.Lease.AT_ONCE;
        return new ObservedLease.Lease(
                document, false, false, tightest(document, boundNanos), null, tightestFree(document, freeAfterNanos));
    }

    /**
     * Every observation made since this very write was first seen is true for ever, so the earliest bound counts. Those
     * made before it are not used: the writer may have been suspended between.
     */
    private long tightest(LeaseDocument document, long boundNanos) {
        return sightings.look(document.name()) instanceof ObservedLease.Lease known
                        && known.document().guard().equals(document.guard())
                ? Math.min(boundNanos, known.safeAfterNanos())
                : boundNanos;
    }

    /** The same of the time for which it is kept free. */
    private long tightestFree(LeaseDocument document, long freeAfterNanos) {
        return sightings.look(document.name()) instanceof ObservedLease.Lease known
                        && known.document().guard().equals(document.guard())
                ? Math.min(freeAfterNanos, known.freeAfterNanos())
                : freeAfterNanos;
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
