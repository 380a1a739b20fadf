package dev.leasehold.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.plan.History;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** Histories as text. */
class EventTextTest {

    private final History history = HistoriesOfAllKinds.history(HistoriesOfAllKinds.events());

    private static List<String> lines(History history) {
        return EventText.of(history)
                .lines()
                .dropWhile(line -> !line.contains("own time  where"))
                .toList();
    }

    @Test
    void everyEventHasALineBelowTheHeader() {
        assertThat(EventText.of(history)).startsWith("true time: seconds since the beginning");
        assertThat(lines(history)).hasSize(1 + history.events().size());
    }

    @Test
    void theTextIsTheSameToTheLastByte() {
        assertThat(lines(history))
                .containsExactly(
                        "       true time         own time  where  what",
                        "     0.000000001      0.000000001  m0     started: incarnation 0, local 1 µs",
                        "     0.000000002      0.000000002  m0     called: call 1, incarnation 0, (claim, lease-0, holder-0, duration 5 ns)",
                        "     0.000000003      0.000000003  m0     message: message 1, sent, read",
                        "     0.000000004                -  -      committed: version 9, (caller, machine 0, incarnation 0, call 1, "
                                + "(lease-0 holder-0 #7), (lease-0 holder-0 #7)), (clock 0, ticks 1, token floor 0; m0#0i0n0 time 5 ns, "
                                + "transaction 5 ns); (lease-0, (holder-0, token 7, m0#0i0n0, written 100 ns, expiry 200 ns, gates 3, "
                                + "entity-1; entity-2; entity-3, sound)); (ledger, value 12)",
                        "     0.000000005                -  -      majority: version 9",
                        "     0.000000006      0.000000006  m0     answered: call 1, (unknown, (lease-0 holder-0 #7), WHY, (lease-0, holder-0, "
                                + "token 7, safe after 99 ns))",
                        "     0.000000007      0.000000007  m0     resolved: call 1, (no, GONE)",
                        "     0.000000008      0.000000008  m0     valid until: incarnation 0, (lease-0 holder-0 #7), until 80 ns",
                        "     0.000000009      0.000000009  m0     validity ended: incarnation 0, (lease-0 holder-0 #7)",
                        "     0.000000010      0.000000010  m0     lost: incarnation 0, handle 1, (lease-0 holder-0 #7), TAKEN_OVER",
                        "     0.000000011      0.000000011  m0     fault: PAUSE, until 20 ns",
                        "     0.000000012                -  -      rolled back: to version 8",
                        "     0.000000013      0.000000013  m0     reached: BATCH",
                        "     0.000000014      0.000000014  m0     broken: an error",
                        "     0.000000015                -  -      healed",
                        "     0.000000016                -  -      exceeded: STEPS",
                        "     0.000000017      0.000000017  m0     stopped: incarnation 0, crashed",
                        "     0.000000018                -  -      finished",
                        "     0.000000019      0.000000019  m0     revived: incarnation 0, (lease-0 holder-0 #7)",
                        "     0.000000020      0.000000020  m0     disagreed: incarnation 0, (lease-0 holder-0 #7), held");
    }

    @Test
    void theTextDoesNotDependOnTheCountry() {
        Locale before = Locale.getDefault();
        String here = EventText.of(history);
        try {
            Locale.setDefault(Locale.forLanguageTag("tr-TR"));
            assertThat(EventText.of(history)).isEqualTo(here);
        } finally {
            Locale.setDefault(before);
        }
    }
}
