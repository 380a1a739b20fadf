package dev.leasehold.engine.internal.rules;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.internal.rules.ObservedLease.Lease;
import dev.leasehold.engine.internal.store.ClockDocument;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.Snapshot;
import dev.leasehold.engine.internal.store.StoredLease;
import dev.leasehold.engine.internal.store.StoredQueue;
import dev.leasehold.engine.internal.store.Waiter;
import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.engine.internal.time.Drift;
import dev.leasehold.engine.internal.time.ExpiryBound;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Instants, documents and requests that the tests of this package share. */
final class Fixture {

    /** 2073-03-03T09:40:00.000000005Z: after 32-bit seconds, and an odd nanosecond that no rounding survives. */
    static final long Z = 3_255_759_600_000_000_005L;

    static final long SECOND = 1_000_000_000;
    static final long HOUR = 3600 * SECOND;

    static final Drift NO_DRIFT = new Drift(0);
    static final Drift DEFAULT_DRIFT = new Drift(1000);

    static final String NAMESPACE = "billing";
    static final String NAME = "nightly";
    static final String ME = "me#1";
    static final String OTHER = "other#1";
    static final Instant SINCE = Instant.parse("2073-03-03T09:40:00.000Z");
    static final long TOKEN_FLOOR = 41;
    static final long SESSION_SEEN = 99;
    static final Set<String> PINS = Set.of("ops");

    /** What the wall shows in {@link #STALLED}, as it is stored. */
    static final Instant NOON = Instant.parse("2026-01-01T12:00:00.123Z");

    /** The clock stood still for two writes, so the stamp is ahead of it, and the wall shows something else altogether. */
    static final DecisionContext STALLED = new DecisionContext(
            NAMESPACE, ME, Z, Z + 2, NOON.getEpochSecond() * SECOND + NOON.getNano() + 456_789, TOKEN_FLOOR);

    private Fixture() {}

    static Tenure tenure(String holder, long token) {
        return new Tenure(NAMESPACE, NAME, holder, token);
    }

    /** Held by h under token 3. */
    static LeaseDocument held(String writer, long writtenNanos, @Nullable Long expiryNanos) {
        return new LeaseDocument(
                NAMESPACE, NAME, "h", 3, writer, writtenNanos, expiryNanos, 7, "nightly run", SINCE, Set.of(), 0, null);
    }

    static LeaseDocument vacant(String writer, long writtenNanos) {
        return new LeaseDocument(
                NAMESPACE, NAME, null, 3, writer, writtenNanos, null, 7, null, SINCE, Set.of(), 0, null);
    }

    /** It has no holder, and no engine may take it before the expiry has certainly passed. */
    static LeaseDocument keptFree(String writer, long writtenNanos, long expiryNanos) {
        return new LeaseDocument(
                NAMESPACE, NAME, null, 3, writer, writtenNanos, expiryNanos, 7, null, SINCE, Set.of(), 0, null);
    }

    /** One's own: what it holds until is compared with one's own clock. */
    static Lease own(LeaseDocument document, long horizonNanos) {
        return new Lease(document, true, false, horizonNanos, null);
    }

    static Lease foreign(LeaseDocument document, long safeAfterNanos) {
        return new Lease(document, false, false, safeAfterNanos, null);
    }

    /** Another engine's session lease, seen with that engine's entry at {@link #SESSION_SEEN}. */
    static Lease keptBySession(long safeAfterNanos) {
        return new Lease(held(OTHER, 17, null), false, false, safeAfterNanos, SESSION_SEEN);
    }

    /** A session lease whose writer has no entry any more. */
    static Lease orphaned() {
        return new Lease(held(OTHER, 17, null), false, true, ExpiryBound.NEVER, null);
    }

    /** A lease in words, each kind with the same bound: {@code "pinned foreign held"}. */
    static Lease lease(String words, long boundNanos) {
        if (words.startsWith("pinned ")) {
            return pinned(lease(words.substring("pinned ".length()), boundNanos));
        }
        return switch (words) {
            case "own vacant" -> own(vacant(ME, Z), boundNanos);
            case "foreign vacant" -> foreign(vacant(OTHER, Z), boundNanos);
            case "own kept free" ->
                new Lease(keptFree(ME, Z, boundNanos), true, false, boundNanos + HOUR, null, boundNanos);
            case "foreign kept free" ->
                new Lease(keptFree(OTHER, Z, 17L), false, false, boundNanos + HOUR, null, boundNanos);
            case "own held" -> own(held(ME, Z, boundNanos), boundNanos);
            case "foreign held" -> foreign(held(OTHER, Z, 17L), boundNanos);
            case "own session" -> own(held(ME, Z, null), boundNanos);
            case "foreign session" -> keptBySession(boundNanos);
            case "endless session" -> keptBySession(ExpiryBound.NEVER);
            case "orphaned session" -> orphaned();
            default -> throw new IllegalArgumentException(words);
        };
    }

    /** The same, or what is no lease: {@code "absent"}, {@code "corrupt"}. */
    static ObservedLease observed(String words, long boundNanos) {
        return switch (words) {
            case "absent" -> new ObservedLease.Nothing(NAME);
            case "corrupt" -> new ObservedLease.Unusable(NAME, "billing#nightly", "token", "missing");
            default -> lease(words, boundNanos);
        };
    }

    /** {@code "before"} the bound, {@code "at"} it, or after it. */
    static long instant(String words, long boundNanos) {
        return switch (words) {
            case "before" -> boundNanos - 1;
            case "at" -> boundNanos;
            default -> boundNanos + 1;
        };
    }

    static Lease pinned(Lease lease) {
        return lease.of(lease.document().withPin("ops", true));
    }

    /** The engine under test decides, the clock on time, the wall showing the same. */
    static DecisionContext at(long nowNanos) {
        return new DecisionContext(NAMESPACE, ME, nowNanos, nowNanos, nowNanos, TOKEN_FLOOR);
    }

    /** The lease with gate stripes and what its holder publishes. */
    static Lease published(Lease lease, int stripes, @Nullable String payload) {
        LeaseDocument seen = lease.document();
        return lease.of(new LeaseDocument(
                seen.namespace(),
                seen.name(),
                seen.holder(),
                seen.token(),
                seen.writer(),
                seen.writtenNanos(),
                seen.expiryNanos(),
                seen.gates(),
                seen.comment(),
                seen.since(),
                seen.pins(),
                stripes,
                payload));
    }

    /** A waiter for a session lease; the stamp of its ticket is null if it has none. */
    static Request.Acquire waiting(String holder, int priority, @Nullable Long ticketNanos) {
        return new Request.Acquire(NAME, holder, null, null, 0, false, 0, 0, 0, null, priority, ticketNanos);
    }

    static Waiter ticket(String writer, long stampNanos, int priority) {
        return new Waiter(writer, stampNanos, "holder at " + writer, priority, null, 0, null);
    }

    /** As this engine reads it under token 3, with the entries of all writers. */
    static WaitQueue queue(long readNanos, Waiter... tickets) {
        WriterEntry[] entries = Arrays.stream(tickets)
                .map(Waiter::writer)
                .distinct()
                .map(writer -> session(writer, 1))
                .toArray(WriterEntry[]::new);
        StoredQueue stored = new StoredQueue(NAME, List.of(tickets), null);
        return WaitQueue.of(stored, 3, clock(entries), new WriterSights(10), null, ME, readNanos);
    }

    static Snapshot snapshot(StoredLease lease, WriterEntry... entries) {
        return new Snapshot(List.of(lease), Map.of(), clock(entries));
    }

    static Snapshot snapshot(LeaseDocument document, WriterEntry... entries) {
        return snapshot(new StoredLease.Sound(document), entries);
    }

    static ClockDocument clock(WriterEntry... entries) {
        Map<String, WriterEntry> writers =
                Arrays.stream(entries).collect(Collectors.toMap(WriterEntry::writer, Function.identity()));
        return new ClockDocument(5, TOKEN_FLOOR, writers);
    }

    static WriterEntry entry(String writer, long timeNanos) {
        return new WriterEntry.Sound(writer, timeNanos, null, null, null);
    }

    /** With a session of 30 s. */
    static WriterEntry session(String writer, long timeNanos) {
        return new WriterEntry.Sound(writer, timeNanos, null, 30 * SECOND, null);
    }
}
