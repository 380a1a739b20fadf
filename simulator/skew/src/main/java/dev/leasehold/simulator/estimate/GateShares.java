package dev.leasehold.simulator.estimate;

/**
 * What became of gated transactions.
 *
 * @param transactions that ended
 * @param refused of them, because the tenure was over
 * @param unknown of them, of which nobody was told whether they were committed
 * @param runsAgain how often the body of one was run once more, because of a conflict
 */
public record GateShares(long transactions, long refused, long unknown, long runsAgain) {

    static final GateShares NONE = new GateShares(0, 0, 0, 0);

    GateShares plus(GateShares other) {
        return new GateShares(
                transactions + other.transactions,
                refused + other.refused,
                unknown + other.unknown,
                runsAgain + other.runsAgain);
    }
}
