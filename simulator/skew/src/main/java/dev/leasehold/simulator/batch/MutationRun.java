package dev.leasehold.simulator.batch;

import dev.leasehold.simulator.mutants.KillTable;
import dev.leasehold.simulator.mutants.Mutant;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Looks for mutants by the promises that have to find them; what else breaks does not count. */
public final class MutationRun {

    /** So many hits say well enough how frequent they are. */
    private static final int HITS_MAX = 20;

    private final Function<Mutant, Bench> benches;
    private final Seeds seeds;
    private final int jobs;
    private final @Nullable Long histories;

    /**
     * Will look for them.
     *
     * @param benches on which a mutant is played
     * @param seeds of the histories, the same for each mutant
     * @param jobs how many histories are played at the same time
     * @param histories how many are played for a mutant at the most; null for what the mutant says itself
     */
    public MutationRun(Function<Mutant, Bench> benches, Seeds seeds, int jobs, @Nullable Long histories) {
        this.benches = benches;
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
        Bench bench = benches.apply(mutant);
        return result(mutant, play(mutant, bench, HITS_MAX, watcher), (first, hits) -> shrunk(bench, first, hits));
    }

    /**
     * Looks for one until it is found, and no further: it is not shrunk, and nobody knows how frequent it is. Blocks until then, or until
     * its histories are played.
     */
    public MutationResult find(Mutant mutant) throws InterruptedException {
        return result(
                mutant,
                play(mutant, benches.apply(mutant), 1, progress -> {}),
                (first, hits) -> kill(first, hits, null));
    }

    private BatchResult play(Mutant mutant, Bench bench, int hitsMax, Consumer<Progress> watcher)
            throws InterruptedException {
        return new Batch(bench, new Order(seeds, histories(mutant), Long.MAX_VALUE, jobs, false, hitsMax)).run(watcher);
    }

    /** Tells how a mutant was killed. */
    private interface Coroner {
        KillTable.Kill kill(Failure.Broken first, int hits) throws InterruptedException;
    }

    private static MutationResult result(Mutant mutant, BatchResult result, Coroner coroner)
            throws InterruptedException {
        Failure trouble = null;
        Failure.Broken first = null;
        int hits = 0;
        for (Failure failure : result.failures()) {
            if (failure instanceof Failure.Broken broken) {
                first = first == null ? broken : first;
                hits++;
            } else {
                trouble = failure;
            }
        }
        KillTable.Kill kill = first == null ? null : coroner.kill(first, hits);
        return new MutationResult(
                new KillTable.Row(mutant, Math.toIntExact(result.histories()), kill), result.statistics(), trouble);
    }

    private static KillTable.Kill shrunk(Bench bench, Failure.Broken first, int hits) throws InterruptedException {
        return kill(
                first,
                hits,
                new Investigation(bench).examine(first).minimal().commands().size());
    }

    private static KillTable.Kill kill(Failure.Broken first, int hits, @Nullable Integer commands) {
        return new KillTable.Kill(first.violation().guarantee(), Math.toIntExact(first.index() + 1), hits, commands);
    }
}
