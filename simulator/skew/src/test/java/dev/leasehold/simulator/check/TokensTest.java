package dev.leasehold.simulator.check;

import static dev.leasehold.simulator.check.Paper.S;
import static dev.leasehold.simulator.check.Promise.G5;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.history.HeldTenure;
import org.junit.jupiter.api.Test;

/** G5: tokens strictly increase. */
class TokensTest {

    private final Paper paper = new Paper();

    @Test
    void theNextTenureHasAGreaterToken() {
        HeldTenure a = paper.at(S).claims(0, "a", 1, S);
        paper.release(0, a).claims(0, "a", 2, S);

        assertThat(paper.broken()).isEmpty();
    }

    @Test
    void theSameTokenIsNeverGivenTwice() {
        HeldTenure a = paper.at(S).claims(0, "a", 1, S);
        paper.release(0, a).claims(0, "a", 1, S);

        assertThat(paper.broken()).contains(G5);
    }

    @Test
    void tokensIncreaseAcrossRemoval() {
        HeldTenure a = paper.at(S).claims(0, "a", 3, S);
        paper.release(0, a).store(paper.engine(1, -1), null).claims(0, "a", 3, S);

        assertThat(paper.broken()).contains(G5);
    }

    @Test
    void aRolledBackTokenMayBeGivenAgain() {
        long before = paper.lag().version();
        paper.at(S)
                .store(paper.engine(0, -1), paper.row(0, "a", 1, paper.stamp(0), paper.stamp(0) + S))
                .rollBack(before);
        paper.at(2 * S).store(paper.engine(1, -1), paper.row(1, "b", 1, paper.stamp(1), paper.stamp(1) + S));

        assertThat(paper.broken()).isEmpty();
    }

    @Test
    void whoRemovesADocumentByHandLosesItsToken() {
        HeldTenure a = paper.at(S).claims(0, "a", 3, S);
        paper.release(0, a).store(Paper.hand(), null).claims(0, "b", 1, S);

        assertThat(paper.broken()).isEmpty();
    }

    @Test
    void aVacantDocumentKeepsItsToken() {
        paper.at(S).claims(0, "a", 3, S);
        paper.at(2 * S).store(paper.engine(1, -1), paper.row(1, null, 2, paper.stamp(1), null));

        assertThat(paper.broken()).contains(G5);
    }
}
