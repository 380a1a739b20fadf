package dev.leasehold.operator;

import dev.leasehold.engine.LeaseInspector;
import dev.leasehold.engine.WriterState;
import dev.leasehold.operator.view.DisplayText;
import dev.leasehold.operator.view.LeaseRow;
import dev.leasehold.operator.view.Table;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** All leases, or some of them. */
@Command(name = "list", description = "Lists leases.", mixinStandardHelpOptions = true)
final class ListCommand extends DatabaseCommand {

    private static final long PAUSE_MILLIS = 250;

    /** What they are sorted by. */
    enum Order {
        NAME,
        SINCE,
        HOLDER,
        TOKEN,
        EXPIRY
    }

    /** How they stand. */
    enum Status {
        FREE,
        ACTIVE,
        EXPIRED,
        CORRUPT
    }

    @Parameters(
            arity = "0..*",
            paramLabel = "PATTERN",
            description = "Names of leases, with * for any characters; by default all.")
    private List<String> names = List.of();

    @Option(names = "--status", description = "Only leases that stand so: ${COMPLETION-CANDIDATES}. May be repeated.")
    private List<Status> statuses = List.of();

    @Option(names = "--held", description = "Only leases that are held.")
    private boolean held;

    @Option(names = "--waited-for", description = "Only leases that others wait for.")
    private boolean waitedFor;

    @Option(names = "--pinned", description = "Only leases that are pinned.")
    private boolean pinned;

    @Option(names = "--holder", paramLabel = "PATTERN", description = "Only leases of such holders.")
    private @Nullable String holder;

    @Option(names = "--writer", paramLabel = "PATTERN", description = "Only leases last written by such engines.")
    private @Nullable String writer;

    @Option(
            names = "--sort",
            defaultValue = "NAME",
            description = "Sorts by ${COMPLETION-CANDIDATES}; default ${DEFAULT-VALUE}. What is not known comes last.")
    private Order order = Order.NAME;

    @Option(names = "--reverse", description = "The other way round; what is not known comes last all the same.")
    private boolean reverse;

    @Option(
            names = "--look",
            paramLabel = "DURATION",
            defaultValue = "0s",
            converter = DurationText.class,
            description = "For how long to look for signs of life of the engines, unless all have given one; default"
                    + " ${DEFAULT-VALUE}. A lease of an engine without one is shown as unverified.")
    private Duration look = Duration.ZERO;

    @Option(
            names = {"-w", "--wide"},
            description = "With what keeps the lease, its engine, gates and comment.")
    private boolean wide;

    ListCommand(CommandContext context) {
        super(context);
    }

    @Override
    ExitCode run(Connection open) throws InterruptedException {
        List<LeaseRow> rows = new ArrayList<>(rows(open));
        rows.removeIf(row -> !isWanted(row));
        rows.sort(comparator());
        if (json()) {
            printJson(rows);
        } else {
            table(rows).lines().forEach(this::print);
            sayWhatIsNotVerified(rows);
        }
        return ExitCode.DONE;
    }

    /** The engines are looked at first and last: what moves meanwhile lives. */
    private List<LeaseRow> rows(Connection open) throws InterruptedException {
        try (LeaseInspector inspector = open.inspector()) {
            long beganNanos = System.nanoTime();
            List<WriterState> writers = inspector.writers();
            while (System.nanoTime() - beganNanos < look.toNanos() && WritersCommand.isAnySilent(writers)) {
                Thread.sleep(PAUSE_MILLIS);
                writers = inspector.writers();
            }
            List<LeaseRow> leases =
                    inspector.leases().stream().map(LeaseRow::of).toList();
            return LeaseRow.verified(leases, inspector.writers());
        }
    }

    private boolean isWanted(LeaseRow row) {
        return (names.isEmpty() || names.stream().anyMatch(name -> matches(name, row.name())))
                && (statuses.isEmpty()
                        || statuses.stream().anyMatch(status -> status.name().equalsIgnoreCase(row.status())))
                && (!held || row.isHeld())
                && (!waitedFor || !row.waiters().isEmpty())
                && (!pinned || !row.pins().isEmpty())
                && (holder == null || row.holder() != null && matches(holder, row.holder()))
                && (writer == null || row.writer() != null && matches(writer, row.writer()));
    }

    private void sayWhatIsNotVerified(List<LeaseRow> rows) {
        long unverified = rows.stream()
                .filter(row -> row.shownStatus().equals(LeaseRow.UNVERIFIED))
                .count();
        if (unverified > 0) {
            context()
                    .printError(DisplayText.count(unverified, "lease")
                            + " not verified: no sign of life of the engine was seen"
                            + (look.isZero() ? ". --look 12s waits for one" : " within " + DisplayText.of(look)));
        }
    }

    private static boolean matches(String pattern, String text) {
        String expression = Pattern.compile("\\*")
                .splitAsStream(pattern)
                .map(Pattern::quote)
                .collect(Collectors.joining(".*"));
        // A name may have separators of lines, for which a dot does not stand by itself.
        return Pattern.compile(expression + (pattern.endsWith("*") ? ".*" : ""), Pattern.DOTALL)
                .matcher(text)
                .matches();
    }

    /** Texts of instants are not compared: they are of different lengths. */
    private Comparator<LeaseRow> comparator() {
        return switch (order) {
            case NAME -> LeaseRow.order(LeaseRow::name, reverse);
            case SINCE -> LeaseRow.order(row -> instant(row.since()), reverse);
            case HOLDER -> LeaseRow.order(LeaseRow::holder, reverse);
            case TOKEN -> LeaseRow.order(LeaseRow::token, reverse);
            case EXPIRY -> LeaseRow.order(row -> instant(row.latestExpiry()), reverse);
        };
    }

    private static @Nullable Instant instant(@Nullable String text) {
        return text == null ? null : Instant.parse(text);
    }

    private Table table(List<LeaseRow> rows) {
        Instant now = Instant.now();
        List<String> headings =
                new ArrayList<>(List.of("NAME", "STATUS", "HOLDER", "TOKEN", "SINCE", "UNTIL", "WAITING", "PINS"));
        if (wide) {
            headings.addAll(List.of("KEPT BY", "WRITER", "GATES", "STRIPES", "PARTITION", "COMMENT"));
        }
        Table table = new Table(headings);
        rows.forEach(row -> table.add(cells(row, now)));
        return table;
    }

    private List<String> cells(LeaseRow row, Instant now) {
        List<String> cells = new ArrayList<>(List.of(
                row.name(),
                row.shownStatus(),
                orDash(row.holder()),
                row.token() == null ? "-" : row.token().toString(),
                row.isHeld() ? row.sinceInWords() : "-",
                row.untilInWords(now),
                row.waiters().isEmpty() ? "-" : Integer.toString(row.waiters().size()),
                row.pins().isEmpty() ? "-" : String.join(",", row.pins())));
        if (wide) {
            cells.addAll(List.of(
                    orDash(row.keptBy()),
                    orDash(row.writer()),
                    Long.toString(row.gates()),
                    Integer.toString(row.stripes()),
                    row.partition(),
                    row.problem() == null ? orDash(row.comment()) : row.problem()));
        }
        return cells;
    }

    private static String orDash(@Nullable String text) {
        return text == null ? "-" : text;
    }
}
