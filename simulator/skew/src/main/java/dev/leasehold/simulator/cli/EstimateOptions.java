package dev.leasehold.simulator.cli;

import dev.leasehold.simulator.estimate.Circumstances;
import dev.leasehold.simulator.estimate.Estimator;
import java.security.SecureRandom;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** For what an estimate is made. Texts are kept as they were typed, to be printed again. */
final class EstimateOptions {

    @Spec(Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--session",
            paramLabel = "TIME",
            defaultValue = "30s",
            description = "Session length. Default: ${DEFAULT-VALUE}.")
    private String session;

    @Option(
            names = "--heartbeat",
            paramLabel = "TIME",
            description = "Heartbeat period. Default: a third of the session length.")
    private @Nullable String heartbeat;

    @Option(
            names = "--term",
            paramLabel = "TIME",
            defaultValue = "60s",
            description = "Term of a handle. Default: ${DEFAULT-VALUE}.")
    private String term;

    @Option(
            names = "--drift-ppm",
            paramLabel = "PPM",
            defaultValue = "1000",
            description = "Drift bound. Default: ${DEFAULT-VALUE}.")
    private long driftPpm;

    @Option(
            names = "--latency",
            paramLabel = "SPAN",
            defaultValue = "1ms..5ms",
            description = "One way between an engine and the database. Default: ${DEFAULT-VALUE}.")
    private String latency;

    @Option(
            names = "--replication",
            paramLabel = "SPAN",
            defaultValue = "1ms..3ms",
            description = "From a write until a majority has it. Default: ${DEFAULT-VALUE}.")
    private String replication;

    @Option(
            names = "--clients",
            paramLabel = "N",
            defaultValue = "3",
            description = "So many want the lease, the holder included. Default: ${DEFAULT-VALUE}.")
    private int clients;

    @Option(
            names = "--gates-per-minute",
            paramLabel = "N",
            defaultValue = "60",
            description = "So many gated transactions are begun. Default: ${DEFAULT-VALUE}.")
    private int gatesPerMinute;

    @Option(
            names = "--gate-length",
            paramLabel = "SPAN",
            defaultValue = "5ms..20ms",
            description = "How long one is worked on after its assertion. Default: ${DEFAULT-VALUE}.")
    private String gateLength;

    @Option(
            names = "--histories",
            paramLabel = "N",
            defaultValue = "200",
            description = "So many for each line of the result, up to 1000000. Default: ${DEFAULT-VALUE}.")
    private int histories;

    @Option(names = "--seed", paramLabel = "N", description = "The root of all seeds. Default: a fresh one.")
    private @Nullable Long seed;

    Circumstances circumstances() {
        try {
            long sessionNanos = TimeText.nanos(session);
            if (histories < 1 || histories > Estimator.HISTORIES_MAX) {
                throw new IllegalArgumentException(
                        "--histories " + histories + " is refused: 1 to " + Estimator.HISTORIES_MAX);
            }
            return new Circumstances(
                    sessionNanos,
                    heartbeat == null ? sessionNanos / 3 : TimeText.nanos(heartbeat),
                    TimeText.nanos(term),
                    driftPpm,
                    SpanText.span(latency),
                    SpanText.span(replication),
                    clients,
                    gatesPerMinute,
                    SpanText.span(gateLength));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    int histories() {
        return histories;
    }

    /** Nobody may have said which; whoever reads the output can say it again. */
    long seed() {
        if (seed == null) {
            seed = (long) new SecureRandom().nextInt(Integer.MAX_VALUE);
        }
        return seed;
    }

    /** All that was chosen or drawn, in lines. */
    List<String> lines() {
        return List.of(
                "seed " + seed(),
                "session " + session + (heartbeat == null ? "" : ", heartbeat " + heartbeat) + "; term " + term,
                "drift bound " + driftPpm + " ppm; latency of one way " + latency + "; majority after " + replication,
                clients + " clients; " + gatesPerMinute + " gated transactions per minute, each open for " + gateLength,
                histories + " histories for each line");
    }

    /** The command that makes the same estimate again. */
    String command() {
        return Commands.JAR + " estimate --session " + session + (heartbeat == null ? "" : " --heartbeat " + heartbeat)
                + " --term "
                + term + " --drift-ppm " + driftPpm + " --latency " + latency + " --replication " + replication
                + " --clients " + clients
                + " --gates-per-minute " + gatesPerMinute + " --gate-length " + gateLength + " --histories " + histories
                + " --seed " + seed();
    }
}
