package dev.leasehold.simulator.batch;

import dev.leasehold.simulator.mutants.KillTable;
import dev.leasehold.simulator.mutants.Mutant;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Looks for mutants by the promises that have to find them; what else breaks does not count. */
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

    /** How many histories are played for a mutant at the most. */
    public long histories(Mutant mutant) {
        return Math.min(histories == null ? mutant.histories() : histories, seeds.count());
    }

    /**
     * Looks for one. Blocks until it is found and shrunk, and it is known how frequent it is, or until its histories are played.
     *
     * @param watcher is told now and then, on the calling thread, how far it is
     */
    public MutationResult run(Mutant mutant, Consumer<Progress> watcher) throws InterruptedException {
        CheckerSetup setup = setups.apply(mutant);
        BatchResult result = play(mutant, setup, HITS_MAX, watcher);
        Failure.Broken first = first(result);
        Integer commands = first == null
                ? null
                : (Integer) Counterexample.of(setup, first).minimal().commands().size();
        return result(mutant, result, commands);
    }

    /**
     * Looks for one until it is found, and no further: it is not shrunk, and nobody knows how frequent it is. Blocks until then, or until
     * its histories are played.
     */
    public MutationResult find(Mutant mutant) throws InterruptedException {
        return result(mutant, play(mutant, setups.apply(mutant), 1, progress -> {}), null);
    }

    private BatchResult play(Mutant mutant, CheckerSetup setup, int hitsMax, Consumer<Progress> watcher)
            throws InterruptedException {
        return new Batch(setup, new Order(seeds, histories(mutant), Long.MAX_VALUE, jobs, false, hitsMax)).run(watcher);
    }

    private static Failure.@Nullable Broken first(BatchResult result) {
        return result.failures().stream()
                .filter(Failure.Broken.class::isInstance)
                .map(Failure.Broken.class::cast)
                .findFirst()
                .orElse(null);
    }

    private static MutationResult result(Mutant mutant, BatchResult result, @Nullable Integer commands) {
        Failure.Broken first = first(result);
        List<Failure> troubles = result.failures().stream()
                .filter(failure -> !(failure instanceof Failure.Broken))
                .toList();
        KillTable.Kill kill = first == null
                ? null
                : new KillTable.Kill(
                        first.violation().guarantee(),
                        Math.toIntExact(first.index() + 1),
                        result.failures().size() - troubles.size(),
                        commands);
        return new MutationResult(
                new KillTable.Row(mutant, Math.toIntExact(result.histories()), kill),
                result.statistics(),
                troubles.isEmpty() ? null : troubles.get(0));
    }
}
