package dev.leasehold.simulator.check;

import static dev.leasehold.simulator.check.Paper.S;
import static dev.leasehold.simulator.check.Paper.SESSION;
import static dev.leasehold.simulator.check.Promise.G3;
import static dev.leasehold.simulator.check.Promise.G4;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.history.Change;
import dev.leasehold.simulator.history.Change.ClockRow;
import dev.leasehold.simulator.history.Change.WriterRow;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Operation;
import dev.leasehold.simulator.history.Operation.Kind;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Leases that sessions keep, and the clock document: G3 and G4. */
class SessionsTest {

    private final Paper paper = new Paper();

    @Test
    void aSessionMayBeEndedANanosecondAfterItsWritersClockShowsItsEnd() {
        paper.at(5 * S).acquires(0, "a", 1);
        paper.at(8 * S).beats(0);
        paper.at(18 * S + 1).entry(paper.engine(1, -1), 0, null, null);
        paper.claims(1, "b", 2, S);

        assertThat(paper.broken()).isEmpty();
        assertThat(paper.verdict().reached()).containsEntry("EVICTED", 1L).containsEntry("TAKEN_OVER", 1L);
    }

    @Test
    void aSessionEndedWhenItsWritersClockShowsItsEndIsTakenTooEarly() {
        paper.at(5 * S).acquires(0, "a", 1);
        paper.at(8 * S).beats(0);
        paper.at(18 * S).entry(paper.engine(1, -1), 0, null, null);

        assertThat(paper.verdict().violations()).singleElement().satisfies(violation -> {
            assertThat(violation.promise()).isEqualTo(G3);
            assertThat(violation.sentence())
                    .contains(
                            "until 18.000000000 s",
                            "m1 ended that session at 18.000000000 s, "
                                    + "when m0's clock had run 10.000000000 s since the stamp of that write");
        });
    }

    @Test
    void aLeaseTakenOnItsDocumentAloneWhileTheSessionLivesIsTakenTooEarly() {
        paper.at(5 * S).acquires(0, "a", 1);
        paper.at(8 * S).beats(0);
        paper.at(16 * S).takesOver(1, "b", 2, S);

        assertThat(paper.broken()).containsExactly(G3);
    }

    @Test
    void aSessionThatKeepsNothingMayBeEndedWhenItIsOver() {
        paper.at(8 * S).beats(0);
        paper.at(18 * S + 1).entry(paper.engine(1, -1), 0, null, null);

        assertThat(paper.broken()).isEmpty();
    }

    @Test
    void whoClosesItsEngineGivesUpWhatItsSessionKept() {
        paper.at(5 * S).acquires(0, "a", 1);
        paper.at(6 * S).call(0, new Operation(Kind.CLOSE_ENGINE, null, null, null, 0, false));
        paper.entry(paper.engine(0, -1), 0, null, null);
        paper.at(7 * S).claims(1, "b", 2, S);

        assertThat(paper.broken()).isEmpty();
    }

    @Test
    void aSuspendSinceTheLastHeartbeatIsCredited() {
        paper.at(5 * S).sends(0).acquires(0, "a", 1);
        paper.at(6 * S).suspend(0, 30 * S);
        paper.at(15 * S + 1).entry(paper.engine(1, -1), 0, null, null);

        assertThat(paper.broken()).isEmpty();
    }

    @Test
    void aSuspendBeforeTheLastHeartbeatIsNot() {
        paper.at(5 * S).sends(0).acquires(0, "a", 1);
        paper.at(6 * S).suspend(0, 2 * S);
        paper.at(9 * S).sends(0).beats(0);
        paper.at(19 * S).entry(paper.engine(1, -1), 0, null, null);

        assertThat(paper.broken()).containsExactly(G3);
    }

    @Test
    void aHandleThatSharesASessionLeaseIsPromisedNoTermOfItsOwn() {
        HeldTenure tenure = paper.at(5 * S).acquires(0, "a", 1);
        int second = paper.call(0, Kind.ACQUIRE, "a", null, 60 * S);
        paper.yes(second, tenure).at(15 * S + 1).entry(paper.engine(1, -1), 0, null, null);
        paper.claims(1, "b", 2, S);

        assertThat(paper.broken()).isEmpty();
    }

    // ---- the clock document ----

    @Test
    void anEntryMayStandStill() {
        paper.at(5 * S).beats(0).entry(paper.engine(0, -1), 0, paper.stamp(0), SESSION);

        assertThat(paper.broken()).isEmpty();
    }

    @Test
    void anEntryNeverGoesBack() {
        paper.at(5 * S).beats(0).entry(paper.engine(0, -1), 0, paper.stamp(0) - 1, SESSION);

        assertThat(paper.broken()).containsExactly(G4);
    }

    @Test
    void anEntryMayBeTakenBackByAFailOver() {
        paper.at(5 * S).beats(0);
        long before = paper.version();
        long earlierNanos = paper.stamp(0) + S / 2;
        paper.lag().at(6 * S).beats(0).rollBack(before);
        paper.at(7 * S).entry(paper.engine(0, -1), 0, earlierNanos, SESSION);

        assertThat(paper.broken()).isEmpty();
    }

    @Test
    void twoEnginesNeverWriteUnderOneName() {
        paper.at(5 * S).beats(0);
        paper.at(6 * S).entry(paper.engine(1, -1), 0, paper.stamp(0), SESSION);

        assertThat(paper.broken()).containsExactly(G4);
    }

    @Test
    void theSessionOfADeadWriterEndsByTheClockOfItsMachine() {
        HeldTenure tenure = paper.at(5 * S).acquires(0, "a", 1);
        paper.believes(0, tenure, 15 * S).at(6 * S).crash(0).at(7 * S).boot(0);
        paper.at(15 * S + 1).store(paper.engine(1, -1), paper.row(1, "b", 2, paper.stamp(1), paper.stamp(1) + S));

        assertThat(paper.broken()).isEmpty();
    }

    @Test
    void anEntryThatWasRemovedIsNeverMadeAgain() {
        paper.at(5 * S)
                .beats(0)
                .at(15 * S + 1)
                .entry(paper.engine(1, -1), 0, null, null)
                .at(20 * S)
                .beats(0);

        assertThat(paper.broken()).containsExactly(G4);
    }

    @Test
    void aSessionStaysAsLongAsItIs() {
        paper.at(5 * S)
                .entry(paper.engine(0, -1), 0, paper.stamp(0), null)
                .at(6 * S)
                .beats(0);
        assertThat(paper.broken()).isEmpty();

        paper.at(7 * S).entry(paper.engine(0, -1), 0, paper.stamp(0), Paper.SESSION - 1);
        assertThat(paper.broken()).containsExactly(G4);
    }

    @Test
    void everyWriteOfTheClockDocumentCounts() {
        SortedMap<String, WriterRow> entries = new TreeMap<>();
        ClockRow row = new ClockRow(7, 3, entries);
        Paper counted = new Paper();
        counted.commit(counted.engine(0, -1), new Change.OfClock(row, new ClockRow(8, 3, entries)));
        Paper stands = new Paper();
        stands.commit(stands.engine(0, -1), new Change.OfClock(row, new ClockRow(7, 4, entries)));
        Paper forgets = new Paper();
        forgets.commit(forgets.engine(0, -1), new Change.OfClock(row, new ClockRow(8, 2, entries)));

        assertThat(counted.broken()).isEmpty();
        assertThat(stands.broken()).containsExactly(G4);
        assertThat(forgets.broken()).containsExactly(G4);
    }

    @Test
    void noStampIsForTwoWrites() {
        HeldTenure tenure = paper.at(5 * S).claims(0, "a", 1, 10 * S);
        long writtenNanos = paper.stamp(0);
        paper.at(6 * S).store(paper.engine(0, -1), paper.row(0, "a", 1, writtenNanos, writtenNanos + 20 * S));

        assertThat(paper.broken()).containsExactly(G4);
        assertThat(tenure.token()).isEqualTo(1);
    }
}
