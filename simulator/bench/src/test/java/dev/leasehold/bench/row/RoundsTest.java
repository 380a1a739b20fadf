package dev.leasehold.bench.row;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.bench.adapters.ServerAddresses;
import dev.leasehold.bench.measure.Quantity;
import dev.leasehold.bench.measure.Role;
import dev.leasehold.bench.measure.Sample;
import dev.leasehold.bench.measure.Series;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RoundsTest {

    private final List<String> happened = new ArrayList<>();
    private final List<String> progress = new ArrayList<>();
    private int announced;

    /** Writes down its turns; the number of the turn in which it fails is 0 for never. */
    private final class Fake extends Entrant {

        private final int failingTurn;
        private int turn;

        Fake(String name, int failingTurn) {
            super(name, Role.OURS, "");
            this.failingTurn = failingTurn;
        }

        @Override
        void warmUp(Duration duration) {
            happened.add("warm " + name());
        }

        @Override
        Sample measure(Duration duration) {
            turn++;
            if (turn == failingTurn) {
                throw new IllegalStateException("out of breath");
            }
            happened.add(name());
            return new Sample(Map.of(Quantity.P50, (double) turn), 1);
        }
    }

    private Outcome run(int rounds, Fake... fakes) throws Exception {
        Row row = new Row() {
            @Override
            public Heading heading() {
                return new Heading("fake", "Fake", List.of(Quantity.P50), Quantity.P50, "", List.of());
            }

            @Override
            public void open(Arena arena, Lineup lineup) throws InterruptedException {
                announced = lineup.rounds();
                lineup.keep(() -> happened.add("closed"));
                for (Fake fake : fakes) {
                    lineup.add(fake.name(), () -> fake);
                }
            }

            @Override
            public Duration expected(Plan plan) {
                return Duration.ZERO;
            }
        };
        try (Arena nowhere = new Arena(
                new ServerAddresses(
                        "mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=1", "none", null, null, null, null),
                List.of())) {
            return new Rounds(nowhere, new Plan(rounds, Duration.ZERO), (done, all) -> progress.add(done + "/" + all))
                    .run(row);
        }
    }

    @Test
    void allTakeTurnsInEveryRoundAndEachRoundIsBegunByAnotherOne() throws Exception {
        run(3, new Fake("a", 0), new Fake("b", 0), new Fake("c", 0));

        assertThat(happened)
                .containsExactly("warm a", "warm b", "warm c", "a", "b", "c", "b", "a", "c", "c", "a", "b", "closed");
    }

    @Test
    void noEntrantComesAfterTheSameOneInTwoRoundsOnEndAndNoneFirstTwice() throws Exception {
        List<String> names = List.of("a", "b", "c", "d", "e");
        run(names.size(), names.stream().map(name -> new Fake(name, 0)).toArray(Fake[]::new));

        List<String> turns = happened.subList(names.size(), happened.size() - 1);
        List<List<String>> rounds = IntStream.range(0, names.size())
                .mapToObj(round -> turns.subList(round * names.size(), (round + 1) * names.size()))
                .toList();
        assertThat(rounds).extracting(round -> round.get(0)).doesNotHaveDuplicates();
        for (int round = 1; round < rounds.size(); round++) {
            assertThat(neighbours(rounds.get(round))).doesNotContainAnyElementsOf(neighbours(rounds.get(round - 1)));
        }
    }

    private static List<String> neighbours(List<String> round) {
        return IntStream.range(1, round.size())
                .mapToObj(turn -> round.get(turn - 1) + round.get(turn))
                .toList();
    }

    @Test
    void aRowThatNoEntrantTakesPartInHasRoundsAllTheSame() throws Exception {
        assertThat(run(2).result().series()).isEmpty();
    }

    @Test
    void aRowKnowsBeforehandHowManySamplesEachEntrantGives() throws Exception {
        Outcome outcome = run(5, new Fake("a", 0));

        assertThat(outcome.result().find("a").orElseThrow().rounds()).hasSize(announced);
    }

    @Test
    void theWarmUpIsNoRound() throws Exception {
        Outcome outcome = run(2, new Fake("a", 0));

        assertThat(outcome.result().find("a").orElseThrow().values(Quantity.P50))
                .containsExactly(1.0, 2.0);
    }

    @Test
    void entrantThatFailsIsNamedAndLeftOutAndTheOthersGoOn() throws Exception {
        Outcome outcome = run(3, new Fake("a", 0), new Fake("b", 2));

        assertThat(outcome.failures())
                .containsOnlyKeys("b")
                .containsEntry("b", "java.lang.IllegalStateException: out of breath");
        assertThat(outcome.result().series()).extracting(Series::entrant).containsExactly("a");
        assertThat(outcome.result().find("a").orElseThrow().rounds()).hasSize(3);
    }

    @Test
    void progressCountsTheTurnsOfThoseThatFailedToo() throws Exception {
        run(1, new Fake("a", 1), new Fake("b", 0));

        assertThat(progress).containsExactly("1/4", "2/4", "3/4", "4/4");
    }
}
