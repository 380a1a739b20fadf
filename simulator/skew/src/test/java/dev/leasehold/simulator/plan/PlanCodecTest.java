package dev.leasehold.simulator.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.leasehold.simulator.conditions.MessageFault;
import java.util.List;
import java.util.regex.Pattern;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class PlanCodecTest {

    private static final Plan SMALL = Plans.of(
            Plans.at(1_000, 1, new Action.Claim(0, 1, 2_000_000_000)),
            new Command(
                    2_000,
                    0,
                    5,
                    new MessageFault(MessageFault.Kind.LOSE_REPLY, 1, 0),
                    new Action.Extend(new Action.Choice(1, 0), 1_000_000)),
            Plans.at(3_000, 0, new Action.Acquire(1, null, null, 0, 7)),
            Plans.at(3_000, 0, new Action.Refresh()));

    @Property(tries = 1_000)
    void whatIsWrittenIsReadAgain(@ForAll Profile profile, @ForAll long seed) {
        Plan plan = PlanGenerator.draw(profile, seed, 1_000);

        assertThat(PlanCodec.fromJson(PlanCodec.toJson(plan))).isEqualTo(plan);
    }

    @Example
    void aCommandIsALineThatPeopleCanEdit() {
        assertThat(PlanCodec.toJson(SMALL).lines().map(String::trim))
                .contains(
                        "{\"atNanos\": 1000, \"machine\": 1, \"seed\": 0,"
                                + " \"action\": {\"do\": \"claim\", \"lease\": 0, \"holder\": 1, \"durationNanos\": 2000000000}},")
                .contains("{\"atNanos\": 3000, \"machine\": 0, \"seed\": 0, \"action\": {\"do\": \"refresh\"}}");
    }

    @Example
    void aPlanWithoutCommandsIsReadAgain() {
        Plan empty = SMALL.with("commands", List.of());

        assertThat(PlanCodec.fromJson(PlanCodec.toJson(empty))).isEqualTo(empty);
    }

    @Example
    void errorsNameThePlace() {
        assertBad("\"do\": \"claim\"", "\"do\": \"klaim\"", "commands[0].action", "line ", "'klaim'");
        assertBad("\"holder\": 1, ", "", "commands[0].action.holder", "it must be there");
        assertBad("\"machine\": 1", "\"machine\": 1.5", "commands[0].machine", "line ");
        assertBad("\"machine\": 1", "\"machine\": 1, \"mashine\": 1", "commands[0].mashine", "line ");
        assertBad("\"machine\": 1", "\"machine\": 7", "commands[0].machine: 7 is refused");
        assertBad("\"LOSE_REPLY\"", "\"LOSE\"", "commands[1].fault.kind", "line ");
        assertBad("\"rates\"", "\"rats\"", "machines[0]", "line ", "one of its lists is missing");
        assertBad("\"commands\": [", "\"commands\": [[", "commands[0]", "line ");
        assertBad("\"network\": {", "\"network\": {{", "setting.network", "line ");
        assertBad("{", "", "line ");
        assertBad("\"machine\": 1", "\"machine\": 1, \"machine\": 1", "commands[0]", "Duplicate field 'machine'");
    }

    private static void assertBad(String part, String instead, String... inMessage) {
        String json = PlanCodec.toJson(SMALL);
        assertThat(json).contains(part);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PlanCodec.fromJson(json.replaceFirst(Pattern.quote(part), instead)))
                .satisfies(thrown -> assertThat(thrown.getMessage()).contains(inMessage));
    }

    @Example
    void missingListsAreToldApart() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PlanCodec.fromJson("{\"profile\": \"calm\", \"seed\": 1}"))
                .withMessageContaining("one of its lists is missing");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PlanCodec.fromJson("null"))
                .withMessageContaining("plan");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PlanCodec.fromJson(""))
                .withMessageContaining("plan");
    }
}
