package dev.leasehold.bench.row;

import dev.leasehold.bench.measure.Result;
import dev.leasehold.bench.measure.Sample;
import dev.leasehold.bench.measure.Series;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Lets the entrants of a row take turns: all in every round, each round begun by another one, and every second one backwards. */
public final class Rounds {

    private final Arena arena;
    private final Plan plan;
    private final Turns turns;

    /** Hears of each turn. */
    public interface Turns {

        /** A turn has ended: so many of all turns of the row are over. */
        void ended(int done, int all);
    }

    /** Rounds in an arena. */
    public Rounds(Arena arena, Plan plan, Turns turns) {
        this.arena = arena;
        this.plan = plan;
        this.turns = turns;
    }

    /**
     * Runs a row. An entrant that fails is left out from then on, and named.
     *
     * @throws Exception if the row cannot begin
     */
    public Outcome run(Row row) throws Exception {
        Map<Entrant, List<Sample>> samples = new LinkedHashMap<>();
        Lineup lineup = new Lineup(row.rounds(plan));
        try (lineup) {
            row.open(arena, lineup);
            lineup.entrants().forEach(entrant -> samples.put(entrant, new ArrayList<>()));
            int all = samples.size() * (row.rounds(plan) + 1);
            Duration turn = row.turn(plan);
            int done = takeTurns(lineup, lineup.entrants(), turn, Map.of(), 0, all);
            for (int round = 0; round < row.rounds(plan); round++) {
                done = takeTurns(lineup, order(samples.keySet(), round), turn, samples, done, all);
            }
            samples.keySet().removeIf(entrant -> !lineup.takesPart(entrant));
        }
        return new Outcome(row.heading(), new Result(series(samples)), lineup.failures());
    }

    /** What one leaves behind, such as a busy disk, meets the next one: that must not be the same one each time. */
    private static List<Entrant> order(Set<Entrant> entrants, int round) {
        List<Entrant> order = new ArrayList<>(entrants);
        if (round % 2 == 0) {
            Collections.rotate(order, -round);
        } else {
            Collections.reverse(order);
            Collections.rotate(order, round + 1);
        }
        return order;
    }

    /** Without a place for samples this is the warm-up. */
    private int takeTurns(
            Lineup lineup, List<Entrant> order, Duration turn, Map<Entrant, List<Sample>> samples, int done, int all)
            throws InterruptedException {
        int ended = done;
        for (Entrant entrant : order) {
            if (lineup.takesPart(entrant)) {
                takeTurn(lineup, entrant, turn, samples.get(entrant));
            }
            ended++;
            turns.ended(ended, all);
        }
        return ended;
    }

    private void takeTurn(Lineup lineup, Entrant entrant, Duration turn, @Nullable List<Sample> samples)
            throws InterruptedException {
        try {
            if (samples == null) {
                entrant.warmUp(turn);
            } else {
                samples.add(entrant.measure(turn));
            }
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            lineup.fail(entrant, e);
        }
    }

    private static List<Series> series(Map<Entrant, List<Sample>> samples) {
        List<Series> series = new ArrayList<>();
        samples.forEach(
                (entrant, rounds) -> series.add(new Series(entrant.name(), entrant.role(), entrant.remark(), rounds)));
        series.sort(Comparator.comparing(Series::role));
        return series;
    }
}
