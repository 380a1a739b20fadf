package dev.leasehold.engine;

import static dev.leasehold.engine.world.TestClock.Z;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Hooks.Point;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Another client's transaction has written the clock document, and is open. */
class ConflictsIT extends WithAnEngine {

    private @Nullable ForeignTransaction blocker;

    @AfterEach
    void unblock() {
        closeBlocker();
    }

    private void closeBlocker() {
        if (blocker != null) {
            blocker.close();
            blocker = null;
        }
    }

    /** Each of the first so many transactions from now on finds another one open. */
    private void conflicts(int times) {
        a.hooks().forgetCommands();
        a.hooks().always(Point.BEFORE_UPDATE, () -> {
            closeBlocker();
            if (a.hooks().transactions().size() <= times) {
                blocker = ForeignTransaction.on(engines, Engines.NAMESPACE);
            }
        });
    }

    private long stampOf(BsonDocument update) {
        return statements(update)
                .get(0)
                .asDocument()
                .getDocument("q")
                .getDocument("writers." + writerOfA() + ".time")
                .getInt64("$lt")
                .getValue();
    }

    @Test
    @DisplayName("TX-7: a claim that had to wait for 5 s still holds for its whole term")
    void aClaimThatWaitedHoldsForItsTerm() throws InterruptedException {
        registered();
        conflicts(2);
        a.hooks().once(Point.BEFORE_UPDATE, () -> a.clock().advance(ofSeconds(2)));
        a.hooks().once(Point.BEFORE_COMMIT, () -> a.clock().advance(ofSeconds(3)));

        Tenure tenure = a.claims("name", "h", ofSeconds(60));

        // Decided for the last time 2 s after the call began, answered 5 s after it.
        long decidedNanos = Engines.written(engines.leaseDocument("name"));
        assertThat(decidedNanos).isBetween(Z + 2 * SECOND, Z + 2 * SECOND + 2);
        assertThat(Engines.expiry(engines.leaseDocument("name"))).isEqualTo(decidedNanos + 60 * SECOND);
        assertThat(a.engine().tenures().remaining(tenure)).isEqualTo(ofSeconds(57));
        a.clock().advance(ofSeconds(55));
        assertThat(a.engine().tenures().isHeld(tenure)).isTrue();
        a.clock().advance(ofSeconds(2));
        assertThat(a.engine().tenures().isHeld(tenure)).isFalse();
    }

    @Test
    @DisplayName("TX-8: each conflict is followed by another try with a new stamp, after a random wait")
    void eachConflictIsFollowedByAnotherTry() throws InterruptedException {
        registered();
        conflicts(5);

        a.claims("name", "h", ofSeconds(60));

        List<Long> stamps = a.hooks().transactions().stream().map(this::stampOf).toList();
        assertThat(stamps).hasSize(6).doesNotHaveDuplicates().isSorted();
        assertThat(Engines.written(engines.leaseDocument("name"))).isEqualTo(stamps.get(5));
        assertThat(engines.shortForm("name")).isEqualTo("h/1");
        assertThat(a.runtime().windowsNanos()).hasSize(5).doesNotContain(0L).isSorted();
    }

    @Test
    @DisplayName("TX-8: conflicts without end are said when the time is over, and nothing comes of the claim")
    void conflictsWithoutEndAreSaid() throws InterruptedException {
        registered();
        conflicts(4);
        a.hooks().always(Point.BEFORE_UPDATE, () -> a.clock().advance(ofSeconds(3)));

        assertThatThrownBy(() -> a.engine().tenures().claim("name", "h", ofSeconds(60)))
                .isInstanceOf(LeaseContentionException.class)
                .hasMessageContaining("'name'");

        assertThat(a.hooks().transactions()).hasSize(4);
        a.claims("other", "h", ofSeconds(60));
        assertThat(engines.leaseDocument("name")).isNull();
    }

    @Test
    @DisplayName("A lease whose document a caller's transaction holds delays only itself")
    void aBlockedLeaseDelaysOnlyItself() throws Exception {
        registered();
        Tenure gated = a.claims("gated", "h", ofSeconds(60));
        CountDownLatch busy = new CountDownLatch(1);
        a.hooks().once(Point.BEFORE_COMMIT, () -> {
            busy.countDown();
            a.runtime().untilCallersWait(4);
        });
        Future<Tenure> earlier = callers.submit(() -> a.claims("earlier", "h", ofSeconds(60)));
        await(busy);
        blocker = ForeignTransaction.on(engines, gated.leaseId());
        Future<Tenure> blocked = callers.submit(() -> a.extendsTo(gated, ofSeconds(90)));
        Future<Tenure> one = callers.submit(() -> a.claims("one", "h", ofSeconds(60)));
        Future<Tenure> two = callers.submit(() -> a.claims("two", "h", ofSeconds(60)));

        get(earlier);
        get(one);
        get(two);

        assertThat(blocked).isNotDone();
        closeBlocker();
        get(blocked);
    }

    @Test
    @DisplayName("TX-10: a transaction that meets that of another engine is tried again")
    void aTransactionThatMeetsAnotherIsTriedAgain() throws Exception {
        registered();
        TestEngine c = engines.start("c");
        CountDownLatch conflict = new CountDownLatch(2);
        CountDownLatch open = new CountDownLatch(1);
        c.hooks().once(Point.BEFORE_COMMIT, () -> {
            open.countDown();
            await(conflict);
        });
        Future<Tenure> first = callers.submit(() -> c.claims("of c", "h", ofSeconds(60)));
        await(open);
        // The second try shows that the first one met the open transaction.
        a.hooks().always(Point.BEFORE_UPDATE, conflict::countDown);

        a.claims("name", "h", ofSeconds(60));

        get(first);
        assertThat(a.hooks().transactions()).hasSizeGreaterThanOrEqualTo(2);
        assertThat(a.hooks().commands("commitTransaction")).hasSize(1);
        assertThat(engines.shortForm("name")).isEqualTo("h/1");
        assertThat(engines.shortForm("of c")).isEqualTo("h/1");
    }

    @Test
    @DisplayName("TX-10: a write of the clock document alone waits for the open transaction, and then succeeds")
    void aWriteOfTheClockAloneWaits() throws Exception {
        TestEngine c = engines.start("c");
        CountDownLatch open = new CountDownLatch(1);
        CountDownLatch sent = new CountDownLatch(1);
        List<String> order = new CopyOnWriteArrayList<>();
        c.hooks().once(Point.BEFORE_COMMIT, () -> {
            open.countDown();
            await(sent);
            engines.untilAnUpdateIsUnderWay();
            order.add("commit of c");
        });
        a.hooks().once(Point.BEFORE_CLOCK_WRITE, sent::countDown);
        a.hooks().once(Point.AFTER_CLOCK_WRITE, () -> order.add("registration of a"));
        Future<Tenure> first = callers.submit(() -> c.claims("of c", "h", ofSeconds(60)));
        await(open);

        a.claims("name", "h", ofSeconds(60));

        get(first);
        assertThat(order).containsExactly("commit of c", "registration of a");
    }
}
