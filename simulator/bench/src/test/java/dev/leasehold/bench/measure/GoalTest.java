package dev.leasehold.bench.measure;

import static dev.leasehold.bench.measure.Made.result;
import static dev.leasehold.bench.measure.Made.series;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GoalTest {

    private static final Series BARE = series("bare", Role.BARE, Quantity.P50, 10, 20, 40);

    private static boolean isMet(Goal goal, Series... series) {
        return ((Verdict.Judged) goal.judge(result(series))).isMet();
    }

    @Test
    void aRatioOfExactlyTheFactorIsMet() {
        Goal atMost = Goal.atMost("ours", Quantity.P50, 1.5, Peer.entrant("bare"));
        Goal atLeast = Goal.atLeast("ours", Quantity.P50, 1.5, Peer.entrant("bare"));

        Series exactly = series("ours", Role.OURS, Quantity.P50, 15, 30, 60);

        assertThat(isMet(atMost, exactly, BARE)).isTrue();
        assertThat(isMet(atLeast, exactly, BARE)).isTrue();
    }

    @Test
    void aRatioBeyondTheFactorIsNotMet() {
        Goal atMost = Goal.atMost("ours", Quantity.P50, 1.5, Peer.entrant("bare"));
        Goal atLeast = Goal.atLeast("ours", Quantity.P50, 1.5, Peer.entrant("bare"));

        assertThat(isMet(atMost, series("ours", Role.OURS, Quantity.P50, 16, 32, 64), BARE))
                .isFalse();
        assertThat(isMet(atLeast, series("ours", Role.OURS, Quantity.P50, 14, 28, 56), BARE))
                .isFalse();
    }

    @Test
    void theMedianOfTheRatiosOfTheRoundsDecidesAndNotTheRatioOfTheMedians() {
        // The medians are 30 and 20; but in two rounds of three the ratio is 3.
        Series ours = series("ours", Role.OURS, Quantity.P50, 30, 20, 120);

        Verdict verdict =
                Goal.atMost("ours", Quantity.P50, 2, Peer.entrant("bare")).judge(result(ours, BARE));

        assertThat(verdict).isInstanceOfSatisfying(Verdict.Judged.class, judged -> {
            assertThat(judged.isMet()).isFalse();
            assertThat(judged.ratio()).isEqualTo(new Spread(1, 3, 3));
        });
    }

    @Test
    void ofPeersTheOneThatIsBestByTheQuantityCounts() {
        Series slow = series("slow", Role.PEER, Quantity.P50, 100);
        Series quick = series("quick", Role.PEER, Quantity.P50, 10);
        Series ours = series("ours", Role.OURS, Quantity.P50, 50);
        assertThat(isMet(Goal.atMost("ours", Quantity.P50, 1, Peer.bestPeer(false)), ours, slow, quick))
                .isFalse();

        Series many = series("many", Role.PEER, Quantity.RATE, 100);
        Series few = series("few", Role.PEER, Quantity.RATE, 10);
        Series some = series("ours", Role.OURS, Quantity.RATE, 50);
        assertThat(isMet(Goal.atLeast("ours", Quantity.RATE, 1, Peer.bestPeer(false)), some, many, few))
                .isFalse();
    }

    @Test
    void peersOfOneNodeCountOnlyWhereTheGoalSaysSo() {
        Series oneNode = series("one node", Role.ONE_NODE_PEER, Quantity.P50, 1);
        Series peer = series("peer", Role.PEER, Quantity.P50, 10);
        Series ours = series("ours", Role.OURS, Quantity.P50, 5);

        assertThat(isMet(Goal.atMost("ours", Quantity.P50, 1, Peer.bestPeer(false)), ours, peer, oneNode))
                .isTrue();
        assertThat(isMet(Goal.atMost("ours", Quantity.P50, 1, Peer.bestPeer(true)), ours, peer, oneNode))
                .isFalse();
    }

    @Test
    void bareCommandsAndOursAreNoPeers() {
        Series ours = series("ours", Role.OURS, Quantity.P50, 5);
        Series bare = series("bare", Role.BARE, Quantity.P50, 1);

        Verdict verdict =
                Goal.atMost("ours", Quantity.P50, 1, Peer.bestPeer(true)).judge(result(ours, bare));

        assertThat(verdict.words()).isEqualTo("not measured: no peer took part");
    }

    @Test
    void aFixedValueMustBeKeptInTheWorstRound() {
        Series ours = series("ours", Role.OURS, Quantity.MAX, 1e6, 5e6, 2e6);

        assertThat(isMet(Goal.atMost("ours", Quantity.MAX, 1, Peer.fixed(5e6)), ours))
                .isTrue();
        assertThat(isMet(Goal.atMost("ours", Quantity.MAX, 1, Peer.fixed(4e6)), ours))
                .isFalse();
        assertThat(isMet(Goal.atLeast("ours", Quantity.MAX, 1, Peer.fixed(2e6)), ours))
                .isFalse();
        assertThat(isMet(Goal.atLeast("ours", Quantity.MAX, 1, Peer.fixed(1e6)), ours))
                .isTrue();
    }

    @Test
    void entrantThatDidNotTakePartIsNamedAndNothingIsJudged() {
        Goal goal = Goal.atMost("ours", Quantity.P50, 1, Peer.entrant("etcd"));

        assertThat(goal.judge(result(BARE)).words()).isEqualTo("not measured: ours did not take part");
        assertThat(goal.judge(result(series("ours", Role.OURS, Quantity.P50, 1)))
                        .words())
                .isEqualTo("not measured: etcd did not take part");
    }

    @Test
    void theWordsNameSubjectQuantityLimitAndRival() {
        assertThat(Goal.atMost("ours", Quantity.P50, 1.1, Peer.entrant("bare")).words())
                .isEqualTo("ours: p50 at most 1.10 x bare");
        assertThat(Goal.atLeast("ours", Quantity.RATE, 1, Peer.fixed(250)).words())
                .isEqualTo("ours: per second at least 250/s");
    }
}
