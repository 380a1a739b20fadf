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

/** The limits of what a read of the queue shows: whose entries were read, which writer is silent for how long, and what is near. */
class QueueOrderTest {

    private static final long SECOND = 1_000_000_000;
    private static final long SESSION = 40 * SECOND;
    private static final long QUARTER = SESSION / 4;
    private static final String ME = "me#1";

    private final WriterSights sights = new WriterSights(10);
    private final Map<String, WriterEntry> entries = new HashMap<>();
    private List<Waiter> tickets = new ArrayList<>();
    private @Nullable WaitQueue before;

    private Waiter waits(String writer, long stamp) {
        return waits(writer, stamp, 0);
    }

    private Waiter waits(String writer, long stamp, int priority) {
        Waiter ticket = new Waiter(writer, stamp, "h", priority, null, 0, null);
        tickets.add(ticket);
        return ticket;
    }

    /** Its entry is read with the queue, and does not change. */
    private void hasEntry(String writer, @Nullable Long sessionNanos) {
        entries.put(writer, new WriterEntry.Sound(writer, 1, null, sessionNanos, null));
    }

    private WaitQueue read(long nowNanos) {
        before = WaitQueue.of(
                new StoredQueue("x", tickets, null), 7, new ClockDocument(1, 0, entries), sights, before, ME, nowNanos);
        return before;
    }

    private QueueView view() {
        return read(0).view(0);
    }

    private @Nullable Waiter chosenAt(long nowNanos) {
        return read(nowNanos).choose(Set.of(), null);
    }

    @Test
    @DisplayName("Of the first four without an entry the writers are absent; of the fifth none was read")
    void absenceIsKnownOfTheFirstFour() {
        for (int i = 1; i <= WaitQueue.NEAR; i++) {
            waits("gone" + i + "#1", i);
        }
        assertThat(chosenAt(0)).isNull();

        Waiter fifth = waits("unread#1", 5);

        assertThat(chosenAt(0)).isEqualTo(fifth);
        assertThat(view().absent()).hasSize(WaitQueue.NEAR);
    }

    @Test
    @DisplayName("This engine is not absent nor silent in its own queue, whatever was read of its entry")
    void thisEngineIsAlive() {
        Waiter mine = waits(ME, 3);
        assertThat(read(0).choose(Set.of(3L), null)).isEqualTo(mine);

        hasEntry(ME, SESSION);
        sights.saw(ME, 1, 0);
        assertThat(read(10 * SESSION).choose(Set.of(3L), null)).isEqualTo(mine);
    }

    @Test
    @DisplayName("A writer without a session is not taken for silent")
    void writerWithoutASessionIsNotSilent() {
        Waiter waiter = waits("a#1", 1);
        hasEntry("a#1", null);
        sights.saw("a#1", 1, 0);

        assertThat(chosenAt(10 * SESSION)).isEqualTo(waiter);
    }

    @Test
    @DisplayName("At the head, a quarter of the session counts from the first read that shows the waiter near")
    void silenceAtTheHeadCountsFromTheReadThatShowsItNear() {
        Waiter waiter = waits("a#1", 1);
        hasEntry("a#1", SESSION);
        sights.saw("a#1", 1, 0);

        assertThat(chosenAt(5 * SECOND)).isEqualTo(waiter);
        assertThat(chosenAt(5 * SECOND + QUARTER - 1)).isEqualTo(waiter);
        assertThat(chosenAt(5 * SECOND + QUARTER)).isNull();
    }

    @Test
    @DisplayName("A waiter that was far behind comes near with the read that shows it there")
    void farWaiterComesNear() {
        for (int i = 1; i <= WaitQueue.NEAR; i++) {
            waits("w" + i + "#1", i);
            hasEntry("w" + i + "#1", null);
        }
        Waiter last = waits("a#1", 9);
        hasEntry("a#1", SESSION);
        sights.saw("a#1", 1, 0);
        read(SECOND);
        tickets = new ArrayList<>(List.of(last));

        read(5 * SECOND);

        assertThat(chosenAt(5 * SECOND + QUARTER - 1)).isEqualTo(last);
        assertThat(chosenAt(5 * SECOND + QUARTER)).isNull();
    }

    @Test
    @DisplayName("A ticket is near for as long as itself was, not one of its writer or of its stamp")
    void nearnessIsThatOfTheTicket() {
        waits("a#1", 1);
        waits("b#1", 2);
        hasEntry("a#1", SESSION);
        hasEntry("b#1", SESSION);
        sights.saw("a#1", 1, 0);
        sights.saw("b#1", 1, 0);
        read(0);

        tickets = new ArrayList<>();
        Waiter next = waits("a#1", 2);

        assertThat(chosenAt(QUARTER)).isEqualTo(next);
    }

    @Test
    @DisplayName("Of a short session the first six seconds at the head are no silence")
    void shortSessionsHaveSixSeconds() {
        Waiter waiter = waits("a#1", 1);
        hasEntry("a#1", 20 * SECOND);
        sights.saw("a#1", 1, 0);
        read(0);

        assertThat(chosenAt(6 * SECOND - 1)).isEqualTo(waiter);
        assertThat(chosenAt(6 * SECOND)).isNull();
    }

    @Test
    @DisplayName("The third of a queue is suspected after half of its session, and not after a quarter")
    void behindTheHeadHalfOfTheSessionCounts() {
        waits(ME, 1);
        waits(ME, 2);
        Waiter third = waits("a#1", 3);
        hasEntry("a#1", SESSION);
        sights.saw("a#1", 1, 0);
        read(0);

        assertThat(chosenAt(SESSION / 2 - 1)).isEqualTo(third);
        assertThat(chosenAt(SESSION / 2)).isNull();
    }

    @Test
    void theSecondOfAQueueIsAtItsHeadToo() {
        waits(ME, 1);
        waits("a#1", 2);
        hasEntry("a#1", SESSION);
        sights.saw("a#1", 1, 0);
        read(0);

        assertThat(chosenAt(QUARTER)).isNull();
    }

    @Test
    @DisplayName("A view becomes old a second after its read, whenever that was")
    void ageCountsFromTheRead() {
        WaitQueue queue = read(5 * SECOND);

        assertThat(queue.isOld(true, 5 * SECOND + WaitQueue.PERIOD_NANOS)).isFalse();
        assertThat(queue.isOld(true, 5 * SECOND + WaitQueue.PERIOD_NANOS + 1)).isTrue();
    }

    @Test
    @DisplayName("This engine stands far behind if it waits, and none of its tickets is among the first four")
    void standsFarBehind() {
        assertThat(read(0).isFar()).as("it does not wait").isFalse();
        for (int i = 1; i < WaitQueue.NEAR; i++) {
            waits("w" + i + "#1", i);
            hasEntry("w" + i + "#1", null);
        }
        assertThat(read(0).isFar()).as("others wait").isFalse();
        waits(ME, 4);
        assertThat(read(0).isFar()).as("the fourth").isFalse();
        assertThat(view().isNear()).isTrue();

        tickets.remove(3);
        waits("w4#1", 4);
        hasEntry("w4#1", null);
        waits(ME, 5);
        assertThat(read(0).isFar()).as("the fifth").isTrue();
        assertThat(view().isNear()).isFalse();

        tickets.add(0, new Waiter(ME, 6, "h", 0, null, 0, null));
        assertThat(read(0).isFar())
                .as("the first, and another ticket far behind")
                .isFalse();
        assertThat(view().position()).isZero();
    }

    @Test
    void withoutATicketNothingIsNear() {
        assertThat(QueueView.NONE.isNear()).isFalse();
        waits("a#1", 1);
        assertThat(view().isNear()).isFalse();
    }

    @Test
    void aTicketIsKnownByItsWriterAndItsStamp() {
        waits("a#1", 1);
        waits(ME, 2);

        assertThat(read(0).hasOwn(1)).as("another writer's").isFalse();
        assertThat(read(0).hasOwn(2)).isTrue();
        assertThat(read(0).hasOwn(3)).isFalse();
    }

    @Test
    @DisplayName("A preferred instance gets the lease only for a ticket that is open, and else the first does")
    void preferredInstanceNeedsAnOpenTicket() {
        waits(ME, 1);
        Waiter other = waits("b#1", 2);
        hasEntry("b#1", null);

        assertThat(read(0).choose(Set.of(), "me")).as("its own is closed").isEqualTo(other);
        assertThat(read(0).choose(Set.of(), "c")).as("it does not wait").isEqualTo(other);
    }

    @Test
    @DisplayName("The highest priority is that of the first waiter of another engine that seems alive")
    void highestPriorityIsOfTheLiving() {
        waits("silent#1", 1, 9);
        hasEntry("silent#1", SESSION);
        sights.saw("silent#1", 1, 0);
        waits("b#1", 2, 4);
        hasEntry("b#1", null);
        waits("c#1", 3, 2);
        hasEntry("c#1", null);

        assertThat(view().highestPriority()).isEqualTo(9);
        assertThat(read(SESSION).view(0).highestPriority()).isEqualTo(4);
    }

    @Test
    void fullIsAQueueThatTakesNoFurtherTicket() {
        assertThat(view().full()).isFalse();
        for (int i = 1; i <= StoredQueue.TICKETS_MAX; i++) {
            waits("a#1", i);
        }
        assertThat(view().full()).isTrue();
    }

    @Test
    @DisplayName("The name of a writer that no engine has made is of no instance")
    void foreignNamesAreOfNoInstance() {
        waits("x", 1);
        hasEntry("x", null);

        assertThat(view().hasInstance("x")).isFalse();
        assertThat(view().hasInstance("")).isTrue();
    }
}
