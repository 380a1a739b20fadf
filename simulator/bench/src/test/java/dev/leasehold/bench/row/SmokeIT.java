package dev.leasehold.bench.row;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.bench.adapters.Library;
import dev.leasehold.bench.adapters.ServerAddresses;
import dev.leasehold.bench.measure.Quantity;
import dev.leasehold.bench.measure.Series;
import dev.leasehold.bench.measure.Verdict;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Runs rows for a moment, and looks whether each entrant did some work. How much of it, and how fast, is not looked at. */
@WithReplicaSet
class SmokeIT {

    private static final Plan SHORT = new Plan(1, Duration.ofMillis(50));

    /** What a process uses is told for each pair that ended within the turn, so a busy machine has to end one. */
    private static final Plan LONG_ENOUGH_FOR_A_PAIR = new Plan(1, Duration.ofMillis(900));

    private static Outcome run(TestDatabase database, Row row) throws Exception {
        return run(database, row, SHORT);
    }

    private static Outcome run(TestDatabase database, Row row, Plan plan) throws Exception {
        try (Arena arena = new Arena(new ServerAddresses(database.uri(), database.name(), null, null, null, null))) {
            return new Rounds(arena, plan, (done, all) -> {}).run(row);
        }
    }

    private static void assertThatAllWorked(Outcome outcome, String... entrants) {
        assertThat(outcome.failures()).isEmpty();
        assertThat(outcome.result().series()).extracting(Series::entrant).contains(entrants);
        assertThat(outcome.result().series())
                .allSatisfy(series -> assertThat(series.operations()).isPositive());
    }

    @Test
    void everyContestantAcquiresAndReleasesAlone(TestDatabase database) throws Exception {
        Outcome outcome = run(database, OneProcess.uncontended());

        assertThatAllWorked(
                outcome,
                "Leasehold, session",
                "Leasehold, term",
                "Leasehold, claim",
                "ShedLock",
                "FencedLock",
                "bare findAndModify",
                "bare pair",
                "bare transaction");
        assertThat(outcome.verdicts()).hasOnlyElementsOfType(Verdict.Judged.class);
    }

    @Test
    void everyContestantHasSeveralCallers(TestDatabase database) throws Exception {
        assertThatAllWorked(run(database, OneProcess.contention(4)), "Leasehold, session", "Leasehold, term");
    }

    @Test
    void processesReportWhatTheyDid(TestDatabase database) throws Exception {
        Outcome outcome = run(database, ManyProcesses.withTerms(2), LONG_ENOUGH_FOR_A_PAIR);

        assertThatAllWorked(outcome, "Leasehold, term");
        assertThat(outcome.result().find("Leasehold, term")).get().satisfies(series -> {
            assertThat(series.has(Quantity.PROCESSOR)).isTrue();
        });
    }

    @Test
    void processesTakeTurnsAtOneLease(TestDatabase database) throws Exception {
        Outcome outcome = run(database, ManyProcesses.onOneLease(3), LONG_ENOUGH_FOR_A_PAIR);

        assertThatAllWorked(outcome, "Leasehold, session", "ShedLock", "bare pair, change stream");
        assertThat(outcome.result().find("Leasehold, session")).get().satisfies(series -> {
            assertThat(series.spread(Quantity.IN_ORDER).greatest()).isPositive();
            assertThat(series.spread(Quantity.LONGEST_WAIT).least()).isGreaterThanOrEqualTo(1);
        });
    }

    @Test
    void locksAreHandedFromProcessToProcess(TestDatabase database) throws Exception {
        Outcome outcome = run(database, new HandOver());

        assertThatAllWorked(
                outcome,
                "Leasehold, session",
                "ShedLock",
                "FencedLock",
                "bare findAndModify",
                "bare hand-over, change stream");
        assertThat(outcome.result().series())
                .allSatisfy(series ->
                        assertThat(series.spread(Quantity.P50).least()).isPositive());
        // The turn is over with the first pause, after which each of four locks is handed over, or written alone: all
        // are as rested.
        assertThat(outcome.result().series())
                .allSatisfy(series -> assertThat(series.operations()).isEqualTo(4));
    }

    @Test
    void transactionsAreGated(TestDatabase database) throws Exception {
        assertThatAllWorked(run(database, new Gate(2)), "gated transaction", "the same, not gated");
    }

    @Test
    void aNamespaceThatGrewGivesLeases(TestDatabase database) throws Exception {
        Outcome outcome = run(database, Growth.ofWriters(Library.TERM));

        assertThatAllWorked(outcome, "1 writer", "1,000 writers");
        assertThat(outcome.verdicts()).hasSize(1).hasOnlyElementsOfType(Verdict.Judged.class);
    }

    @Test
    void aKilledHolderIsSucceeded(TestDatabase database) throws Exception {
        assertThatAllWorked(run(database, new Kill()), "Leasehold, session");
    }
}
