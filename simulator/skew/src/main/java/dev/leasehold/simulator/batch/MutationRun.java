package dev.leasehold.simulator.batch;

import dev.leasehold.simulator.mutants.KillTable;
import dev.leasehold.simulator.mutants.Mutant;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Looks for mutants by the invariants that have to find them; what else breaks does not count. */
public final class MutationRun {

    /** So many hits say well enough how frequent they are. */
    private static final int HITS_MAX = 20;

    private final Function<Mutant, CheckerSetup> setups;
    private final Seeds seeds;
    private final int jobs;
    private final @Nullable Long histories;

    /**
     * Will look for them.
     *
     * @param setups with which a mutant is played
     * @param seeds of the histories, the same for each mutant
     * @param jobs how many histories are played at the same time
     * @param histories how many are played for a mutant at the most; null for what the mutant says itself
     */
    public MutationRun(Function<Mutant, CheckerSetup> setups, Seeds seeds, int jobs, @Nullable Long histories) {
        this.setups = setups;
        this.seeds = seeds;
        this.jobs = jobs;
        this.histories = histories;
    }

    /**
     * What came of the run of a mutant.
     *
     * @param row how it was found, or that it was not
     * @param failure that ended the run and is no broken invariant; null when there was none
     */
    public record Result(KillTable.Row row, @Nullable Failure failure) {

        /** How a run of these ends. */
        public static ExitStatus status(List<Result> results) {
            List<Failure> failures = results.stream()
                    .map(Result::failure)
                    .filter(Objects::nonNull)
                    .toList();
            List<String> survivors = table(results).survivors().stream()
                    .map(mutant -> "a history that shows the mutant " + mutant.name())
                    .toList();
            return ExitStatus.of(failures, survivors);
        }

        /** All of them. */
        public static KillTable table(List<Result> results) {
            return new KillTable(results.stream().map(Result::row).toList());
        }
    }

    /** How many histories are played for a mutant at the most. */
    public long histories(Mutant mutant) {
        return Math.min(histories == null ? mutant.histories() : histories, seeds.count());
    }

    /**
     * Looks for one. Blocks until it is found and shrunk, and it is known how frequent it is, or until its histories are played.
     *
     * @param watcher is told now and then, on the calling thread, how far it is
     */
    public Result run(Mutant mutant, Consumer<Batch.Progress> watcher) throws InterruptedException {
        CheckerSetup setup = setups.apply(mutant);
        Batch.Result result = play(mutant, setup, HITS_MAX, watcher);
        Failure first = first(result);
        return result(
                mutant,
                result,
                first == null
                        ? null
                        : (Integer) Counterexample.of(setup, first)
                                .minimal()
                                .commands()
                                .size());
    }

    /**
     * Looks for one until it is found, and no further: it is not shrunk, and it is not known how frequent it is. Blocks until then, or until
     * its histories are played.
     */
    public Result find(Mutant mutant) throws InterruptedException {
        return result(mutant, play(mutant, setups.apply(mutant), 1, progress -> {}), null);
    }

    private Batch.Result play(Mutant mutant, CheckerSetup setup, int hitsMax, Consumer<Batch.Progress> watcher)
            throws InterruptedException {
        return new Batch(setup, new Batch.Order(seeds, histories(mutant), Long.MAX_VALUE, jobs, hitsMax)).run(watcher);
    }

    private static @Nullable Failure first(Batch.Result result) {
        return result.failures().stream()
                .filter(failure -> failure.violation() != null)
                .findFirst()
                .orElse(null);
    }

    private static Result result(Mutant mutant, Batch.Result result, @Nullable Integer commands) {
        Failure first = first(result);
        List<Failure> others = result.failures().stream()
                .filter(failure -> failure.violation() == null)
                .toList();
        KillTable.Kill kill = first == null
                ? null
                : new KillTable.Kill(
                        Objects.requireNonNull(first.violation()).guarantee(),
                        Math.toIntExact(first.index() + 1),
                        result.failures().size() - others.size(),
                        commands);
        return new Result(
                new KillTable.Row(mutant, Math.toIntExact(result.histories()), kill),
                others.isEmpty() ? null : others.get(0));
    }
}
