package dev.leasehold.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.plan.History;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** When two histories have the same hash. */
class FingerprintTest {

    private static final long THE_HASH = 9_125_210_049_224_022_717L;

    private final History history = HistoriesOfAllKinds.history(HistoriesOfAllKinds.events());

    @Test
    void theSameEventsHaveTheSameHash() {
        assertThat(EventText.fingerprint(HistoriesOfAllKinds.history(HistoriesOfAllKinds.events())))
                .isEqualTo(EventText.fingerprint(history));
        assertThat(EventText.firstDifference(history, HistoriesOfAllKinds.history(HistoriesOfAllKinds.events())))
                .isEmpty();
    }

    @Test
    void theHashIsTheSameOnEveryJvm() {
        assertThat(EventText.fingerprint(history)).isEqualTo(THE_HASH);
    }

    static List<Event> variants() {
        return HistoriesOfAllKinds.variants();
    }

    @ParameterizedTest
    @MethodSource("variants")
    void everyArgumentOfEveryEventCounts(Event variant) {
        History other = HistoriesOfAllKinds.with(variant);

        assertThat(EventText.fingerprint(other)).isNotEqualTo(EventText.fingerprint(history));
        assertThat(EventText.firstDifference(history, other))
                .hasValueSatisfying(difference ->
                        assertThat(difference).startsWith("event " + (variant.atNanos() - 1) + " differs: "));
    }

    @Test
    void theTimeOfEveryEventCounts() {
        List<Event> moved = new ArrayList<>(HistoriesOfAllKinds.events());
        moved.set(0, new Event.Started(0, 0, 0, 1_000));

        assertThat(EventText.fingerprint(HistoriesOfAllKinds.history(moved)))
                .isNotEqualTo(EventText.fingerprint(history));
    }

    @Test
    void theOrderCounts() {
        List<Event> turned = new ArrayList<>(HistoriesOfAllKinds.events());
        turned.set(4, HistoriesOfAllKinds.events().get(8));
        turned.set(8, HistoriesOfAllKinds.events().get(4));

        assertThat(EventText.fingerprint(HistoriesOfAllKinds.history(turned)))
                .isNotEqualTo(EventText.fingerprint(history));
    }

    @Test
    void aMissingEndIsADifference() {
        List<Event> shorter = HistoriesOfAllKinds.events().subList(0, 17);

        assertThat(EventText.fingerprint(HistoriesOfAllKinds.history(shorter)))
                .isNotEqualTo(EventText.fingerprint(history));
        assertThat(EventText.firstDifference(HistoriesOfAllKinds.history(shorter), history))
                .contains("event 17 differs: no event any more / Finished[atNanos=18]");
    }

    @Test
    void theOrderWithinASetDoesNotCount() {
        LeaseRow one = row("entity-1", "entity-2", "entity-3");
        LeaseRow other = row("entity-3", "entity-1", "entity-2");

        assertThat(hash(one)).isEqualTo(hash(other));
        assertThat(hash(row("entity-1", "entity-2"))).isNotEqualTo(hash(one));
    }

    private static LeaseRow row(String... pins) {
        Set<String> inOrder = new LinkedHashSet<>(List.of(pins));
        return new LeaseRow("holder-0", 7, "m0#0i0n0", 100, 200L, 3, inOrder, true);
    }

    private static long hash(LeaseRow row) {
        Event event = new Event.Committed(4, 9, HistoriesOfAllKinds.AUTHOR, List.of(HistoriesOfAllKinds.lease(row)));
        return EventText.fingerprint(HistoriesOfAllKinds.history(List.of(event)));
    }
}
