package dev.leasehold.simulator.estimate;

import dev.leasehold.simulator.report.TextTable;
import dev.leasehold.simulator.report.TimeText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** What was found out. */
public record Estimate(EstimateSettings settings, int histories, List<Line> lines) {

    /**
     * What was measured in histories of one kind.
     *
     * @param delaysNanos from the death of the holder until the next one holds, the shortest first
     * @param histories how many were played; where the holder dies, the others had no next holder by their end
     * @param gates how many gated transactions have ended
     * @param refused how many of them were refused, because the tenure was over
     * @param retries how often the body of one was run once more, because of a conflict
     * @param unknown of how many of them the caller was not told whether they were committed
     */
    record Line(
            LeaseKind kind,
            HolderCase holder,
            List<Long> delaysNanos,
            int histories,
            long gates,
            long refused,
            long retries,
            long unknown) {

        /** The smallest delay that such a share is not above; from 0, and not with 0, to 1. Only where there are delays. */
        long quantileNanos(double share) {
            return delaysNanos.get(Math.max(0, (int) Math.ceil(share * delaysNanos.size()) - 1));
        }

        private String quantile(double share) {
            return delaysNanos.isEmpty() ? "-" : TimeText.brief(quantileNanos(share));
        }

        private String percent(long part) {
            return gates == 0 ? "-" : String.format(Locale.ROOT, "%.2f %%", 100.0 * part / gates);
        }
    }

    /**
     * A table of it.
     *
     * @param rows as many cells as the head has; the first two are words
     * @param note what else is to be known
     */
    record Table(String title, List<String> head, List<List<String>> rows, String note) {}

    Stream<Line> deaths() {
        return lines.stream().filter(line -> line.holder().isDeath());
    }

    String lease(Line line) {
        return line.kind().word() + " of " + TimeText.brief(settings.lengthNanos(line.kind()));
    }

    String holder(Line line) {
        boolean works = line.holder() == HolderCase.DIES_AT_WORK;
        return line.holder().words() + (works ? ", " + settings.gatesPerMinute() + "/min" : "");
    }

    List<Table> tables() {
        List<List<String>> delays = new ArrayList<>();
        List<List<String>> gates = new ArrayList<>();
        for (Line line : lines) {
            if (line.holder().isDeath()) {
                delays.add(delays(line));
            } else {
                gates.add(gates(line));
            }
        }
        return List.of(
                new Table(
                        "From the holder's death until the next one holds",
                        List.of("lease", "holder", "deaths", "p50", "p99", "max", "computed bound", "never"),
                        delays,
                        "The computed bound holds for a death that leaves no transaction open. One that does blocks the lease until the server\n"
                                + "ends it, here after " + TimeText.brief(EstimatePlan.LIFETIME_NANOS)
                                + ", looked for every " + TimeText.brief(EstimatePlan.SWEEP_NANOS) + "."),
                new Table(
                        "Gated transactions, " + settings.gatesPerMinute() + " per minute",
                        List.of("lease", "holder", "transactions", "refused", "run again", "unknown"),
                        gates,
                        "A stalled holder stops for the computed bound and a second. Another process works for it until it wakes, and is refused\n"
                                + "from when it is replaced. Transactions are run again because others assert the same lease at the same time."));
    }

    private List<String> delays(Line line) {
        int deaths = line.delaysNanos().size();
        return List.of(
                lease(line),
                holder(line),
                Integer.toString(deaths),
                line.quantile(0.5),
                line.quantile(0.99),
                line.quantile(1),
                TimeText.brief(settings.boundNanos(line.kind())),
                Integer.toString(line.histories() - deaths));
    }

    private List<String> gates(Line line) {
        return List.of(
                lease(line),
                holder(line),
                Long.toString(line.gates()),
                line.percent(line.refused()),
                line.percent(line.retries()),
                line.percent(line.unknown()));
    }

    /** All of it as plain text, in lines that end. */
    public String text() {
        List<String> parts = new ArrayList<>();
        for (Table table : tables()) {
            parts.add(table.title() + "\n\n" + TextTable.ruled(table.head(), table.rows(), 2) + '\n' + table.note()
                    + '\n');
        }
        return String.join("\n", parts);
    }
}
