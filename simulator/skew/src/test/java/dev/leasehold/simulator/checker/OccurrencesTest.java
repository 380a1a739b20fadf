package dev.leasehold.simulator.checker;

import static dev.leasehold.simulator.checker.Guarantee.G8;
import static dev.leasehold.simulator.checker.Guarantee.G9;
import static dev.leasehold.simulator.checker.HistoryBuilder.LEASE;
import static dev.leasehold.simulator.checker.HistoryBuilder.S;
import static dev.leasehold.simulator.checker.HistoryBuilder.tenure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Operation;
import dev.leasehold.simulator.history.Operation.Kind;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What may become of the records of occurrences: G9. */
class OccurrencesTest {

    private static final String NIGHT = "2073-03-03";

    private final HistoryBuilder history = new HistoryBuilder();
    private final HeldTenure a = tenure("a", 1);
    private final HeldTenure b = tenure("b", 2);

    private int call(int machine, Kind kind, @Nullable HeldTenure tenure, String occurrence) {
        return history.call(
                machine,
                new Operation(kind, LEASE, null, tenure, 0, false, 0, false, 0, null, null, false, occurrence));
    }

    private HistoryBuilder doesOnce(int machine, HeldTenure tenure, String occurrence) {
        int call = call(machine, Kind.GATE, tenure, occurrence);
        return history.records(machine, call, tenure, occurrence, tenure.holder())
                .yes(call, null);
    }

    private void thenBHolds() {
        history.at(4 * S).release(0, a).claims(1, "b", 2, 10 * S);
    }

    @Test
    void eachOccurrenceIsDoneOnce() {
        history.at(S).claims(0, "a", 1, 10 * S);
        doesOnce(0, a, NIGHT);
        doesOnce(0, a, "2073-03-04");

        assertThat(history.broken()).isEmpty();
        assertThat(history.verdict().reached()).containsEntry("OCCURRENCE_RECORDED", 2L);
    }

    @Test
    void occurrenceIsNotDoneAgainUnderTheSameTenure() {
        history.at(S).claims(0, "a", 1, 10 * S);
        doesOnce(0, a, NIGHT);
        doesOnce(0, a, NIGHT);

        assertThat(history.broken()).containsExactly(G9);
    }

    @Test
    void occurrenceIsNotDoneAgainByTheNextHolder() {
        history.at(S).claims(0, "a", 1, 10 * S);
        doesOnce(0, a, NIGHT);
        thenBHolds();
        doesOnce(1, b, NIGHT);

        assertThat(history.broken()).containsExactly(G9);
    }

    @Test
    void occurrenceMayBeDoneAgainOnceItsRecordIsRemoved() {
        history.at(S).claims(0, "a", 1, 10 * S);
        doesOnce(0, a, NIGHT);
        int removal = history.call(0, Kind.HOUSEKEEPING, null, null, 0);
        history.records(0, removal, a, NIGHT, null);
        doesOnce(0, a, NIGHT);

        assertThat(history.broken()).isEmpty();
    }

    @Test
    void recordThatWasTakenBackIsNone() {
        history.at(S).claims(0, "a", 1, 10 * S);
        long before = history.version();
        history.lags();
        int call = call(0, Kind.GATE, a, NIGHT);
        history.records(0, call, a, NIGHT, "a");
        history.rollsBack(before);
        doesOnce(0, a, NIGHT).majorityHasAll();

        assertThat(history.broken()).isEmpty();
    }

    @Test
    void workOfAnOccurrenceHasItsRecord() {
        history.at(S).claims(0, "a", 1, 10 * S);
        int call = call(0, Kind.GATE, a, NIGHT);
        history.gate(0, call, a, a).yes(call, null);

        assertThat(history.broken()).containsExactly(G9);
    }

    @Test
    void recordOfAnotherOccurrenceIsNotThatOfTheWork() {
        history.at(S).claims(0, "a", 1, 10 * S);
        int call = call(0, Kind.GATE, a, NIGHT);
        history.records(0, call, a, "2073-03-04", "a").yes(call, null);

        assertThat(history.broken()).containsExactly(G9);
    }

    @Test
    void recordNamesTheTenureThatWasAsserted() {
        history.at(S).claims(0, "a", 1, 10 * S);
        int call = call(0, Kind.GATE, a, NIGHT);
        history.records(0, call, a, NIGHT, "b").yes(call, null);

        assertThat(history.broken()).containsExactly(G9);
    }

    @Test
    void transactionThatFindsItsOccurrenceDoneDoesNothing() {
        history.at(S).claims(0, "a", 1, 10 * S);
        doesOnce(0, a, NIGHT);
        int again = call(0, Kind.GATE, a, NIGHT);
        history.at(2 * S).no(again, Answer.DONE_BEFORE);

        assertThat(history.broken()).isEmpty();
        assertThat(history.verdict().reached())
                .containsEntry("OCCURRENCE_FOUND", 1L)
                .doesNotContainKey("ASSERTION_REFUSED");
    }

    @Test
    void doneBeforeNeedsRecord() {
        history.at(S).claims(0, "a", 1, 10 * S);
        int call = call(0, Kind.GATE, a, NIGHT);
        history.at(2 * S).no(call, Answer.DONE_BEFORE);

        assertThat(history.broken()).containsExactly(G9);
    }

    @Test
    void doneBeforeNeedsRecordThatMajorityHas() {
        history.at(S).claims(0, "a", 1, 10 * S);
        history.lags();
        int call = call(0, Kind.GATE, a, NIGHT);
        history.records(0, call, a, NIGHT, "a");
        int look = call(1, Kind.FIND_OCCURRENCE, null, NIGHT);
        history.at(2 * S).yes(look, null).at(3 * S).majorityHasAll().yes(call, null);

        assertThat(history.broken()).containsExactly(G9);
    }

    @Test
    void lookFindsWhatMajorityHadBefore() {
        history.at(S).claims(0, "a", 1, 10 * S);
        doesOnce(0, a, NIGHT);
        history.at(2 * S);
        int look = call(1, Kind.FIND_OCCURRENCE, null, NIGHT);
        history.at(3 * S).no(look, Answer.NOT_DONE);

        assertThat(history.broken()).containsExactly(G8);
    }

    @Test
    void lookMayMissWhatIsRecordedMeanwhile() {
        history.at(S).claims(0, "a", 1, 10 * S);
        int look = call(1, Kind.FIND_OCCURRENCE, null, NIGHT);
        history.at(2 * S);
        doesOnce(0, a, NIGHT).at(3 * S).no(look, Answer.NOT_DONE);

        assertThat(history.broken()).isEmpty();
    }
}
