package dev.leasehold.simulator.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.batch.Batch.Order;
import dev.leasehold.simulator.batch.Batch.Progress;
import dev.leasehold.simulator.checker.Guarantee;
import dev.leasehold.simulator.checker.Verdict;
import dev.leasehold.simulator.checker.Violation;
import dev.leasehold.simulator.plan.HistoryRunner;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BatchTest {

    private static final Seeds FROM_100 = Seeds.range(100, 1_099);

    private static Order order(long histories, int jobs, int failuresMax) {
        return new Order(FROM_100, histories, Long.MAX_VALUE, jobs, failuresMax);
    }

    private static Batch.Result run(HistoryRunner runner, Order order, LongFunction<Verdict> verdicts)
            throws InterruptedException {
        return new Batch(MadeUp.setup(runner, verdicts), order).run(progress -> {});
    }

    @Test
    void allHistoriesOfTheOrderArePlayed() throws InterruptedException {
        Batch.Result result = run(MadeUp.runner(), order(250, 1, 1), seed -> MadeUp.reaching("THERE"));
        assertThat(result.histories()).isEqualTo(250);
        assertThat(result.statistics().reached()).containsEntry("THERE", 250L);
        assertThat(result.failures()).isEmpty();
    }

    @Test
    void noMoreHistoriesArePlayedThanThereAreSeeds() throws InterruptedException {
        Order order = new Order(Seeds.range(3, 5), 100, Long.MAX_VALUE, 1, 1);
        assertThat(run(MadeUp.runner(), order, seed -> MadeUp.good()).histories())
                .isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void theBatchEndsAtTheFirstFailureHoweverManyJobsPlayIt(int jobs) throws InterruptedException {
        Batch.Result result = run(
                MadeUp.runner(),
                order(900, jobs, 1),
                seed -> seed % 150 == 0 ? MadeUp.broken(Guarantee.G3) : MadeUp.reaching("FINE"));
        assertThat(result.histories()).isEqualTo(51);
        assertThat(result.statistics().reached()).containsEntry("FINE", 50L);
        assertThat(result.failures()).singleElement().satisfies(it -> {
            assertThat(it.index()).isEqualTo(50);
            assertThat(it.plan().seed()).isEqualTo(150);
            assertThat(it.violation()).extracting(Violation::guarantee).isEqualTo(Guarantee.G3);
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void asManyFailuresAreCollectedAsWereAskedFor(int jobs) throws InterruptedException {
        Batch.Result result = run(
                MadeUp.runner(),
                order(900, jobs, 3),
                seed -> seed % 150 == 0 ? MadeUp.broken(Guarantee.G7) : MadeUp.good());
        assertThat(result.failures()).extracting(Failure::index).containsExactly(50L, 200L, 350L);
        assertThat(result.histories()).isEqualTo(351);
    }

    @Test
    void theFingerprintIsTheSameHoweverManyJobsPlay() throws InterruptedException {
        long one = run(MadeUp.runner(), order(900, 1, 1), seed -> MadeUp.good()).fingerprint();
        long four =
                run(MadeUp.runner(), order(900, 4, 1), seed -> MadeUp.good()).fingerprint();
        assertThat(four).isEqualTo(one).isNotZero();
    }

    @Test
    void aFailingHistoryThatDoesNotRepeatIsNoBrokenInvariant() throws InterruptedException {
        Batch.Result result = run(
                MadeUp.notRepeating(107),
                order(100, 1, 1),
                seed -> seed == 107 ? MadeUp.broken(Guarantee.G1) : MadeUp.good());
        assertThat(result.failures()).singleElement().satisfies(it -> {
            assertThat(it.status()).isEqualTo(ExitStatus.NOT_DETERMINISTIC);
            assertThat(it.index()).isEqualTo(7);
            assertThat(it.words()).contains("made up");
        });
    }

    @Test
    void everyHundredthHistoryIsPlayedTwice() throws InterruptedException {
        assertThat(run(MadeUp.notRepeating(300), order(500, 1, 1), seed -> MadeUp.good())
                        .failures())
                .singleElement()
                .extracting(Failure::status)
                .isEqualTo(ExitStatus.NOT_DETERMINISTIC);
        assertThat(run(MadeUp.notRepeating(301), order(500, 1, 1), seed -> MadeUp.good())
                        .failures())
                .isEmpty();
    }

    @Test
    void whatTheSimulatorCannotPlayEndsTheBatchAtOnce() throws InterruptedException {
        Batch.Result result = run(MadeUp.crashing(142), order(500, 1, 10), seed -> MadeUp.good());
        assertThat(result.histories()).isEqualTo(43);
        assertThat(result.failures())
                .singleElement()
                .satisfies(it -> assertThat(it.thrown()).hasMessage("no way to play 142"));
    }

    @Test
    void aBrokenInvariantThatDoesNotCountIsNoFailure() throws InterruptedException {
        CheckerSetup setup = new CheckerSetup(
                MadeUp::plan,
                MadeUp::runner,
                history -> MadeUp.broken(Guarantee.G7),
                guarantee -> guarantee == Guarantee.G3);
        assertThat(new Batch(setup, order(50, 1, 1)).run(progress -> {}).failures())
                .isEmpty();
    }

    @Test
    void aBatchWithoutTimePlaysNothing() throws InterruptedException {
        Order order = new Order(FROM_100, 500, 1, 1, 1);
        assertThat(run(MadeUp.runner(), order, seed -> MadeUp.good()).histories())
                .isZero();
    }

    @Test
    void theWatcherIsToldTheEnd() throws InterruptedException {
        Progress[] last = {new Progress(0, 0)};
        new Batch(MadeUp.setup(MadeUp.runner(), seed -> MadeUp.good()), order(120, 2, 1))
                .run(progress -> last[0] = progress);
        assertThat(last[0]).isEqualTo(new Progress(120, 0));
    }
}
