package dev.leasehold.bench.row;

import dev.leasehold.bench.measure.Quantity;
import dev.leasehold.bench.measure.Readings;
import dev.leasehold.bench.measure.Role;
import dev.leasehold.bench.measure.Sample;
import dev.leasehold.bench.pure.BoundsBenchmark;
import dev.leasehold.bench.pure.DecideBenchmark;
import dev.leasehold.engine.internal.mongo.documents.CodecBenchmark;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** What needs no database, each turn in a JVM of its own. */
final class Pure implements Row {

    private static final int FORK_SECONDS = 1;
    /** What takes nanoseconds needs less of a turn than what takes milliseconds. */
    private static final int SHARE = 3;

    private static final List<Part> PARTS = List.of(
            new Part("decide: acquire a vacant lease", DecideBenchmark.class, "acquireVacant"),
            new Part("decide: refuse a held lease", DecideBenchmark.class, "refuseHeld"),
            new Part("decide: take an expired lease", DecideBenchmark.class, "takeExpired"),
            new Part("bound of a foreign term", BoundsBenchmark.class, "safeAfter"),
            new Part("validity of a holder", BoundsBenchmark.class, "validity"),
            new Part("read a lease document", CodecBenchmark.class, "decode"),
            new Part("write a lease document", CodecBenchmark.class, "encode"));

    /** A benchmark of JMH, and what people call it. */
    private record Part(String name, Class<?> type, String method) {}

    @Override
    public Heading heading() {
        return new Heading(
                "pure",
                "What the engine computes without a database",
                List.of(Quantity.AVERAGE),
                Quantity.AVERAGE,
                "",
                List.of());
    }

    @Override
    public void open(Arena arena, Lineup lineup) throws InterruptedException {
        for (Part part : PARTS) {
            lineup.add(part.name(), () -> new Forked(part));
        }
    }

    @Override
    public Duration expected(Plan plan) {
        Duration turn = plan.duration().multipliedBy(2).dividedBy(SHARE).plusSeconds(FORK_SECONDS);
        return turn.multipliedBy((long) PARTS.size() * plan.rounds());
    }

    private static final class Forked extends NamedEntrant {

        private final Part part;

        Forked(Part part) {
            super(part.name(), Role.OURS, "");
            this.part = part;
        }

        @Override
        public void warmUp(Duration duration) {
            // Each fork has a warm-up of its own.
        }

        @Override
        public Sample measure(Duration duration) throws RunnerException {
            TimeValue time = TimeValue.milliseconds(Math.max(1, duration.toMillis() / SHARE));
            Collection<RunResult> results = new Runner(new OptionsBuilder()
                            .include("^" + part.type().getName().replace(".", "\\.") + "\\." + part.method() + "$")
                            .forks(1)
                            .warmupIterations(1)
                            .warmupTime(time)
                            .measurementIterations(1)
                            .measurementTime(time)
                            .verbosity(VerboseMode.SILENT)
                            .build())
                    .run();
            RunResult result = results.iterator().next();
            long operations = result.getAggregatedResult().getIterationResults().stream()
                    .mapToLong(iteration -> iteration.getMetadata().getMeasuredOps())
                    .sum();
            return new Readings(
                    Map.of(Quantity.AVERAGE, result.getPrimaryResult().getScore()), operations);
        }
    }
}
