package dev.leasehold.bench.cli;

import dev.leasehold.bench.adapters.ServerAddresses;
import dev.leasehold.bench.report.Machine;
import dev.leasehold.bench.report.Page;
import dev.leasehold.bench.report.PlainTable;
import dev.leasehold.bench.row.Arena;
import dev.leasehold.bench.row.Outcome;
import dev.leasehold.bench.row.Plan;
import dev.leasehold.bench.row.Rounds;
import dev.leasehold.bench.row.Row;
import dev.leasehold.bench.server.Servers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A run from the start of the servers to the page. */
final class Run {

    private final Terminal terminal;
    private final Options options;

    Run(Terminal terminal, Options options) {
        this.terminal = terminal;
        this.options = options;
    }

    void carryOut() throws Exception {
        Path output = options.output();
        if (output != null) {
            // That the results cannot be written must not be found out after ten minutes.
            Files.createDirectories(output);
        }
        terminal.print(Main.Version.line());
        OrderlyShutdown shutdown = shutdown();
        try (shutdown;
                Servers servers = Servers.start(options.uri())) {
            servers.lines().forEach(terminal::print);
            Machine machine = Machine.of(servers);
            List<Outcome> outcomes = measure(servers.place());
            if (output != null) {
                write(new Page(machine, options.plan(), outcomes), output);
            }
        }
    }

    /** A set of one's own takes along what it holds, and what closes something in it while it ends waits for nothing. */
    private @Nullable OrderlyShutdown shutdown() {
        return options.uri() == null ? null : OrderlyShutdown.ofThisThread();
    }

    private List<Outcome> measure(ServerAddresses place) throws Exception {
        Plan plan = options.plan();
        List<Outcome> outcomes = new ArrayList<>();
        Duration expected =
                options.rows().stream().map(row -> row.expected(plan)).reduce(Duration.ZERO, Duration::plus);
        Duration before = Duration.ZERO;
        ProgressLines progress = new ProgressLines(terminal.err(), expected);
        try (Arena arena = new Arena(place)) {
            for (Row row : options.rows()) {
                Outcome outcome = measure(row, arena, progress, before);
                before = before.plus(row.expected(plan));
                outcomes.add(outcome);
                new PlainTable(outcome).lines().forEach(terminal::print);
            }
        }
        return outcomes;
    }

    private Outcome measure(Row row, Arena arena, ProgressLines progress, Duration before) throws Exception {
        Plan plan = options.plan();
        Duration expected = row.expected(plan);
        String name = row.heading().name();
        progress.show(name, before);
        Rounds rounds = new Rounds(
                arena,
                plan,
                (done, all) -> progress.show(
                        name, before.plus(expected.multipliedBy(done).dividedBy(all))));
        return rounds.run(row);
    }

    private void write(Page page, Path output) throws IOException {
        page.write(output);
        terminal.print("written: " + output.resolve(Page.FILE));
    }
}
