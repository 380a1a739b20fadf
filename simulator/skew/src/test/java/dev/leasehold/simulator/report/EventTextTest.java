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
                .dropWhile(line -> !line.contains("own time  m0"))
                .toList();
    }

    @Test
    void everyEventHasALineAfterTheLegend() {
        assertThat(EventText.of(history)).startsWith("true time   seconds since the beginning");
        assertThat(lines(history)).hasSize(1 + history.events().size());
    }

    @Test
    void theTextIsTheSameToTheLastByte() {
        assertThat(lines(history))
                .containsExactly(
                        "       true time        own time  m0    db",
                        "     0.000000001     0.000000001  +           engine 0 is ready, its clock shows 1000",
                        "     0.000000002     0.000000002  >1          claim lease-0 for holder-0, 5 ns",
                        "     0.000000003     0.000000003  s1          read sent",
                        "     0.000000004               -  |     C9    transaction of a caller on m0 in call 1 that asserted lease-0 holder-0 #7: "
                                + "clock ticks 1 +m0#0i0n0 5 txn 5; lease-0 nothing -> holder-0 #7 by m0#0i0n0 at 100, expiry +100 ns, gates 3, "
                                + "pinned by entity-1 entity-2 entity-3; ledger = 12",
                        "     0.000000005               -  |     M9    a majority has version 9",
                        "     0.000000006     0.000000006  <1          unknown, lease-0 holder-0 #7, WHY; lease-0 shown held by holder-0 #7, "
                                + "safe after 0.000000099 s",
                        "     0.000000007     0.000000007  =1          found out: no, GONE",
                        "     0.000000008     0.000000008  B           believes lease-0 holder-0 #7 until 0.00000008 s",
                        "     0.000000009     0.000000009  D           believes lease-0 holder-0 #7 no more",
                        "     0.000000010     0.000000010  L           lost lease-0 holder-0 #7: TAKEN_OVER",
                        "     0.000000011     0.000000011  !           fault PAUSE for 9 ns",
                        "     0.000000012               -        R8    taken back: everything after version 8",
                        "     0.000000013     0.000000013  *           reached BATCH",
                        "     0.000000014     0.000000014  !           broken: an error",
                        "     0.000000015               -        H     healed: no faults from here on",
                        "     0.000000016               -        E     limit exceeded: STEPS",
                        "     0.000000017     0.000000017  X           engine 0 crashed",
                        "     0.000000018               -  :     .     the end",
                        "     0.000000019     0.000000019  A           a handle of lease-0 holder-0 #7 that was over holds it again",
                        "     0.000000020     0.000000020  ?           says that lease-0 holder-0 #7 is held, and that no time is left");
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

    @Test
    void linesOfOneMachineShowWhatIsUnderWayOnTheOthers() {
        History overlap = Findings.overlap("holder-0", "holder-1").history();

        assertThat(lines(overlap))
                .contains(
                        "     2.002000000               -  |           C1    transaction of m0 in call 0: clock ticks 1 +m0#0i0n0 1795000002000198200 "
                                + "txn 1795000002000198200; lease-0 nothing -> holder-0 #1 by m0#0i0n0 at 1795000002000198200, expiry +10 s",
                        "     2.500000000     2.502500000        >1          refresh");
    }
}
