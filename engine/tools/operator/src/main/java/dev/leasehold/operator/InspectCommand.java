package dev.leasehold.operator;

import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.engine.LeaseDetails;
import dev.leasehold.engine.LeaseInspector;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.operator.view.DisplayText;
import dev.leasehold.operator.view.LeaseRow;
import dev.leasehold.operator.view.WaiterRow;
import dev.leasehold.operator.view.WriterRow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** All about one lease. */
@Command(
        name = "inspect",
        description = "Shows all about one lease, and whether the engine that keeps it lives.",
        mixinStandardHelpOptions = true)
final class InspectCommand extends DatabaseCommand {

    @Parameters(paramLabel = "NAME", description = "The lease.")
    private String name = "";

    @Option(
            names = "--look",
            paramLabel = "DURATION",
            converter = DurationText.class,
            description =
                    "For how long to look for a sign of life of the engine; by default for as long as a heartbeat takes"
                            + " by default, two fifths of the session and a second. 0s takes one look.")
    private @Nullable Duration look;

    InspectCommand(CommandContext context) {
        super(context);
    }

    /**
     * What is printed as JSON.
     *
     * @param lease how it stands
     * @param engine that wrote it last; null if it has no entry any more
     * @param lookedMillis for how long the engine was looked at
     * @param session in a sentence what is known of the session that keeps it
     */
    record Inspection(LeaseRow lease, @Nullable WriterRow engine, long lookedMillis, String session) {}

    @Override
    ExitCode run(Connection open) throws InterruptedException {
        try (LeaseInspector inspector = open.inspector()) {
            LeaseDetails first = inspector.inspect(name);
            SessionLook seen = first.writer() == null
                    ? new SessionLook(Optional.empty(), Duration.ZERO)
                    : SessionLook.at(
                            first.writer(), inspector, first.state() instanceof LeaseState.Held ? look : Duration.ZERO);
            LeaseDetails now = inspector.inspect(name);
            show(inspection(now, seen), inspector.partitions());
            return code(now.state());
        }
    }

    private static ExitCode code(LeaseState state) {
        if (state instanceof LeaseState.Absent) {
            return ExitCode.NOT_FOUND;
        }
        return state instanceof LeaseState.Corrupt ? ExitCode.CORRUPT : ExitCode.DONE;
    }

    private static Inspection inspection(LeaseDetails lease, SessionLook seen) {
        Instant now = Instant.now();
        List<String> holds = lease.state() instanceof LeaseState.Held ? List.of(lease.name()) : List.of();
        WriterRow engine =
                seen.writer().map(state -> WriterRow.of(state, holds, now)).orElse(null);
        return new Inspection(
                LeaseRow.of(lease).verified(engine != null && engine.sign().equals(WriterRow.ALIVE)),
                engine,
                seen.lookedFor().toMillis(),
                session(lease, engine, DisplayText.of(seen.lookedFor()), now));
    }

    private static String session(LeaseDetails lease, @Nullable WriterRow engine, String looked, Instant now) {
        if (lease.state() instanceof LeaseState.Corrupt) {
            return "not known: the document is corrupt";
        }
        if (!(lease.state() instanceof LeaseState.Held held)) {
            return engine == null && lease.writer() != null
                    ? "the engine that wrote it last has no entry any more: it was closed, or its session is over"
                    : "it is not held";
        }
        String known = engine == null
                ? "the engine that wrote it last has no entry any more"
                : engine.signInWords(now) + " (looked for " + looked + ")";
        return held.session() ? known : "it has a term of its own and needs no session; " + known;
    }

    private void show(Inspection inspection, int partitions) {
        if (json()) {
            printJson(inspection);
            return;
        }
        LeaseRow lease = inspection.lease();
        Instant now = Instant.now();
        line("lease", lease.name() + (partitions == 1 ? "" : " in partition " + lease.partition()));
        line("status", lease.problem() == null ? status(lease) : "corrupt: " + lease.problem());
        if (lease.isHeld()) {
            line("holder", lease.holder());
            line("since", lease.sinceInWords() + " by the wall clock of the engine's machine");
            line("kept by", keptBy(lease, inspection.engine()));
        }
        line("token", lease.token());
        line("engine", lease.writer());
        if (lease.problem() == null) {
            line("session", inspection.session());
        }
        if (lease.latestExpiry() != null) {
            line(
                    "until",
                    DisplayText.of(Instant.parse(lease.latestExpiry())) + " on this machine's clock at the latest ("
                            + lease.untilInWords(now) + ")" + (lease.isHeld() ? ", unless renewed" : ""));
        }
        line("comment", lease.comment());
        line("payload", lease.payload() == null ? null : LeaseNames.quote(lease.payload()));
        if (lease.problem() != null) {
            return;
        }
        for (WaiterRow waiter : lease.waiters()) {
            line(waiter.position() == 1 ? "waiting" : "", waiter.position() + ". " + waiter.inWords());
        }
        line("pins", lease.pins().isEmpty() ? "none" : String.join(", ", lease.pins()));
        line(
                "gates",
                lease.gates() + " transactions were gated by it"
                        + (lease.stripes() == 0 ? "" : ", and more on its " + lease.stripes() + " stripes"));
    }

    private static String status(LeaseRow lease) {
        return switch (lease.status()) {
            case "active" ->
                Boolean.TRUE.equals(lease.verified())
                        ? "active: it is held, and its engine lives"
                        : "active, not verified: it was held when it was written last, and its engine gave no sign of"
                                + " life meanwhile";
            case "expired" -> "expired: its time is certainly over, and others may take it";
            case "free" ->
                lease.latestExpiry() == null
                        ? "free: it is not held"
                        : "free: it is not held, and cannot be taken yet, since its last holder had it for at least a"
                                + " time";
            default -> "absent: there is no document of it";
        };
    }

    private static String keptBy(LeaseRow lease, @Nullable WriterRow engine) {
        if (!"session".equals(lease.keptBy())) {
            return "a term of its own";
        }
        return engine == null || engine.sessionMillis() == null
                ? "a session"
                : "the session of its engine, " + DisplayText.of(Duration.ofMillis(engine.sessionMillis())) + " long";
    }

    private void line(String what, @Nullable Object value) {
        if (value != null) {
            print(String.format(Locale.ROOT, "%-9s %s", what, value));
        }
    }
}
