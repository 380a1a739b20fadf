package dev.leasehold.simulator.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.leasehold.simulator.conditions.MessageFault;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

/** What may be relied on when a plan is drawn. */
class PlanGeneratorTest {

    private static final long DRIFT_PPM = 1_000;

    @Property(tries = 3_000)
    void aPlanDrawnFromAnySeedIsValid(
            @ForAll Profile profile, @ForAll long seed, @ForAll @LongRange(max = 999_999) long driftPpm) {
        Plan plan = PlanGenerator.draw(profile, seed, driftPpm);

        assertThatCode(() -> PlanRules.check(plan)).doesNotThrowAnyException();
    }

    @Property(tries = 500)
    void theSameSeedGivesTheSamePlan(@ForAll Profile profile, @ForAll long seed) {
        assertThat(PlanGenerator.draw(profile, seed, DRIFT_PPM))
                .isEqualTo(PlanGenerator.draw(profile, seed, DRIFT_PPM));
    }

    @Example
    void drawingIsTheSameOnEveryJvm() {
        CRC32 sum = new CRC32();
        for (Profile profile : Profile.values()) {
            for (long seed = 0; seed < 20; seed++) {
                sum.update(PlanCodec.toJson(PlanGenerator.draw(profile, seed, DRIFT_PPM))
                        .getBytes(StandardCharsets.UTF_8));
            }
        }

        // To be changed whenever the generator is.
        assertThat(Long.toHexString(sum.getValue())).isEqualTo("1a27cab3");
    }

    @Property(tries = 1_000)
    void theFirstMachineNeverDiesForGood(@ForAll Profile profile, @ForAll long seed) {
        Plan plan = PlanGenerator.draw(profile, seed, DRIFT_PPM);

        assertThat(plan.commands())
                .filteredOn(command -> command.machine() == 0)
                .noneMatch(PlanGeneratorTest::isDeath);
    }

    private static boolean isDeath(Command command) {
        MessageFault fault = command.fault();
        return command.action() instanceof Action.Crash crash && crash.downNanos() == PlanRules.NEVER_NANOS
                || fault != null && fault.kind().isCrash() && fault.delayNanos() == PlanRules.NEVER_NANOS;
    }

    @Property(tries = 1_000)
    void faultsThatEndDoSoWithinTheHistory(@ForAll Profile profile, @ForAll long seed) {
        Plan plan = PlanGenerator.draw(profile, seed, DRIFT_PPM);

        assertThat(plan.commands()).allMatch(command -> {
            long leftNanos = Math.max(1, plan.setting().lengthNanos() - command.atNanos());
            Action action = command.action();
            return (!(action instanceof Action.Pause pause) || pause.durationNanos() <= leftNanos)
                    && (!(action instanceof Action.Suspend suspend) || suspend.durationNanos() <= leftNanos)
                    && (!(action instanceof Action.CutOff cutOff) || cutOff.durationNanos() <= leftNanos)
                    && (!(action instanceof Action.FailOver failOver) || failOver.durationNanos() <= leftNanos)
                    && (!(action instanceof Action.Lag lag) || lag.durationNanos() <= leftNanos)
                    && (!(action instanceof Action.Crash crash)
                            || crash.downNanos() <= leftNanos
                            || crash.downNanos() == PlanRules.NEVER_NANOS);
        });
    }

    @Property(tries = 500)
    void onlyProfilesThatSayItLeaveTheAssumptions(@ForAll Profile profile, @ForAll long seed) {
        boolean mayLeave = profile == Profile.SWARM || profile == Profile.OUTSIDE || profile == Profile.TIGHT;

        assertThat(mayLeave
                        || PlanGenerator.draw(profile, seed, DRIFT_PPM)
                                .setting()
                                .inside())
                .isTrue();
    }

    @Example
    void aTightHistoryIsAlwaysOutside() {
        assertThat(plans(Profile.TIGHT, 200)).noneMatch(plan -> plan.setting().inside());
    }

    @Example
    void theSwarmDoesEverything() {
        Set<String> kinds = new TreeSet<>();
        plans(Profile.SWARM, 1_000)
                .flatMap(plan -> plan.commands().stream())
                .forEach(command -> kinds.add(command.action().getClass().getSimpleName()));

        assertThat(kinds)
                .containsExactlyInAnyOrderElementsOf(Stream.of(Action.class.getPermittedSubclasses())
                        .map(Class::getSimpleName)
                        .filter(name -> !name.equals("Choice"))
                        .toList());
    }

    @Example
    void theSwarmHasEveryOptionOfAnAcquisition() {
        Set<String> options = new TreeSet<>();
        plans(Profile.SWARM, 1_000).flatMap(plan -> plan.commands().stream()).forEach(command -> {
            if (command.action() instanceof Action.Acquire acquire) {
                Components.of(acquire).stream()
                        .filter(component -> Components.get(acquire, component) != null)
                        .forEach(component -> options.add(component.getName()));
            }
        });

        assertThat(options)
                .containsExactlyInAnyOrderElementsOf(Stream.of(Action.Acquire.class.getRecordComponents())
                        .map(RecordComponent::getName)
                        .toList());
    }

    @Example
    void theSwarmHasEveryMessageFaultAndEveryAimedMove() {
        Set<Object> seen = new TreeSet<>((a, b) -> a.toString().compareTo(b.toString()));
        plans(Profile.SWARM, 1_000).flatMap(plan -> plan.commands().stream()).forEach(command -> {
            if (command.fault() != null) {
                seen.add(command.fault().kind());
            }
            if (command.action() instanceof Action.Aim aim) {
                seen.add(aim.move());
            }
        });

        assertThat(seen).contains((Object[]) MessageFault.Kind.values()).contains((Object[]) Action.Move.values());
    }

    @Example
    void halfOfTheSwarmRunsClocksAtBothEndsOfTheBound() {
        long atEnds = plans(Profile.SWARM, 1_000)
                .filter(plan -> hasRate(plan, DRIFT_PPM * 1_000) && hasRate(plan, -DRIFT_PPM * 1_000))
                .count();

        assertThat(atEnds).isBetween(400L, 600L);
    }

    private static boolean hasRate(Plan plan, long ppb) {
        return plan.machines().stream()
                .anyMatch(machine -> machine.rates().stream().anyMatch(rate -> rate.ppb() == ppb));
    }

    @Example
    void historiesOfTheSwarmDifferInWhichFaultsTheyHave() {
        assertThat(shareOfSwarm(plan -> plan.setting().network().lostReplyPpm() == 0))
                .isBetween(300L, 900L);
        assertThat(shareOfSwarm(plan -> plan.commands().stream().allMatch(command -> command.fault() == null)))
                .isBetween(200L, 700L);
        assertThat(shareOfSwarm(plan -> plan.commands().stream().noneMatch(c -> c.action() instanceof Action.FailOver)))
                .isBetween(500L, 990L);
        assertThat(shareOfSwarm(plan -> plan.setting().inside())).isBetween(900L, 999L);
    }

    @Example
    void someHistoriesOfTheSwarmChangeTheLengthOfSessionsAndSomeHaveAcquisitionsCancelled() {
        assertThat(shareOfSwarm(plan -> plan.machines().stream().anyMatch(machine -> machine.sessionPercent() != null)))
                .isBetween(150L, 350L);
        assertThat(shareOfSwarm(plan -> plan.commands().stream()
                        .anyMatch(c -> c.action() instanceof Action.Acquire acquire && acquire.cancelNanos() != null)))
                .isBetween(50L, 300L);
    }

    private static long shareOfSwarm(Predicate<Plan> ofInterest) {
        return plans(Profile.SWARM, 1_000).filter(ofInterest).count();
    }

    @Example
    void historiesAreOfTheSizeThatTheyAreMeantToHave() {
        assertThat(plans(Profile.SWARM, 1_000))
                .allMatch(
                        plan -> plan.commands().size() >= 10 && plan.commands().size() <= 60)
                .allMatch(plan -> plan.setting().lengthNanos() >= 20 * Nanos.SECOND
                        && plan.setting().lengthNanos() <= 60 * Nanos.SECOND);
    }

    private static Stream<Plan> plans(Profile profile, long count) {
        return LongStream.range(0, count).mapToObj(seed -> PlanGenerator.draw(profile, seed, DRIFT_PPM));
    }
}
