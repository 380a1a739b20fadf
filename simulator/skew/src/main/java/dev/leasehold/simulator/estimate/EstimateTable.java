package dev.leasehold.simulator.estimate;

import java.util.ArrayList;
import java.util.List;

/**
 * A table of an estimate.
 *
 * @param title what it is about
 * @param head of each column
 * @param rows the cells, as many as the head has
 */
record EstimateTable(String title, List<String> head, List<List<String>> rows) {

    static EstimateTable ofTakeOvers(Estimate estimate) {
        List<List<String>> rows = new ArrayList<>();
        for (TakeOvers line : estimate.takeOvers()) {
            Sample delays = line.delays();
            rows.add(List.of(
                    lease(estimate, line.kind()),
                    line.scenario() == Scenario.DIES
                            ? "idle"
                            : "at work, " + estimate.circumstances().gatesPerMinute() + "/min",
                    Integer.toString(delays.size()),
                    quantile(delays, 0.5),
                    quantile(delays, 0.99),
                    quantile(delays, 1),
                    Times.words(line.ruleNanos()),
                    Integer.toString(line.never())));
        }
        return new EstimateTable(
                "From the holder's death until the next one holds",
                List.of("lease", "holder", "deaths", "p50", "p99", "max", "computed bound", "never"),
                rows);
    }

    private static String quantile(Sample delays, double share) {
        return delays.size() == 0 ? "-" : Times.words(delays.quantileNanos(share));
    }

    static EstimateTable ofGates(Estimate estimate) {
        List<List<String>> rows = new ArrayList<>();
        for (Gates line : estimate.gates()) {
            GateShares shares = line.shares();
            rows.add(List.of(
                    lease(estimate, line.kind()),
                    line.scenario() == Scenario.WORKS ? "lives" : "stalls, is replaced",
                    Long.toString(shares.transactions()),
                    Times.percent(shares.refused(), shares.transactions()),
                    Times.percent(shares.runsAgain(), shares.transactions()),
                    Times.percent(shares.unknown(), shares.transactions())));
        }
        return new EstimateTable(
                "Gated transactions, " + estimate.circumstances().gatesPerMinute() + " per minute",
                List.of("lease", "holder", "transactions", "refused", "run again", "unknown"),
                rows);
    }

    static String lease(Estimate estimate, Circumstances.Kind kind) {
        return kind.word() + " of " + Times.words(estimate.circumstances().lengthNanos(kind));
    }
}
