package dev.leasehold.simulator.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.leasehold.simulator.conditions.MessageFault;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** What may be relied on when plans are changed at random. */
class PlanVariationTest {

    private static final List<Plan> PLANS = Stream.of(Profile.values())
            .flatMap(profile -> LongStream.range(0, 3).mapToObj(seed -> PlanGenerator.draw(profile, seed, 1_000)))
            .toList();
    private static final int SEEDS = 2_000;

    @Property(tries = 3_000)
    void aChangedPlanIsValid(@ForAll long seed) {
        Plan changed = PlanVariation.draw(PLANS, seed);

        assertThatCode(() -> PlanRules.check(changed)).doesNotThrowAnyException();
        assertThat(changed.seed()).isEqualTo(seed);
    }

    @Property(tries = 500)
    void theSameSeedGivesTheSamePlan(@ForAll long seed) {
        assertThat(PlanVariation.draw(PLANS, seed)).isEqualTo(PlanVariation.draw(PLANS, seed));
    }

    @Example
    void changingIsTheSameOnEveryJvm() {
        CRC32 sum = new CRC32();
        changed(PLANS)
                .limit(200)
                .forEach(plan -> sum.update(PlanCodec.toJson(plan).getBytes(StandardCharsets.UTF_8)));

        // To be changed whenever the generator, the changes or the rules are.
        assertThat(Long.toHexString(sum.getValue())).isEqualTo("600a412d");
    }

    @Example
    void nearlyEveryPlanIsAnotherOne() {
        Set<Plan> before = Set.copyOf(PLANS);

        assertThat(changed(PLANS))
                .filteredOn(plan -> before.stream().anyMatch(kept -> plan.equals(kept.with("seed", plan.seed()))))
                .hasSizeLessThan(SEEDS / 20);
    }

    @Example
    void everyPartOfAPlanIsChanged() {
        Plan kept = PlanGenerator.draw(Profile.SWARM, 5, 1_000);
        Set<String> all = new TreeSet<>();
        Set<String> changed = new TreeSet<>();
        changed(List.of(kept)).forEach(plan -> {
            compare("setting", kept.setting(), plan.setting(), all, changed);
            for (int i = 0; i < kept.machines().size(); i++) {
                compare("machine", kept.machines().get(i), plan.machines().get(i), all, changed);
            }
        });

        assertThat(changed).hasSizeGreaterThan(18);
        assertThat(all).isEqualTo(changed);
    }

    private static void compare(String place, Record kept, Record other, Set<String> all, Set<String> changed) {
        for (RecordComponent component : Components.of(kept)) {
            String name = place + '.' + component.getName();
            Object before = Components.get(kept, component);
            Object after = Components.get(other, component);
            all.add(name);
            if (before == null ? after != null : !before.equals(after)) {
                changed.add(name);
            }
        }
    }

    @Example
    void commandsGoComeAndGetFaultsOfEveryKind() {
        Plan one = PLANS.get(0);
        List<Plan> changed = changed(PLANS).toList();

        assertThat(changed)
                .flatExtracting(Plan::commands)
                .extracting(Command::fault)
                .filteredOn(fault -> fault != null)
                .extracting(MessageFault::kind)
                .contains(MessageFault.Kind.values());
        assertThat(changed(List.of(one)))
                .extracting(plan -> plan.commands().size() - one.commands().size())
                .anyMatch(more -> more > 1)
                .anyMatch(more -> more < 0);
        assertThat(changed(List.of(one, Plans.of())))
                .as("commands of one plan within another")
                .anyMatch(plan -> plan.machines().equals(Plans.of().machines())
                        && !plan.commands().isEmpty());
    }

    @Example
    void aPlanWithoutCommandsIsChangedToo() {
        assertThat(changed(List.of(Plans.of())))
                .extracting(Plan::setting)
                .anyMatch(setting -> !setting.equals(Plans.of().setting()));
    }

    private static Stream<Plan> changed(List<Plan> plans) {
        return LongStream.range(0, SEEDS).mapToObj(seed -> PlanVariation.draw(plans, seed));
    }
}
