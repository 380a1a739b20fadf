package dev.leasehold.engine.internal.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.internal.rules.WaitQueue.QueueView;
import dev.leasehold.engine.internal.store.ClockDocument;
import dev.leasehold.engine.internal.store.StoredQueue;
import dev.leasehold.engine.internal.store.Waiter;
import dev.leasehold.engine.internal.store.WriterEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which waiter a release chooses, and how waiters see their place. */
class WaitQueueTest {

    private static final long SECOND = 1_000_000_000;
    private static final long SESSION = 40 * SECOND;
    private static final String ME = "me#1";

    private final WriterSights sights = new WriterSights(10);
    private final List<Waiter> tickets = new ArrayList<>();
    private final Map<String, WriterEntry> entries = new HashMap<>();
    private @Nullable WaitQueue before;

    private Waiter waits(String writer, long stamp, int priority) {
        Waiter ticket = new Waiter(writer, stamp, "h", priority, null, 0, null);
        tickets.add(ticket);
        heartbeat(writer, 1);
        return ticket;
    }

    private void heartbeat(String writer, long stamp) {
        heartbeat(writer, stamp, SESSION);
    }

    private void heartbeat(String writer, long stamp, @Nullable Long sessionNanos) {
        entries.put(writer, new WriterEntry.Sound(writer, stamp, null, sessionNanos, null));
    }

    /** Reads the queue, and the entries of the first four. */
    private WaitQueue read(long nowNanos) {
        StoredQueue stored = new StoredQueue("x", tickets, null);
        Map<String, WriterEntry> read = new HashMap<>();
        stored.inOrder().stream().limit(WaitQueue.NEAR).map(Waiter::writer).forEach(writer -> {
            WriterEntry entry = entries.get(writer);
            if (entry instanceof WriterEntry.Sound sound) {
                read.put(writer, entry);
                if (!writer.equals(ME)) {
                    sights.saw(writer, sound.timeNanos(), nowNanos);
                }
            }
        });
        before = WaitQueue.of(stored, 7, new ClockDocument(1, 0, read), sights, before, ME, nowNanos);
        return before;
    }

    private static @Nullable Waiter chosen(WaitQueue queue) {
        return queue.choose(Set.of(), null);
    }

    @Test
    void higherPrioritiesComeFirstAndThenTheOneThatCameFirst() {
        waits("a#1", 1, 0);
        Waiter b = waits("b#1", 2, 3);
        waits("c#1", 3, 3);

        assertThat(chosen(read(0))).isEqualTo(b);
    }

    @Test
    @DisplayName(
            "Q-17: an absent writer is passed over, and one that is suspected; none is chosen if only those are left")
    void absentAndSuspectedOnesArePassedOver() {
        waits("gone#1", 1, 0);
        entries.remove("gone#1");
        Waiter silent = waits("silent#1", 2, 0);

        read(0);
        assertThat(chosen(read(SESSION / 4 - 1))).isEqualTo(silent);
        assertThat(chosen(read(SESSION / 4))).isNull();

        Waiter live = waits("live#1", 3, 0);
        assertThat(chosen(read(SESSION / 4))).isEqualTo(live);

        heartbeat("silent#1", 2);
        assertThat(chosen(read(SESSION / 4 + 1))).isEqualTo(silent);
    }

    @Test
    @DisplayName("A waiter that has just come to the head is not suspected before it can have sent a faster heartbeat")
    void writerThatHasJustComeNearIsNotSuspectedEarly() {
        for (int i = 0; i < WaitQueue.NEAR; i++) {
            waits("w" + i + "#1", i + 1, 0);
        }
        Waiter last = waits("last#1", 9, 0);
        sights.saw("last#1", 1, 0);
        read(0);

        long nowNanos = SESSION / 3;
        tickets.removeIf(ticket -> ticket.stampNanos() < 9);
        assertThat(chosen(read(nowNanos))).as("its third of a session is over").isEqualTo(last);
        assertThat(chosen(read(SESSION / 2))).as("half of it is").isNull();
    }

    @Test
    @DisplayName(
            "What others waited for is old once a holder that looks would have read it again; an empty queue only where tickets are expected")
    void viewOfWaitersBecomesOld() {
        assertThat(read(0).isOld(false, SESSION)).isFalse();
        assertThat(read(0).isOld(true, WaitQueue.PERIOD_NANOS)).isFalse();
        assertThat(read(0).isOld(true, WaitQueue.PERIOD_NANOS + 1)).isTrue();
        assertThat(read(5 * SECOND).isOld(true, 5 * SECOND + WaitQueue.PERIOD_NANOS))
                .isFalse();
        assertThat(read(5 * SECOND).isOld(true, 5 * SECOND + WaitQueue.PERIOD_NANOS + 1))
                .isTrue();

        waits("a#1", 1, 0);
        assertThat(read(0).isOld(false, WaitQueue.PERIOD_NANOS)).isFalse();
        assertThat(read(0).isOld(false, WaitQueue.PERIOD_NANOS + 1)).isTrue();
    }

    @Test
    void ofThisEngineOnlyOpenTicketsAreChosen() {
        Waiter mine = waits(ME, 1, 0);
        Waiter other = waits("b#1", 2, 0);

        assertThat(read(0).choose(Set.of(1L), null)).isEqualTo(mine);
        assertThat(read(0).choose(Set.of(), null)).isEqualTo(other);
    }

    @Test
    void aTicketOfThisEngineThatWasNotReadYetKeepsTheTurnOfItsWaiter() {
        Request.Acquire first = new Request.Acquire("x", "h1", null, null).withTicket(1L);
        Request.Acquire second = new Request.Acquire("x", "h2", null, null);
        HandOver handOver = new HandOver(true, List.of(first, second), null, null);

        assertThat(handOver.ownOutside(read(0))).isEqualTo(first);
        waits(ME, 1, 0);
        assertThat(handOver.ownOutside(read(0)))
                .as("it has its turn in the queue")
                .isEqualTo(second);
        assertThat(handOver.ownFirst()).isEqualTo(first);
    }

    @Test
    void thePreferredInstanceGoesBeforeAllOthers() {
        waits("a#1", 1, 9);
        Waiter b = waits("b~x#1", 2, 0);

        assertThat(read(0).choose(Set.of(), "b.x")).isEqualTo(b);
        assertThat(read(0).view(0).hasInstance("b.x")).isTrue();
        assertThat(read(0).view(0).hasInstance("c")).isFalse();
    }

    @Test
    void aViewCountsForTheTenureThatWasReadWithIt() {
        waits("a#1", 1, 0);

        assertThat(read(0).wasReadUnder(7)).isTrue();
        assertThat(read(0).wasReadUnder(8)).isFalse();
    }

    @Test
    void positionsLeaveOutAbsentWriters() {
        waits("gone#1", 1, 0);
        entries.remove("gone#1");
        waits("b#1", 2, 4);
        waits(ME, 3, 0);

        QueueView view = read(0).view(0);

        assertThat(view.positions()).containsExactly(Map.entry(3L, 1));
        assertThat(view.position()).isEqualTo(1);
        assertThat(view.isNear()).isTrue();
        assertThat(view.absent()).containsExactly("gone#1");
        assertThat(view.others()).isEqualTo(1);
        assertThat(view.highestPriority()).isEqualTo(4);
        assertThat(QueueView.NONE.position()).isZero();
        tickets.removeIf(ticket -> ticket.writer().equals(ME));
        assertThat(read(0).view(0).position())
                .as("without a ticket, behind all that have one")
                .isGreaterThan(100);
    }

    @Test
    @DisplayName("Of the first four without an entry the writers are absent; of the fifth none was read")
    void absenceIsKnownOfTheFirstFour() {
        for (int i = 1; i <= WaitQueue.NEAR; i++) {
            waits("gone" + i + "#1", i, 0);
        }
        entries.clear();
        assertThat(chosen(read(0))).isNull();

        Waiter fifth = waits("unread#1", 5, 0);

        assertThat(chosen(read(0))).isEqualTo(fifth);
        assertThat(read(0).view(0).absent()).hasSize(WaitQueue.NEAR);
    }

    @Test
    @DisplayName("This engine is not absent nor silent in its own queue, whatever was read of its entry")
    void thisEngineIsAlive() {
        Waiter mine = waits(ME, 3, 0);
        entries.remove(ME);
        assertThat(read(0).choose(Set.of(3L), null)).isEqualTo(mine);

        heartbeat(ME, 1);
        sights.saw(ME, 1, 0);
        assertThat(read(10 * SESSION).choose(Set.of(3L), null)).isEqualTo(mine);
    }

    @Test
    @DisplayName("A writer without a session is not taken for silent")
    void writerWithoutASessionIsNotSilent() {
        Waiter waiter = waits("a#1", 1, 0);
        heartbeat("a#1", 1, null);
        sights.saw("a#1", 1, 0);

        assertThat(chosen(read(10 * SESSION))).isEqualTo(waiter);
    }

    @Test
    @DisplayName("At the head, a quarter of the session counts from the first read that shows the waiter near")
    void silenceAtTheHeadCountsFromTheReadThatShowsItNear() {
        Waiter waiter = waits("a#1", 1, 0);
        sights.saw("a#1", 1, 0);

        assertThat(chosen(read(5 * SECOND))).isEqualTo(waiter);
        assertThat(chosen(read(5 * SECOND + SESSION / 4 - 1))).isEqualTo(waiter);
        assertThat(chosen(read(5 * SECOND + SESSION / 4))).isNull();
    }

    @Test
    @DisplayName("A waiter that was far behind comes near with the read that shows it there")
    void farWaiterComesNear() {
        for (int i = 1; i <= WaitQueue.NEAR; i++) {
            waits("w" + i + "#1", i, 0);
        }
        Waiter last = waits("a#1", 9, 0);
        sights.saw("a#1", 1, 0);
        read(SECOND);
        tickets.removeIf(ticket -> ticket.stampNanos() < 9);

        read(5 * SECOND);

        assertThat(chosen(read(5 * SECOND + SESSION / 4 - 1))).isEqualTo(last);
        assertThat(chosen(read(5 * SECOND + SESSION / 4))).isNull();
    }

    @Test
    @DisplayName("A ticket is near for as long as itself was, not one of its writer or of its stamp")
    void nearnessIsThatOfTheTicket() {
        waits("a#1", 1, 0);
        waits("b#1", 2, 0);
        read(0);

        tickets.clear();
        Waiter next = waits("a#1", 2, 0);

        assertThat(chosen(read(SESSION / 4))).isEqualTo(next);
    }

    @Test
    @DisplayName("Of a short session the first six seconds at the head are no silence")
    void shortSessionsHaveSixSeconds() {
        Waiter waiter = waits("a#1", 1, 0);
        heartbeat("a#1", 1, 20 * SECOND);
        read(0);

        assertThat(chosen(read(6 * SECOND - 1))).isEqualTo(waiter);
        assertThat(chosen(read(6 * SECOND))).isNull();
    }

    @Test
    @DisplayName("The third of a queue is suspected after half of its session, and not after a quarter")
    void behindTheHeadHalfOfTheSessionCounts() {
        waits(ME, 1, 0);
        waits(ME, 2, 0);
        Waiter third = waits("a#1", 3, 0);
        read(0);

        assertThat(chosen(read(SESSION / 2 - 1))).isEqualTo(third);
        assertThat(chosen(read(SESSION / 2))).isNull();
    }

    @Test
    void theSecondOfAQueueIsAtItsHeadToo() {
        waits(ME, 1, 0);
        waits("a#1", 2, 0);
        read(0);

        assertThat(chosen(read(SESSION / 4))).isNull();
    }

    @Test
    @DisplayName("This engine stands far behind if it waits, and none of its tickets is among the first four")
    void standsFarBehind() {
        assertThat(read(0).isFar()).as("it does not wait").isFalse();
        for (int i = 1; i < WaitQueue.NEAR; i++) {
            waits("w" + i + "#1", i, 0);
        }
        assertThat(read(0).isFar()).as("others wait").isFalse();
        waits(ME, 4, 0);
        assertThat(read(0).isFar()).as("the fourth").isFalse();
        assertThat(read(0).view(0).isNear()).isTrue();

        tickets.remove(3);
        waits("w4#1", 4, 0);
        waits(ME, 5, 0);
        assertThat(read(0).isFar()).as("the fifth").isTrue();
        assertThat(read(0).view(0).isNear()).isFalse();

        tickets.add(0, new Waiter(ME, 6, "h", 0, null, 0, null));
        assertThat(read(0).isFar())
                .as("the first, and another ticket far behind")
                .isFalse();
        assertThat(read(0).view(0).position()).isZero();
    }

    @Test
    void withoutATicketNothingIsNear() {
        assertThat(QueueView.NONE.isNear()).isFalse();
        waits("a#1", 1, 0);
        assertThat(read(0).view(0).isNear()).isFalse();
    }

    @Test
    void aTicketIsKnownByItsWriterAndItsStamp() {
        waits("a#1", 1, 0);
        waits(ME, 2, 0);

        assertThat(read(0).hasOwn(1)).as("another writer's").isFalse();
        assertThat(read(0).hasOwn(2)).isTrue();
        assertThat(read(0).hasOwn(3)).isFalse();
    }

    @Test
    @DisplayName("A preferred instance gets the lease only for a ticket that is open, and else the first does")
    void preferredInstanceNeedsAnOpenTicket() {
        waits(ME, 1, 0);
        Waiter other = waits("b#1", 2, 0);

        assertThat(read(0).choose(Set.of(), "me")).as("its own is closed").isEqualTo(other);
        assertThat(read(0).choose(Set.of(), "c")).as("it does not wait").isEqualTo(other);
    }

    @Test
    @DisplayName("The highest priority is that of the first waiter of another engine that seems alive")
    void highestPriorityIsOfTheLiving() {
        waits("silent#1", 1, 9);
        waits("b#1", 2, 4);
        waits("c#1", 3, 2);

        assertThat(read(0).view(0).highestPriority()).isEqualTo(9);
        heartbeat("b#1", 2);
        heartbeat("c#1", 2);
        assertThat(read(SESSION).view(0).highestPriority()).isEqualTo(4);
    }

    @Test
    void fullIsAQueueThatTakesNoFurtherTicket() {
        assertThat(read(0).view(0).full()).isFalse();
        for (int i = 1; i <= StoredQueue.TICKETS_MAX; i++) {
            waits("a#1", i, 0);
        }
        assertThat(read(0).view(0).full()).isTrue();
    }

    @Test
    @DisplayName("The name of a writer that no engine has made is of no instance")
    void foreignNamesAreOfNoInstance() {
        waits("x", 1, 0);

        assertThat(read(0).view(0).hasInstance("x")).isFalse();
        assertThat(read(0).view(0).hasInstance("")).isTrue();
    }
}
