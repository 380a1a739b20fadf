package dev.leasehold.engine.internal.rules;

import static dev.leasehold.engine.internal.rules.Fixture.ME;
import static dev.leasehold.engine.internal.rules.Fixture.STALLED;
import static dev.leasehold.engine.internal.rules.Fixture.Z;
import static dev.leasehold.engine.internal.rules.Fixture.queue;
import static dev.leasehold.engine.internal.rules.Fixture.tenure;
import static dev.leasehold.engine.internal.rules.Fixture.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.store.Waiter;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * To which waiter a release gives the lease, and when to none. Tickets are written {@code writer/priority@stamp}, waiters of the releasing engine
 * {@code holder/priority} or, with a ticket, {@code holder/priority@stamp}.
 */
class ReleaseToWaitersTest {

    private static final long BOUND = Z + 60;
    private static final Waiter B = Fixture.ticket("b#1", 5, 0);

    @ParameterizedTest(name = "tickets {0}, waiting here {1}, preferred {2}: {3}")
    @DisplayName(
            "The preferred instance goes first, then the higher priority, then the earlier arrival; waiters without a ticket behind all tickets of their priority")
    @CsvSource(delimiter = '|', textBlock = """
            #tickets        | waiting here | preferred | then
                            |              |           | vacant
                            | x/0          |           | next of x
                            | x/0 y/9      |           | next of x
            b/0@5           |              |           | grant to b#1
            b/0@5 c/0@4     |              |           | grant to b#1
            b/0@5 c/1@6     |              |           | grant to c#1
            b/0@5 c/1@6     |              | b         | grant to b#1
            b/0@5 c/1@6     |              | d         | grant to c#1
            b/0@5           | x/0          |           | grant to b#1
            b/0@5           | x/1          |           | next of x
            b/2@5           | x/1          |           | grant to b#1
            b/0@5           | x/1          | b         | grant to b#1
            # the ticket was not read yet
            b/0@5           | x/1@9        |           | next of x
            # it was read, and has its turn in the queue
            me/0@7 b/0@8    | x/0@7        |           | next of x
            b/0@5 me/0@7    | x/0@7        |           | grant to b#1
            b/0@5 me/0@7    | x/0@7 y/1    |           | next of y
            # the turn of any ticket of this engine is that of its first waiter
            me/0@7 b/0@8    | y/0 x/0@7    |           | next of y
            # the ticket is closed
            me/0@7 b/0@8    |              |           | grant to b#1
            me/0@7 b/0@8    | x/0          |           | grant to b#1
            me/0@7          |              |           | vacant
            """)
    void theFirstWaiterIsChosen(
            @Nullable String tickets, @Nullable String here, @Nullable String preferred, String then) {
        WaitQueue queue = queue(Z, each(tickets, ReleaseToWaitersTest::ticket).toArray(Waiter[]::new));
        HandOver handOver = new HandOver(false, each(here, ReleaseToWaitersTest::waiter), preferred, null);

        assertThat(release("own session", null, handOver, queue)).isEqualTo(then);
    }

    @ParameterizedTest(name = "a waiter expected: {0}, queue {1}, {2} ns older than its period: {3}")
    @DisplayName(
            "What was not read, or long ago, is read first where a waiter may be there; otherwise the lease goes vacant")
    @CsvSource({
        "false, unread, 0, vacant",
        "true, unread, 0, read first",
        "true, empty, 0, vacant",
        "true, empty, 1, read first",
        "false, empty, 1, vacant",
        "true, b, 0, grant to b#1",
        "false, b, 0, grant to b#1",
        "true, b, 1, read first",
        "false, b, 1, read first"
    })
    void anOldViewIsReadAgain(boolean expected, String seen, long olderNanos, String then) {
        long readNanos = Z - WaitQueue.PERIOD_NANOS - olderNanos;
        WaitQueue queue = switch (seen) {
            case "unread" -> null;
            case "empty" -> queue(readNanos);
            default -> queue(readNanos, B);
        };

        assertThat(release("own session", null, new HandOver(expected, List.of(), null, null), queue))
                .isEqualTo(then);
    }

    @Test
    @DisplayName("A waiter of this engine does not get what was released without reading the queue")
    void withoutAViewTheLeaseGoesVacant() {
        HandOver handOver = new HandOver(false, List.of(waiting("x", 0, null)), null, null);

        assertThat(release("own session", null, handOver, null)).isEqualTo("vacant");
    }

    @ParameterizedTest(name = "{0}, {1} ns after the stamp: {2}")
    @DisplayName("Nothing is granted of a lease that is pinned or to be kept free")
    @CsvSource({
        "own session, , grant to b#1",
        "own held, , grant to b#1",
        "foreign held, , grant to b#1",
        "own session, -1, grant to b#1",
        "own session, 0, grant to b#1",
        "own session, 1, kept free",
        "pinned own session, , vacant",
        "pinned own held, 0, vacant",
        "pinned own session, 1, kept free"
    })
    void pinsAndMinimumHoldsComeBeforeWaiters(String lease, @Nullable Long afterNanos, String then) {
        Long notBeforeNanos = afterNanos == null ? null : (Long) (STALLED.stampNanos() + afterNanos);

        assertThat(release(lease, notBeforeNanos, HandOver.TO_KNOWN_WAITERS, queue(Z, B)))
                .isEqualTo(then);
    }

    @Test
    @DisplayName("Q-27: an engine without a wait queue grants to no ticket")
    void withoutAWaitQueueTheLeaseGoesVacant() {
        assertThat(release("own session", null, null, queue(Z, B))).isEqualTo("vacant");
    }

    @Test
    void onlyATicketOfThePreferredInstanceIsWhatWasAskedFor() {
        HandOver asked = new HandOver(true, List.of(), "shop.eu", null);

        assertThat(asked.asksFor("shop~eu#1")).isTrue();
        assertThat(asked.asksFor("shop~us#1")).isFalse();
        assertThat(HandOver.TO_KNOWN_WAITERS.asksFor("shop~eu#1")).isFalse();
    }

    @Test
    void openTicketsAreThoseOfWaitersThatHaveOne() {
        HandOver handOver = new HandOver(
                true, List.of(waiting("x", 0, 7L), waiting("y", 0, null), waiting("z", 0, 8L)), null, null);

        assertThat(handOver.openTickets()).isEqualTo(Set.of(7L, 8L));
    }

    private static String release(
            String lease, @Nullable Long notBeforeNanos, @Nullable HandOver handOver, @Nullable WaitQueue queue) {
        Decision decision = LeaseRules.decide(
                new Request.Release(tenure("h", 3), notBeforeNanos, false, handOver),
                Fixture.lease(lease, BOUND),
                STALLED,
                new LocalKnowledge(null, true, true, queue));
        if (decision instanceof Decision.ReadFirst) {
            return "read first";
        }
        assertThat(decision).isInstanceOf(Decision.Write.class);
        LeaseDocument next = ((LeaseWrite.Replace) ((Decision.Write) decision).write()).document();
        if (next.isVacant()) {
            return next.isKeptFree() ? "kept free" : "vacant";
        }
        return next.writer().equals(ME) ? "next of " + next.holder() : "grant to " + next.writer();
    }

    private static <T> List<T> each(@Nullable String words, Function<String, T> read) {
        return words == null
                ? List.of()
                : Arrays.stream(words.split(" ")).map(read).toList();
    }

    private static Waiter ticket(String word) {
        String[] parts = word.split("[/@]");
        return Fixture.ticket(parts[0] + "#1", Long.parseLong(parts[2]), Integer.parseInt(parts[1]));
    }

    private static Request.Acquire waiter(String word) {
        String[] parts = word.split("[/@]");
        return waiting(parts[0], Integer.parseInt(parts[1]), parts.length == 2 ? null : Long.valueOf(parts[2]));
    }
}
