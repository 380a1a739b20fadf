package dev.leasehold.engine.internal.rules;

import static dev.leasehold.engine.internal.rules.Fixture.HOUR;
import static dev.leasehold.engine.internal.rules.Fixture.ME;
import static dev.leasehold.engine.internal.rules.Fixture.NAME;
import static dev.leasehold.engine.internal.rules.Fixture.NAMESPACE;
import static dev.leasehold.engine.internal.rules.Fixture.NO_DRIFT;
import static dev.leasehold.engine.internal.rules.Fixture.OTHER;
import static dev.leasehold.engine.internal.rules.Fixture.SECOND;
import static dev.leasehold.engine.internal.rules.Fixture.SINCE;
import static dev.leasehold.engine.internal.rules.Fixture.Z;
import static dev.leasehold.engine.internal.rules.Fixture.clock;
import static dev.leasehold.engine.internal.rules.Fixture.held;
import static dev.leasehold.engine.internal.rules.Fixture.session;
import static dev.leasehold.engine.internal.rules.Fixture.ticket;
import static dev.leasehold.engine.internal.rules.Fixture.vacant;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.leasehold.engine.internal.rules.ObservedLease.Lease;
import dev.leasehold.engine.internal.rules.WaitQueue.QueueView;
import dev.leasehold.engine.internal.rules.WriterSights.Sight;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.store.Snapshot;
import dev.leasehold.engine.internal.store.StoredLease;
import dev.leasehold.engine.internal.store.StoredQueue;
import dev.leasehold.engine.internal.store.Waiter;
import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.engine.internal.time.ExpiryBound;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is remembered of the queue that was read with a lease, and of a lease that a change has shown. */
class CachedQueueTest {

    private static final Waiter TICKET = ticket(OTHER, 5, 0);
    private static final Waiter MINE = ticket(ME, 6, 0);

    private final LeaseCache cache = new LeaseCache(NAMESPACE, NO_DRIFT, HOUR, 10);

    private void observe(StoredLease lease, StoredQueue queue, long atNanos, WriterEntry... entries) {
        cache.observe(new Snapshot(List.of(lease), Map.of(queue.name(), queue), clock(entries)), ME, atNanos, atNanos);
    }

    private void observe(LeaseDocument lease, long atNanos, Waiter... waiters) {
        observe(
                new StoredLease.Sound(lease),
                new StoredQueue(NAME, List.of(waiters), null),
                atNanos,
                session(ME, Z),
                session(OTHER, Z));
    }

    private static LeaseDocument underToken(LeaseDocument document, long token) {
        return new LeaseDocument(
                NAMESPACE,
                NAME,
                document.holder(),
                token,
                document.writer(),
                document.writtenNanos(),
                null,
                0,
                null,
                SINCE,
                Set.of(),
                0,
                null);
    }

    @Test
    @DisplayName("A queue counts for the tenure that was read before it, and for no other")
    void queueOfATenure() {
        assertThat(cache.queueOf(held(ME, Z, null))).as("nothing was read").isNull();

        observe(held(ME, Z, null), Z, TICKET);

        WaitQueue queue = Objects.requireNonNull(cache.queueOf(held(ME, Z, null)));
        assertThat(queue.choose(Set.of(), null)).isEqualTo(TICKET);
        assertThat(cache.queueOf(underToken(held(ME, Z, null), 4))).isNull();
    }

    @Test
    @DisplayName("A queue that was read behind a vacant or an absent lease counts for no tenure, and shows its tickets")
    void queueOfALeaseThatIsNotHeld() {
        observe(vacant(OTHER, Z), Z, TICKET);
        assertThat(cache.queueOf(held(ME, Z, null))).isNull();
        assertThat(cache.queueOf(underToken(held(ME, Z, null), 1))).isNull();
        assertThat(cache.viewOf(NAME, 17))
                .isEqualTo(new QueueView(17, 1, 1, false, Map.of(), 0, Set.of(), Set.of("other")));

        observe(new StoredLease.Absent(NAME), new StoredQueue(NAME, List.of(), null), Z);
        assertThat(cache.queueOf(underToken(held(ME, Z, null), 0))).isNotNull();
        assertThat(cache.viewOf(NAME, 17).total()).isZero();
    }

    @Test
    void ofAQueueThatWasNotReadThereIsNoView() {
        assertThat(cache.viewOf(NAME, 17)).isEqualTo(QueueView.NONE);

        cache.observe(
                new Snapshot(List.of(new StoredLease.Sound(held(ME, Z, null))), Map.of(), clock(session(ME, Z))),
                ME,
                Z,
                Z);

        assertThat(cache.viewOf(NAME, 17)).isEqualTo(QueueView.NONE);
    }

    @Test
    @DisplayName("The read of a queue is a sight of the clocks of its waiters, and not of this engine's own")
    void entriesOfWaitersAreSights() {
        observe(held(ME, Z, null), Z + SECOND, TICKET, MINE);

        assertThat(cache.sights().since(OTHER, Z)).isEqualTo(new Sight(Z, Z + SECOND));
        assertThat(cache.sights().since(ME, Z)).isNull();
    }

    @Test
    @DisplayName("A waiter whose entry does not change from one read to the next is silent")
    void silenceLastsFromReadToRead() {
        observe(held(ME, Z, null), Z, TICKET);
        observe(held(ME, Z, null), Z + 8 * SECOND, TICKET);

        WaitQueue queue = Objects.requireNonNull(cache.queueOf(held(ME, Z, null)));
        assertThat(queue.choose(Set.of(), null))
                .as("a quarter of its session is over")
                .isNull();
    }

    @Test
    @DisplayName("A thousand queues are kept, and of one more the oldest is forgotten")
    void keepsAThousandQueues() {
        for (int i = 0; i < LeaseCache.QUEUES_MAX; i++) {
            observe(new StoredLease.Absent("x" + i), new StoredQueue("x" + i, List.of(TICKET), null), Z);
        }
        assertThat(cache.viewOf("x0", 0).total()).isEqualTo(1);

        observe(new StoredLease.Absent("y"), new StoredQueue("y", List.of(TICKET), null), Z);

        assertThat(cache.viewOf("x0", 0).total()).isZero();
        assertThat(cache.viewOf("x1", 0).total()).isEqualTo(1);
        assertThat(cache.viewOf("y", 0).total()).isEqualTo(1);
    }

    @Test
    @DisplayName("Far behind in the queue, this engine does not follow the heartbeats of the holder")
    void farWaitersFollowNoHeartbeats() {
        LeaseDocument kept = held(OTHER, Z, null);
        Waiter[] first = new Waiter[WaitQueue.NEAR];
        for (int i = 0; i < first.length; i++) {
            first[i] = ticket(OTHER, i, 0);
        }

        observe(kept, Z, MINE);
        assertThat(cache.nextReadNanos(List.of(NAME), Z)).isLessThan(Long.MAX_VALUE);
        observe(kept, Z, first[0], first[1], first[2], first[3], MINE);
        assertThat(cache.nextReadNanos(List.of(NAME), Z)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    @DisplayName("A write of the queue says nothing of the lease")
    void writesOfTheQueueAreNoObservation() {
        cache.wrote(new LeaseWrite.Insert(held(ME, Z, Z + HOUR)));

        assertThatCode(() -> cache.wrote(new LeaseWrite.Enqueue(NAME, MINE))).doesNotThrowAnyException();

        assertThat(cache.get(NAME)).isEqualTo(new Lease(held(ME, Z, Z + HOUR), true, false, Z + HOUR, null));
    }

    // ---- what a change has shown ----

    @Test
    @DisplayName("What was granted to another engine is its, and no bound of it is known")
    void grantedLeaseIsAnothers() {
        cache.shown(held(OTHER, 17, null), false);

        assertThat(cache.get(NAME)).isEqualTo(new Lease(held(OTHER, 17, null), false, false, ExpiryBound.NEVER, null));
    }

    @Test
    @DisplayName("What a change shows under this engine's name is kept by its session")
    void shownLeaseOfThisEngineIsItsOwn() {
        cache.acknowledged(Z, 30 * SECOND);

        cache.shown(held(ME, 17, null), true);

        assertThat(cache.get(NAME)).isEqualTo(new Lease(held(ME, 17, null), true, false, Z + 30 * SECOND, null));
    }

    @Test
    @DisplayName("A change is news if nothing is known, under a greater token, or of the very write that is known")
    void lateChangesAreNoNews() {
        assertThat(cache.mayShow(held(OTHER, 17, null))).as("nothing is known").isTrue();

        observe(held(OTHER, 17, null), Z);

        assertThat(cache.mayShow(held(OTHER, 17, null))).as("the same write").isTrue();
        assertThat(cache.mayShow(held(OTHER, 18, null)))
                .as("another write of that token")
                .isFalse();
        assertThat(cache.mayShow(underToken(held(OTHER, 18, null), 4))).isTrue();
        assertThat(cache.mayShow(underToken(held(OTHER, 17, null), 2))).isFalse();
    }
}
