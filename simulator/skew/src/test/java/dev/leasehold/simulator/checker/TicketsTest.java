package dev.leasehold.simulator.checker;

import static dev.leasehold.simulator.checker.Guarantee.G3;
import static dev.leasehold.simulator.checker.Guarantee.G4;
import static dev.leasehold.simulator.checker.Guarantee.G5;
import static dev.leasehold.simulator.checker.Guarantee.G7;
import static dev.leasehold.simulator.checker.Guarantee.G8;
import static dev.leasehold.simulator.checker.Guarantee.LIM;
import static dev.leasehold.simulator.checker.Guarantee.T2;
import static dev.leasehold.simulator.checker.HistoryBuilder.HEARTBEAT;
import static dev.leasehold.simulator.checker.HistoryBuilder.LEASE;
import static dev.leasehold.simulator.checker.HistoryBuilder.S;
import static dev.leasehold.simulator.checker.HistoryBuilder.SESSION;
import static dev.leasehold.simulator.checker.HistoryBuilder.tenure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.Change.TicketRow;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Operation;
import dev.leasehold.simulator.history.Operation.Kind;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Tickets, grants, and the order of waiters: G3, G4, G5, G7, G8, T2. */
class TicketsTest {

    private final HistoryBuilder history = new HistoryBuilder();

    /** Machine 0 holds the lease from one second on, and machine 1 waits with this ticket from two seconds on. */
    private int handle;

    private int waiter;

    private TicketRow waiting() {
        handle = history.at(S).acquires(0, "a", 1);
        history.holds(0, tenure("a", 1), 11 * S);
        history.at(2 * S).beats(1);
        waiter = history.waits(1, "b");
        TicketRow ticket = history.ticket(1, "b", 0);
        history.queue(1, ticket);
        return ticket;
    }

    private void closes(long atNanos) {
        history.at(atNanos).holdsNoMore(0, tenure("a", 1));
        history.yes(history.closing(0, handle, tenure("a", 1)), null);
    }

    @Nested
    class Hearing {

        @Test
        void releaseMayBeginTheNextTenureForATicket() {
            TicketRow ticket = waiting();
            closes(3 * S);
            HeldTenure b = history.grants(0, ticket, 2);
            history.at(4 * S).yes(waiter, b).holds(1, b, 12 * S);

            assertThat(history.broken()).isEmpty();
        }

        @Test
        void releaseByTheTenureMayGrantToo() {
            TicketRow ticket = waiting();
            history.at(3 * S).holdsNoMore(0, tenure("a", 1));
            int release = history.call(0, Kind.RELEASE, null, tenure("a", 1), 0);
            HeldTenure b = history.grants(0, ticket, 2);
            history.yes(release, tenure("a", 1));
            history.at(4 * S).yes(waiter, b).holds(1, b, 12 * S);

            assertThat(history.broken()).isEmpty();
        }

        @Test
        void hearingIsNoSignOfLife() {
            TicketRow ticket = waiting();
            closes(3 * S);
            HeldTenure b = history.grants(0, ticket, 2);
            history.at(4 * S).yes(waiter, b).holds(1, b, 14 * S);

            assertThat(history.broken()).containsExactly(G8);
        }

        @Test
        void closedTicketLeadsToNoTenure() {
            TicketRow ticket = waiting();
            history.at(2 * S + S / 2).no(waiter, Answer.CANCELLED);
            closes(3 * S);
            HeldTenure b = history.grants(0, ticket, 2);
            assertThat(history.broken()).isEmpty();

            TicketsTest other = new TicketsTest();
            TicketRow closed = other.waiting();
            other.history.no(other.waiter, "HELD", HistoryBuilder.heldBy("a", 1));
            other.closes(3 * S);
            other.history.grants(0, closed, 2);
            other.history.at(4 * S).holds(1, b, 12 * S);
            assertThat(other.history.broken()).contains(G8);
        }

        @Test
        void grantUnderAClosedTicketIsReleased() {
            TicketRow ticket = waiting();
            history.no(waiter, "HELD", HistoryBuilder.heldBy("a", 1));
            closes(3 * S);
            history.grants(0, ticket, 2);
            history.at(4 * S).vacates(1, 2);

            assertThat(history.broken()).isEmpty();
        }

        @Test
        void releaseMayBeginTheNextTenureForACallThatIsRefusedMeanwhile() {
            handle = history.at(S).acquires(0, "a", 1);
            int second = history.waits(0, "c");
            history.no(second, "HELD", HistoryBuilder.heldBy("a", 1)).at(2 * S);
            history.yes(history.closing(0, handle, tenure("a", 1)), null);
            history.store(history.engine(0), history.row(0, "c", 2, null));
            history.vacates(0, 2);
            assertThat(history.broken()).isEmpty();

            history.holds(0, tenure("c", 2), 3 * S);
            assertThat(history.broken()).contains(G8);
        }

        @Test
        void ticketLeadsToOneTenure() {
            TicketRow ticket = waiting();
            closes(3 * S);
            HeldTenure b = history.grants(0, ticket, 2);
            history.at(4 * S).yes(waiter, b).holds(1, b, 12 * S);
            int close = history.at(5 * S).holdsNoMore(1, b).closing(1, waiter, b);
            history.vacates(1, 2).yes(close, null);
            int again = history.at(6 * S).acquires(0, "a", 3);
            history.closing(0, again, tenure("a", 3));
            HeldTenure next = history.grants(0, ticket, 4);
            assertThat(history.broken()).as("granted again").isEmpty();

            history.holds(1, next, 12 * S);
            assertThat(history.broken()).as("heard again").isNotEmpty().containsOnly(G8);
        }

        @Test
        void holderHasEndedItsValidityBefore() {
            TicketRow ticket = waiting();
            history.at(3 * S);
            history.closing(0, handle, tenure("a", 1));
            HeldTenure b = history.grants(0, ticket, 2);
            history.at(4 * S).holds(0, tenure("a", 1), 11 * S).yes(waiter, b).holds(1, b, 12 * S);

            assertThat(history.broken()).contains(T2);
        }
    }

    @Nested
    class Granting {

        @Test
        void tenureBeginsByAClaimOrForATicket() {
            TicketRow ticket = waiting();
            closes(3 * S);
            history.grants(0, new TicketRow(ticket.writer(), ticket.stampNanos() + 1, "b", 0), 2);

            assertThat(history.broken()).containsExactly(G8, G8);
        }

        @Test
        void grantNamesTheWriterOfTheTicket() {
            TicketRow ticket = waiting();
            closes(3 * S);
            history.grants(0, new TicketRow(history.writer(0), history.stamp(0), "b", 0), 2);

            assertThat(ticket.holder()).isEqualTo("b");
            assertThat(history.broken()).isNotEmpty().containsOnly(G8);
        }

        @Test
        void grantBeginsANewToken() {
            TicketRow ticket = waiting();
            closes(3 * S);
            history.grants(0, ticket, 1);

            assertThat(history.broken()).contains(G5);
        }

        @Test
        void stampsOfAWriterMayGoBackInAGrantAlone() {
            TicketRow ticket = waiting();
            closes(3 * S);
            HeldTenure b = history.grants(0, ticket, 2);
            history.at(4 * S).yes(waiter, b).holds(1, b, 12 * S);
            int handleOfB = waiter;
            history.at(5 * S).holdsNoMore(1, b).closing(1, handleOfB, b);
            history.vacates(1, 2);
            int last = history.at(6 * S).acquires(1, "b", 3);
            history.closing(1, last, tenure("b", 3));
            history.grants(1, ticket, 4);
            assertThat(history.broken()).isEmpty();

            LeaseRow row = history.row(1, "b", 4, null);
            history.store(
                    history.engine(1),
                    new LeaseRow("b", 4, row.writer(), ticket.stampNanos() - 1, null, 0, Set.of(), true));
            assertThat(history.broken()).contains(G4);
        }

        @Test
        void pinnedLeaseIsNotGranted() {
            TicketRow ticket = waiting();
            history.call(1, new Operation(Kind.PIN, LEASE, "entity", null, 0, false));
            history.pinned(1, "entity");
            closes(3 * S);
            history.store(
                    history.engine(0),
                    new LeaseRow("b", 2, ticket.writer(), ticket.stampNanos(), null, 0, Set.of("entity"), true));

            assertThat(history.broken()).containsExactly(G8);
        }

        @Test
        void leaseThatIsToBeKeptFreeIsNotGranted() {
            assertThat(grantedAfter(3 * S).broken()).containsExactly(G3);
            assertThat(grantedAfter(6 * S).broken()).isEmpty();
        }

        /** It is the engine that lost the lease which keeps it free no longer. */
        @Test
        void lossElsewhereEndsNoMinimumHold() {
            assertThat(grantedAfterALossOn(0).broken()).doesNotContain(G3);
            assertThat(grantedAfterALossOn(2).broken()).contains(G3);
        }

        private HistoryBuilder grantedAfterALossOn(int machine) {
            HistoryBuilder builder = new HistoryBuilder();
            return grantedAfter(3 * S, builder, () -> {
                int other = builder.joins(machine, tenure("a", 1));
                builder.loses(machine, other, tenure("a", 1), "EXPIRED");
            });
        }

        @Test
        void timeThatRanOutUntoldEndsAMinimumHold() {
            assertThat(grantedAfterValidityUntil(4 * S).broken()).contains(G3);
            assertThat(grantedAfterValidityUntil(4 * S - 1).broken()).doesNotContain(G3);
        }

        private HistoryBuilder grantedAfterValidityUntil(long untilNanos) {
            HistoryBuilder builder = new HistoryBuilder();
            return grantedAfter(
                    3 * S,
                    builder,
                    () -> builder.at(2 * S).holds(0, tenure("a", 1), untilNanos).at(4 * S));
        }

        private HistoryBuilder grantedAfter(long nanos) {
            return grantedAfter(nanos, new HistoryBuilder(), () -> {});
        }

        private HistoryBuilder grantedAfter(long nanos, HistoryBuilder builder, Runnable before) {
            int call = builder.at(S)
                    .call(
                            0,
                            new Operation(
                                    Kind.ACQUIRE, LEASE, "a", null, SESSION, true, 0, false, 5 * S, null, null, false));
            builder.beats(0)
                    .store(builder.engine(0), builder.row(0, "a", 1, null))
                    .yes(call, tenure("a", 1));
            builder.at(2 * S).beats(1);
            builder.waits(1, "b");
            TicketRow ticket = builder.ticket(1, "b", 0);
            builder.queue(1, ticket).at(S + nanos);
            before.run();
            builder.closing(0, call, tenure("a", 1));
            builder.grants(0, ticket, 2);
            return builder;
        }

        @Test
        void noOtherEngineGrants() {
            TicketRow ticket = waiting();
            history.at(3 * S).grants(2, ticket, 2);

            assertThat(history.broken()).contains(G3);
        }

        @Test
        void leaseGrantedToAnAbsentWriterIsFree() {
            TicketRow ticket = waiting();
            history.at(12 * S + S / 2).beats(0).evicts(2, 1);
            closes(13 * S);
            history.grants(0, ticket, 2);
            int other = history.at(14 * S).acquires(2, "c", 3);

            assertThat(other).isPositive();
            assertThat(history.broken()).isEmpty();
        }

        @Test
        void leaseGrantedToAPresentWriterIsNotTaken() {
            TicketRow ticket = waiting();
            closes(3 * S);
            history.grants(0, ticket, 2);
            history.at(4 * S).acquires(2, "c", 3);

            assertThat(history.broken()).containsExactly(G3);
        }
    }

    @Nested
    class Tickets {

        @Test
        void ticketIsSentForACallThatWaits() {
            history.at(S).beats(1).queue(1, history.ticket(1, "b", 0));

            assertThat(history.broken()).containsExactly(G8);
        }

        @Test
        void ticketNamesItsSender() {
            history.at(S).waits(1, "b");
            history.queue(2, history.ticket(1, "b", 0));

            assertThat(history.broken()).containsExactly(G8);
        }

        @Test
        void stampOfATicketHasBeenShown() {
            history.at(S).waits(1, "b");
            history.queue(1, new TicketRow(history.writer(1), history.stamp(1) + S, "b", 0));

            assertThat(history.broken()).containsExactly(G4);
        }

        @Test
        void ticketWithWhichNoCallWaitsLeavesItsQueue() {
            long slackNanos = history.bounds().slackNanos();
            history.at(S).beats(1);
            int call = history.waits(1, "b");
            history.queue(1, history.ticket(1, "b", 0));
            history.at(2 * S).no(call, Answer.CANCELLED);
            assertThat(history.at(2 * S + slackNanos).ends().broken()).isEmpty();

            HistoryBuilder builder = new HistoryBuilder();
            builder.at(S).beats(1);
            int other = builder.waits(1, "b");
            builder.queue(1, builder.ticket(1, "b", 0));
            builder.at(2 * S).no(other, Answer.CANCELLED);
            assertThat(builder.at(2 * S + slackNanos + 1).ends().broken()).containsExactly(LIM);
        }

        @Test
        void waiterMaySendHeartbeatsEveryTenthOfItsSession() {
            history.at(S).beats(1).at(5 * S).beats(1).at(6 * S).beats(1);
            assertThat(history.broken()).containsExactly(LIM);

            HistoryBuilder builder = new HistoryBuilder();
            builder.at(S).beats(1).at(5 * S).beats(1).waits(1, "b");
            builder.queue(1, builder.ticket(1, "b", 0)).at(6 * S).beats(1);
            assertThat(builder.broken()).isEmpty();
            builder.queue(1).at(7 * S).beats(1);
            assertThat(builder.broken())
                    .as("it has not seen yet that it has left the queue")
                    .isEmpty();
            builder.at(7 * S + SESSION / 20).beats(1);
            assertThat(builder.broken()).containsExactly(LIM);
            assertThat(SESSION / 10).isLessThan(HEARTBEAT);
        }
    }

    @Nested
    class Order {

        private HistoryBuilder granted(int machine, int priority, boolean toTheSecond, boolean withFault) {
            HistoryBuilder builder = new HistoryBuilder();
            int handle = builder.at(S).acquires(0, "a", 1);
            builder.holds(0, tenure("a", 1), 11 * S);
            builder.at(2 * S).beats(1).beats(2);
            builder.waits(1, "b");
            TicketRow first = builder.ticket(1, "b", 0);
            builder.queue(1, first);
            builder.waits(2, "c", priority);
            TicketRow second = builder.ticket(2, "c", priority);
            builder.queue(2, first, second);
            if (withFault) {
                builder.fault(1, "PAUSE", S);
            }
            builder.at(8 * S).holdsNoMore(0, tenure("a", 1)).closing(machine, handle, tenure("a", 1));
            builder.grants(machine, toTheSecond ? second : first, 2);
            return builder;
        }

        @Test
        void firstComesFirst() {
            assertThat(granted(0, 0, false, false).broken()).isEmpty();
            assertThat(granted(0, 0, true, false).broken()).containsExactly(G7);
        }

        @Test
        void higherPriorityComesFirst() {
            assertThat(granted(0, 5, true, false).broken()).isEmpty();
            assertThat(granted(0, 5, false, false).broken()).containsExactly(G7);
        }

        @Test
        void faultMayChangeTheOrder() {
            assertThat(granted(0, 0, true, true).broken()).isEmpty();
        }

        @Test
        void nextTenurePassesOverOneThatAsksForATerm() {
            assertThat(nextPassesOver(false, 90 * S).broken()).isEmpty();
            assertThat(nextPassesOver(true, 90 * S).broken()).containsExactly(G7);
        }

        @Test
        void nextTenurePassesOverOneWhoseWaitIsOver() {
            assertThat(nextPassesOver(true, 0).broken()).isEmpty();
            assertThat(nextPassesOver(true, 2 * S).broken()).isEmpty();
            assertThat(nextPassesOver(true, 2 * S + 1).broken()).containsExactly(G7);
        }

        private HistoryBuilder nextPassesOver(boolean session, long waitNanos) {
            HistoryBuilder builder = new HistoryBuilder();
            int handle = builder.at(S).acquires(0, "a", 1);
            builder.call(0, new Operation(Kind.ACQUIRE, LEASE, "b", null, SESSION, session, waitNanos));
            int taker = builder.at(2 * S).waits(0, "c");
            builder.at(3 * S).closing(0, handle, tenure("a", 1));
            builder.store(builder.engine(0), builder.row(0, "c", 2, null)).yes(taker, tenure("c", 2));
            return builder;
        }

        @Test
        void nextTenureOfSeveralCallsOfItsHolderIsThatOfTheFirstInTheQueue() {
            assertThat(nextIsSharedWithOneOf(-1).broken()).isEmpty();
            assertThat(nextIsSharedWithOneOf(0).broken()).containsExactly(G7);
        }

        private HistoryBuilder nextIsSharedWithOneOf(int priority) {
            HistoryBuilder builder = new HistoryBuilder();
            int handle = builder.at(S).acquires(0, "a", 1);
            builder.waits(0, "b", priority);
            int low = builder.at(2 * S).waits(0, "c", -1);
            int high = builder.waits(0, "c", 0);
            builder.at(3 * S).closing(0, handle, tenure("a", 1));
            builder.store(builder.engine(0), builder.row(0, "c", 2, null));
            return builder.yes(high, tenure("c", 2)).yes(low, tenure("c", 2));
        }

        @Test
        void nextTenureIsOfThoseThatWaitedWhenItsReleaseBegan() {
            assertThat(nextIsOfOneThatWasRefused(3 * S).broken()).isEmpty();
            assertThat(nextIsOfOneThatWasRefused(3 * S - 1).broken()).containsExactly(G7);
        }

        private HistoryBuilder nextIsOfOneThatWasRefused(long refusedNanos) {
            HistoryBuilder builder = new HistoryBuilder();
            HeldTenure held = tenure("a", 1);
            int handle = builder.at(S).acquires(0, "a", 1);
            builder.holds(0, held, 11 * S).waits(0, "b");
            int low = builder.at(2 * S).waits(0, "c");
            int high = builder.waits(0, "c", 1);
            builder.at(refusedNanos).no(high, "HELD", HistoryBuilder.heldBy("a", 1));
            builder.at(3 * S).closing(0, handle, held);
            builder.holdsNoMore(0, held).at(4 * S).store(builder.engine(0), builder.row(0, "c", 2, null));
            return builder.yes(low, tenure("c", 2));
        }

        @Test
        void nextTenurePassesOverOneWithoutATicketThoughItsHolderHasNoNameYet() {
            assertThat(nextPassesOverUnnamed(false).broken()).isEmpty();
            assertThat(nextPassesOverUnnamed(true).broken()).containsExactly(G7);
        }

        private HistoryBuilder nextPassesOverUnnamed(boolean hasTicket) {
            HistoryBuilder builder = new HistoryBuilder();
            String holders = builder.writer(0) + "/";
            int before = builder.at(S).waits(0, null);
            TicketRow ticketBefore = builder.beats(0).ticket(0, holders + 1, 0);
            builder.queue(0, ticketBefore).at(2 * S);
            HeldTenure first = tenure(holders + 1, 1);
            builder.store(builder.engine(0), builder.row(0, holders + 1, 1, null))
                    .yes(before, first)
                    .at(3 * S)
                    .waits(0, null);
            TicketRow passedOver = builder.ticket(0, holders + 2, 0);
            int taker = builder.at(4 * S).waits(0, null);
            TicketRow ticket = builder.ticket(0, holders + 3, 0);
            builder.at(5 * S);
            if (hasTicket) {
                builder.queue(0, passedOver, ticket);
            } else {
                builder.queue(0, ticket);
            }
            builder.at(6 * S).closing(0, before, first);
            builder.store(builder.engine(0), builder.row(0, holders + 3, 2, null));
            return builder.yes(taker, tenure(holders + 3, 2));
        }

        @Test
        void priorityOfOneThatAsksForATermCountsWithinAnEngine() {
            assertThat(termIsPassedOver(-1).broken()).isEmpty();
            assertThat(termIsPassedOver(0).broken()).containsExactly(G7);
        }

        private HistoryBuilder termIsPassedOver(int priority) {
            HistoryBuilder builder = new HistoryBuilder();
            int handle = builder.at(S).acquires(0, "a", 1);
            builder.call(
                    0,
                    new Operation(
                            Kind.ACQUIRE, LEASE, "b", null, SESSION, false, 90 * S, false, 0, null, priority, false));
            int taker = builder.at(2 * S).waits(0, "c");
            builder.at(3 * S).closing(0, handle, tenure("a", 1));
            builder.vacates(0, 1);
            builder.at(4 * S)
                    .store(builder.engine(0), builder.row(0, "c", 2, null))
                    .yes(taker, tenure("c", 2));
            return builder;
        }

        @Test
        void ticketThatCameLateMayBePassedOver() {
            TicketRow first = waiting();
            history.at(7 * S).waits(2, "c", 5);
            TicketRow second = history.ticket(2, "c", 5);
            history.queue(2, first, second);
            closes(8 * S);
            history.grants(0, first, 2);

            assertThat(history.broken()).isEmpty();
        }

        @Test
        void waiterThatWasAnsweredMayBePassedOver() {
            TicketRow first = waiting();
            history.waits(2, "c");
            TicketRow second = history.ticket(2, "c", 0);
            history.queue(2, first, second);
            history.at(7 * S).no(waiter, Answer.CANCELLED);
            closes(8 * S);
            history.grants(0, second, 2);

            assertThat(history.broken()).isEmpty();
        }
    }

    @Nested
    class Shown {

        private final long dueNanos = history.bounds().hearingNanos();

        @Test
        void engineHearsOfAGrantWithinTheBound() {
            TicketRow ticket = waiting();
            closes(3 * S);
            history.grants(0, ticket, 2);
            assertThat(history.at(3 * S + dueNanos - 1).ends().broken()).isEmpty();

            TicketsTest other = new TicketsTest();
            TicketRow unheard = other.waiting();
            other.closes(3 * S);
            other.history.grants(0, unheard, 2);
            assertThat(other.history.at(3 * S + dueNanos + 1).ends().broken()).containsExactly(G7);
        }

        @Test
        void engineThatDiedHearsOfNothing() {
            TicketRow ticket = waiting();
            history.at(2 * S + 1).crash(1);
            closes(3 * S);
            history.grants(0, ticket, 2);
            assertThat(history.at(3 * S + dueNanos + 1).ends().broken()).isEmpty();
        }
    }
}
