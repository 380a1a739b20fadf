package dev.leasehold.simulator.check;

import static dev.leasehold.simulator.check.Paper.S;
import static dev.leasehold.simulator.check.Paper.SESSION;
import static dev.leasehold.simulator.check.Promise.G4;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.HeldTenure;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** G4: nothing is removed before its time, by its last writer's clock. Vacant documents are kept for an hour, too. */
class RemovalsTest {

    private static final long HOUR = 3_600 * S;

    private final Paper paper = new Paper();

    private Paper isRemovedAfter(long nanos, Long sessionNanos, int by) {
        paper.at(S).entry(paper.engine(0, -1), 0, paper.stamp(0), sessionNanos);
        return paper.at(S + nanos).entry(paper.engine(by, -1), 0, null, null);
    }

    @Test
    void anEntryStaysForAnHour() {
        assertThat(isRemovedAfter(HOUR, null, 1).broken()).containsExactly(G4);
    }

    @Test
    void afterThatItMayBeRemoved() {
        assertThat(isRemovedAfter(HOUR + 1, null, 1).broken()).isEmpty();
    }

    @Test
    void withASessionThatKeepsNothingItStaysForThat() {
        assertThat(isRemovedAfter(SESSION, SESSION, 1).broken()).containsExactly(G4);
    }

    @Test
    void afterTheSessionItMayBeRemoved() {
        assertThat(isRemovedAfter(SESSION + 1, SESSION, 1).broken()).isEmpty();
    }

    @Test
    void everybodyMayRemoveItsOwn() {
        assertThat(isRemovedAfter(S, null, 0).broken()).isEmpty();
    }

    private Paper isForgottenAfter(long nanos) {
        HeldTenure a = paper.at(S).claims(0, "a", 1, 10 * S);
        paper.at(2 * S).release(0, a);
        return paper.at(2 * S + nanos).store(paper.engine(1, -1), null);
    }

    @Test
    void aVacantDocumentIsKept() {
        assertThat(isForgottenAfter(HOUR).broken()).containsExactly(G4);
    }

    @Test
    void theDocumentOfACloneIsNobodysThatIsKnown() {
        paper.at(S).store(paper.engine(0, -1), paper.row(0, null, 1, paper.stamp(0), null));
        paper.store(paper.engine(0, -1), new LeaseRow(null, 1, "m1#", paper.stamp(0) + 1, null, 0, Set.of(), true));
        paper.at(2 * S).store(paper.engine(1, -1), null);

        assertThat(paper.broken()).doesNotContain(G4);
    }

    @Test
    void notForEver() {
        assertThat(isForgottenAfter(HOUR + 1).broken()).isEmpty();
    }
}
