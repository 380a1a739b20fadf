package dev.leasehold.simulator.estimate;

import dev.leasehold.simulator.report.TimeText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** What was found out. */
public record Estimate(EstimateSettings settings, int histories, List<EstimateLine> lines) {

    /**
     * A table of it.
     *
     * @param rows as many cells as the head has; the first two are words
     */
    record Table(String title, List<String> head, List<List<String>> rows) {}

    Stream<EstimateLine> deaths() {
        return lines.stream().filter(line -> line.holder().isDeath());
    }

    String lease(EstimateLine line) {
        return line.kind().word() + " of " + TimeText.brief(settings.lengthNanos(line.kind()));
    }

    String holder(EstimateLine line) {
        boolean works = line.holder() == HolderCase.DIES_AT_WORK;
        return line.holder().words() + (works ? ", " + settings.gatesPerMinute() + "/min" : "");
    }

    List<Table> tables() {
        List<List<String>> delays = new ArrayList<>();
        List<List<String>> gates = new ArrayList<>();
        for (EstimateLine line : lines) {
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
                        delays),
                new Table(
                        "Gated transactions, " + settings.gatesPerMinute() + " per minute",
                        List.of("lease", "holder", "transactions", "refused", "run again", "unknown"),
                        gates));
    }

    private List<String> delays(EstimateLine line) {
        int deaths = line.delaysNanos().size();
        return List.of(
                lease(line),
                holder(line),
                Integer.toString(deaths),
                quantile(line, 0.5),
                quantile(line, 0.99),
                quantile(line, 1),
                TimeText.brief(settings.boundNanos(line.kind())),
                Integer.toString(line.histories() - deaths));
    }

    private static String quantile(EstimateLine line, double share) {
        return line.delaysNanos().isEmpty() ? "-" : TimeText.brief(line.quantileNanos(share));
    }

    private List<String> gates(EstimateLine line) {
        return List.of(
                lease(line),
                holder(line),
                Long.toString(line.gates()),
                percent(line.refused(), line.gates()),
                percent(line.runAgain(), line.gates()),
                percent(line.unknown(), line.gates()));
    }

    private static String percent(long part, long whole) {
        return whole == 0 ? "-" : String.format(Locale.ROOT, "%.2f %%", 100.0 * part / whole);
    }
}
