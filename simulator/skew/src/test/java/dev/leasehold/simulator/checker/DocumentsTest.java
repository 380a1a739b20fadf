package dev.leasehold.simulator.checker;

import static dev.leasehold.simulator.checker.Guarantee.G3;
import static dev.leasehold.simulator.checker.Guarantee.G4;
import static dev.leasehold.simulator.checker.Guarantee.G5;
import static dev.leasehold.simulator.checker.Guarantee.G6;
import static dev.leasehold.simulator.checker.Guarantee.G8;
import static dev.leasehold.simulator.checker.HistoryBuilder.LEASE;
import static dev.leasehold.simulator.checker.HistoryBuilder.S;
import static dev.leasehold.simulator.checker.HistoryBuilder.SESSION;
import static dev.leasehold.simulator.checker.HistoryBuilder.tenure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.history.Change;
import dev.leasehold.simulator.history.Change.ClockRow;
import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.Change.WriterRow;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Marks;
import dev.leasehold.simulator.history.Operation;
import dev.leasehold.simulator.history.Operation.Kind;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What may become of the documents of leases, writers and callers: G4, G5, G6, and pins. */
class DocumentsTest {

    private final HistoryBuilder history = new HistoryBuilder();

    @Nested
    class ClockDocument {

        @Test
        void timeOfWriterMayStandStill() {
            history.at(5 * S).beats(0).entry(history.engine(0), 0, history.stamp(0), SESSION);

            assertThat(history.broken()).isEmpty();
        }

        @Test
        void timeOfWriterNeverGoesBack() {
            history.at(5 * S).beats(0).entry(history.engine(0), 0, history.stamp(0) - 1, SESSION);

            assertThat(history.broken()).containsExactly(G4);
        }

        @Test
        void lengthOfSessionNeverChanges() {
            history.at(5 * S).beats(0).at(6 * S).entry(history.engine(0), 0, history.stamp(0), SESSION + 1);

            assertThat(history.broken()).containsExactly(G4);
        }

        @Test
        void removedEntryIsNeverMadeAgain() {
            history.at(5 * S).beats(0).at(16 * S).evicts(1, 0);
            assertThat(history.broken()).isEmpty();

            history.at(17 * S).beats(0);
            assertThat(history.broken()).containsExactly(G4);
        }

        @Test
        void writerIsOneEngine() {
            history.at(5 * S).beats(0).at(6 * S).entry(history.engine(1), 0, history.stamp(0), SESSION);

            assertThat(history.broken()).containsExactly(G4);
        }

        @Test
        void eachWriteCounts() {
            assertThat(counted(8).broken()).isEmpty();
            assertThat(counted(7).broken()).containsExactly(G4);
        }

        private HistoryBuilder counted(long ticks) {
            TreeMap<String, WriterRow> writers = new TreeMap<>();
            return new HistoryBuilder()
                    .at(S)
                    .commit(
                            history.engine(0),
                            new Change.OfClock(new ClockRow(7, 3, writers), new ClockRow(ticks, 3, writers)));
        }

        @Test
        void tokenFloorNeverFalls() {
            TreeMap<String, WriterRow> writers = new TreeMap<>();
            history.at(S)
                    .commit(
                            history.engine(0),
                            new Change.OfClock(new ClockRow(7, 3, writers), new ClockRow(8, 2, writers)));

            assertThat(history.broken()).containsExactly(G4);
        }

        @Test
        void writerAndStampNameOneWrite() {
            HeldTenure a = history.at(5 * S).claims(0, "a", 1, 10 * S);
            int call = history.call(0, Kind.EXTEND, null, a, 11 * S);
            LeaseRow row = history.row(0, "a", 1, history.stamp(0) + 11 * S);
            history.store(
                            history.engine(0),
                            new LeaseRow(
                                    "a", 1, row.writer(), row.writtenNanos() - 1, row.expiryNanos(), 0, Set.of(), true))
                    .yes(call, a);

            assertThat(history.broken()).containsExactly(G4);
        }
    }

    @Nested
    class Retention {

        @Test
        void entryIsKeptForAnHour() {
            assertThat(entryRemovedAfter(3600 * S + 1).broken()).isEmpty();
            assertThat(entryRemovedAfter(3600 * S).broken()).containsExactly(G4);
        }

        private HistoryBuilder entryRemovedAfter(long nanos) {
            HistoryBuilder builder = new HistoryBuilder();
            builder.at(S).entry(builder.engine(0), 0, builder.stamp(0), null);
            return builder.at(S + nanos).evicts(1, 0);
        }

        @Test
        void vacantDocumentIsKeptForTheRetention() {
            assertThat(documentRemovedAfter(3600 * S + 1).broken()).isEmpty();
            assertThat(documentRemovedAfter(3600 * S).broken()).containsExactly(G4);
        }

        private HistoryBuilder documentRemovedAfter(long nanos) {
            HistoryBuilder builder = new HistoryBuilder();
            HeldTenure a = builder.at(S).claims(0, "a", 1, S);
            builder.at(2 * S).release(0, a);
            return builder.at(2 * S + nanos).store(builder.engine(1), null);
        }
    }

    @Nested
    class Tokens {

        @Test
        void nextTenureHasGreaterToken() {
            history.release(0, history.at(S).claims(0, "a", 1, S));
            history.claims(1, "b", 2, S);

            assertThat(history.broken()).isEmpty();
        }

        @Test
        void equalTokenIsNoOtherTenure() {
            history.release(0, history.at(S).claims(0, "a", 1, S));
            history.claims(1, "b", 1, S);

            assertThat(history.broken()).containsExactly(G5);
        }

        @Test
        void tokenNeverFalls() {
            HeldTenure b = history.at(S).claims(0, "b", 2, S);
            int call = history.call(0, Kind.RELEASE, null, b, 0);
            history.vacates(0, 1).yes(call, b);

            assertThat(history.broken()).containsExactly(G5);
        }

        @Test
        void tokensGoOnBehindRemoval() {
            HistoryBuilder builder = new HistoryBuilder();
            builder.release(0, builder.at(S).claims(0, "a", 1, S));
            builder.at(3700 * S).store(builder.engine(1), null);
            builder.claims(1, "b", 1, S);

            assertThat(builder.broken()).containsExactly(G5);
        }
    }

    @Nested
    class GatedTransactions {

        private final HeldTenure a = tenure("a", 1);

        private int gate(int machine) {
            return history.call(machine, Kind.GATE, null, a, 0);
        }

        @Test
        void transactionCommitsUnderItsTenure() {
            history.at(S).claims(0, "a", 1, 10 * S);
            int gate = gate(0);
            history.at(2 * S).gate(0, gate, a, a).yes(gate, null);

            assertThat(history.broken()).isEmpty();
        }

        @Test
        void transactionDoesNotCommitBehindItsTenure() {
            history.at(S).claims(0, "a", 1, 10 * S);
            int gate = gate(0);
            history.at(2 * S).release(0, a).gate(0, gate, a, a).yes(gate, null);

            assertThat(history.broken()).containsExactly(G6);
        }

        @Test
        void nextTenureOfTheSameHolderIsAnotherOne() {
            history.at(S).claims(0, "a", 1, 10 * S);
            history.release(0, a).claims(0, "a", 2, 10 * S);
            int gate = gate(0);
            history.at(2 * S).gate(0, gate, a, a).yes(gate, null);

            assertThat(history.broken()).containsExactly(G6);
        }

        @Test
        void callerThatForgetsMakesItsOwnMistake() {
            history.at(S).claims(0, "a", 1, 10 * S);
            int gate =
                    history.call(0, new Operation(Kind.GATE, LEASE, "a", a, 0, false, 0, false, 0, null, null, true));
            history.at(2 * S).release(0, a).gate(0, gate, a, null).yes(gate, null);

            assertThat(history.broken()).isEmpty();
            assertThat(history.verdict().reached()).containsEntry("MISTAKE_OF_CALLER", 1L);
        }

        @Test
        void assertionOfTenureThatStandsIsNotRefused() {
            history.at(S).claims(0, "a", 1, 10 * S);
            int gate = history.at(2 * S).call(0, Kind.GATE, null, a, 0);
            history.at(3 * S).no(gate, "NOT_HELD");

            assertThat(history.broken()).containsExactly(G6);
        }

        @Test
        void assertionMayBeRefusedWhenItsTenureEndsMeanwhile() {
            history.at(S).claims(0, "a", 1, 10 * S);
            int gate = history.at(2 * S).call(0, Kind.GATE, null, a, 0);
            history.at(3 * S).release(0, a).no(gate, "NOT_HELD");

            assertThat(history.broken()).isEmpty();
        }

        @Test
        void noEngineEndsTheTransactionOfCaller() {
            history.at(S).tell(new Event.Reached(S, 1, Marks.CALLER_ENDED));

            assertThat(history.broken()).containsExactly(G6);
        }
    }

    @Nested
    class Pins {

        private void pin(String... entities) {
            int call = history.call(1, Kind.PIN, "x", null, 0);
            history.pinned(1, entities).yes(call, null);
        }

        @Test
        void pinnedLeaseIsReleasedByItsHolder() {
            HeldTenure a = history.at(S).claims(0, "a", 1, S);
            pin("x");
            history.at(2 * S).release(0, a);

            assertThat(history.broken()).isEmpty();
        }

        @Test
        void pinnedLeaseIsNotTaken() {
            history.at(S).claims(0, "a", 1, S);
            pin("x");
            history.at(3 * S).takesOver(1, "b", 2, S);

            assertThat(history.broken()).containsExactly(G8);
        }

        @Test
        void pinIsThereInTheCall() {
            history.at(S).claims(0, "a", 1, S);
            pin("y");

            assertThat(history.broken()).containsExactly(G8);
        }

        @Test
        void unpinnedLeaseIsTaken() {
            history.at(S).claims(0, "a", 1, S);
            pin("x");
            int call = history.at(2 * S).call(1, Kind.UNPIN, "x", null, 0);
            history.pinned(1).yes(call, null);
            history.at(3 * S).takesOver(1, "b", 2, S);

            assertThat(history.broken()).isEmpty();
        }

        @Test
        void noEnginePinsUnasked() {
            history.at(S).claims(0, "a", 1, S);
            history.at(2 * S).pinned(1, "x");

            assertThat(history.broken()).containsExactly(G8);
        }

        @Test
        void leaseThatIsThereIsNotSaidToBeNone() {
            int early = history.call(1, Kind.PIN, "x", null, 0);
            history.at(S).claims(0, "a", 1, S);
            history.no(early, "UNCHANGED");
            assertThat(history.broken()).isEmpty();

            int call = history.at(2 * S).call(1, Kind.PIN, "x", null, 0);
            history.at(3 * S).no(call, "UNCHANGED");
            assertThat(history.broken()).containsExactly(G8);
        }
    }

    @Test
    void whatWasTakenBackBrokeNothing() {
        history.at(5 * S).claims(0, "a", 1, 10 * S);
        long before = history.version();
        history.lags().at(6 * S).takesOver(1, "b", 1, S);
        assertThat(history.broken()).contains(G3, G5);

        history.rollsBack(before);
        assertThat(history.broken()).containsExactly(G8);
    }
}
