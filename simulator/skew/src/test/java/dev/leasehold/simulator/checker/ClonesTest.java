package dev.leasehold.simulator.checker;

import static dev.leasehold.simulator.checker.Guarantee.G3;
import static dev.leasehold.simulator.checker.Guarantee.G8;
import static dev.leasehold.simulator.checker.HistoryBuilder.LEASE;
import static dev.leasehold.simulator.checker.HistoryBuilder.S;
import static dev.leasehold.simulator.checker.HistoryBuilder.SESSION;
import static dev.leasehold.simulator.checker.HistoryBuilder.tenure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Change.TicketRow;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Operation;
import dev.leasehold.simulator.history.Operation.Kind;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Engines that share the name of a writer: what each of them did, and what it did not. */
class ClonesTest {

    private static final HeldTenure A = tenure("a", 1);

    private final HistoryBuilder history = new HistoryBuilder(false, 0, 0, 0);

    /**
     * Machine 0 holds the lease by its session and is killed. Then a forced expiry is refused on machine 1, and machine 2 waits with this
     * ticket.
     */
    private TicketRow refused() {
        history.at(S).acquires(0, "a", 1);
        history.at(2 * S).crash(0);
        int expiry = history.call(1, Kind.FORCE_EXPIRE, null, null, 0);
        history.at(3 * S).no(expiry, "LeaseContentionException");
        history.beats(2);
        history.waits(2, "c");
        TicketRow ticket = history.ticket(2, "c", 0);
        history.queue(2, ticket);
        return ticket;
    }

    @Nested
    class Ends {

        @Test
        void cloneReleasesWhatItDoesNotKnow() {
            refused();
            history.clones(1, 0).at(4 * S).beats(1).vacates(1, 1);

            assertThat(history.broken()).isEmpty();
        }

        @Test
        void cloneGrantsWhatItDoesNotKnow() {
            TicketRow ticket = refused();
            history.clones(1, 0).at(4 * S).beats(1).grants(1, ticket, 2);

            assertThat(history.broken()).isEmpty();
        }

        @Test
        void sameEndWithoutACloneIsThatWhichWasRefused() {
            TicketRow ticket = refused();
            history.at(4 * S).beats(1).grants(1, ticket, 2);

            assertThat(history.broken()).containsExactly(G8);
        }

        @Test
        void cloneThatGoesOnAsANewWriterReleasesNoLeaseOfTheFormerOne() {
            TicketRow ticket = refused();
            history.clones(1, 0).at(4 * S).beats(1);
            history.clones(1, 1).at(5 * S).beats(1).grants(1, ticket, 2);

            assertThat(history.broken()).containsExactly(G8);
        }

        @Test
        void grantToATicketOfTheHoldersEngineIsNoReleaseByThat() {
            HistoryBuilder inside = new HistoryBuilder();
            int handle = inside.at(S).acquires(0, "a", 1);
            inside.holds(0, A, 11 * S).waits(0, "b");
            TicketRow ticket = inside.ticket(0, "b", 0);
            inside.queue(0, ticket).at(2 * S).grants(1, ticket, 2);

            assertThat(handle).isZero();
            assertThat(inside.broken()).contains(G3);
        }
    }

    @Nested
    class Holders {

        /** The clone gives a holder to a call that names none, and the call is cut short. */
        private HistoryBuilder heldByClone(int machine) {
            int call = history.at(S).call(machine, new Operation(Kind.ACQUIRE, LEASE, null, null, SESSION, true));
            String holder = history.writer(machine) + "/1";
            history.beats(machine).store(history.engine(machine), history.row(machine, holder, 1, null));
            history.at(2 * S).holds(machine, tenure(holder, 1), 3 * S);
            history.call(machine, new Operation(Kind.CLOSE_ENGINE, null, null, null, 0, false));
            return history.holdsNoMore(machine, tenure(holder, 1)).no(call, Answer.ENGINE_CLOSED);
        }

        @Test
        void cloneHoldsUnderTheNameThatItPassesItselfOffFor() {
            history.clones(1, 0);

            assertThat(heldByClone(1).broken()).isEmpty();
        }

        @Test
        void noEngineHoldsUnderANameThatItNeverWrote() {
            HeldTenure others = tenure(history.writer(0) + "/1", 1);
            history.at(S).call(1, new Operation(Kind.ACQUIRE, LEASE, null, null, SESSION, true));
            history.beats(1).holds(1, others, 3 * S).at(2 * S).holdsNoMore(1, others);

            assertThat(history.broken()).containsExactly(G8);
        }
    }
}
