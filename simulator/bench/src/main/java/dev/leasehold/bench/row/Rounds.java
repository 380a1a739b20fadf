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

    private interface Work {
        void run() throws Exception;
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
        int rounds = row.rounds(plan);
        Duration turn = row.turn(plan);
        Lineup lineup = new Lineup(rounds);
        try (lineup) {
            row.open(arena, lineup);
            List<Entrant> entrants = lineup.entrants();
            int all = entrants.size() * (rounds + 1);
            int ended = 0;
            for (Entrant entrant : entrants) {
                takeTurn(lineup, entrant, () -> entrant.warmUp(turn));
                turns.ended(++ended, all);
            }
            for (int round = 0; round < rounds; round++) {
                for (Entrant entrant : order(entrants, round)) {
                    List<Sample> own = samples.computeIfAbsent(entrant, each -> new ArrayList<>());
                    takeTurn(lineup, entrant, () -> own.add(entrant.measure(turn)));
                    turns.ended(++ended, all);
                }
            }
            samples.keySet().removeIf(entrant -> !lineup.takesPart(entrant));
        }
        return new Outcome(row.heading(), new Result(series(samples)), lineup.failures());
    }

    /** What one leaves behind, such as a busy disk, meets the next one: that must not be the same one each time. */
    private static List<Entrant> order(List<Entrant> entrants, int round) {
        List<Entrant> order = new ArrayList<>(entrants);
        if (round % 2 == 0) {
            Collections.rotate(order, -round);
        } else {
            Collections.reverse(order);
            Collections.rotate(order, round + 1);
        }
        return order;
    }

    /** One that has failed takes no turn. */
    private static void takeTurn(Lineup lineup, Entrant entrant, Work work) throws InterruptedException {
        if (!lineup.takesPart(entrant)) {
            return;
        }
        try {
            work.run();
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
