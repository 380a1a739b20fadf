package dev.leasehold.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.conditions.MessageFault;
import dev.leasehold.simulator.plan.Action;
import dev.leasehold.simulator.plan.Command;
import dev.leasehold.simulator.plan.PlanGenerator;
import dev.leasehold.simulator.plan.Profile;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Commands of plans as text. */
class CommandWordsTest {

    private static final long SECOND = Script.SECOND;

    @Test
    void everyActionThatPlansAreMadeOfHasWords() {
        Set<String> said = new TreeSet<>();
        for (Profile profile : Profile.values()) {
            for (int seed = 0; seed < 150; seed++) {
                for (Command command : PlanGenerator.draw(profile, seed, 1_000).commands()) {
                    assertThat(CommandWords.action(command.action())).isNotBlank();
                    assertThat(CommandWords.place(command)).isNotBlank();
                    said.add(command.action().getClass().getSimpleName());
                }
            }
        }
        assertThat(said).hasSize(Action.class.getPermittedSubclasses().length);
    }

    @ParameterizedTest
    @EnumSource
    void everyFateHasWords(MessageFault.Kind kind) {
        Command command = new Command(0, 0, 0, new MessageFault(kind, 2, SECOND), new Action.Refresh());

        assertThat(CommandWords.fate(command)).startsWith("message 3: ").hasSizeGreaterThan("message 3: ".length());
    }

    @Test
    void withoutAFateNothingIsSaid() {
        assertThat(CommandWords.fate(new Command(0, 0, 0, null, new Action.Refresh())))
                .isEmpty();
    }

    @Test
    void anAimSaysByHowMuchAndOnWhichSide() {
        assertThat(CommandWords.action(new Action.Aim(Action.Move.TAKE_OVER, 1, 2, -1, SECOND)))
                .isEqualTo("take over lease-1 for holder-2, aimed 1 ns before the first legal instant, 1 s");
        assertThat(CommandWords.action(new Action.Aim(Action.Move.EXPIRE, 0, 0, 0, SECOND)))
                .contains("aimed exactly at");
        assertThat(CommandWords.action(new Action.Aim(Action.Move.EXPIRE, 0, 0, 1, SECOND)))
                .contains("aimed 1 ns after");
    }

    @Test
    void whatBefallsTheDatabaseIsNotSaidToBefallAMachine() {
        assertThat(CommandWords.place(new Command(0, 2, 0, null, new Action.FailOver(SECOND, true))))
                .isEqualTo("database");
        assertThat(CommandWords.place(new Command(0, 2, 0, null, new Action.Pause(SECOND))))
                .isEqualTo("m2");
    }

    @Test
    void ratesAreMillionths() {
        assertThat(CommandWords.rate(1_000_000)).isEqualTo("+1000 ppm");
        assertThat(CommandWords.rate(-1_500)).isEqualTo("-1.500 ppm");
        assertThat(CommandWords.rate(7)).isEqualTo("+0.007 ppm");
    }
}
