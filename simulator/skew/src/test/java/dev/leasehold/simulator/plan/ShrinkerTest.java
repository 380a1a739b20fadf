package dev.leasehold.simulator.plan;

import static dev.leasehold.simulator.plan.Nanos.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.conditions.DatabaseConditions;
import dev.leasehold.simulator.conditions.NetworkConditions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import net.jqwik.api.Assume;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.LongRange;

@Tag("long")
class ShrinkerTest {

    private static final int TRIES = 20_000;
    private static final List<Predicate<Plan>> BUGS = List.of(
            plan -> count(plan, Action.Claim.class) >= 2,
            plan -> count(plan, Action.Claim.class) * count(plan, Action.Refresh.class) > 0,
            plan -> plan.commands().stream()
                    .anyMatch(command ->
                            command.fault() != null && command.fault().kind().hasDelay()),
            plan -> plan.commands().stream()
                    .anyMatch(c -> c.action() instanceof Action.Claim claim && claim.durationNanos() > SECOND),
            plan -> plan.machines().stream()
                    .anyMatch(machine -> machine.rates().get(0).ppb() > 500),
            plan -> plan.setting().network().jitterNanos() > 12_345,
            plan -> plan.commands().size() * plan.setting().leases() > 7);

    /** Powers of ten from the shortest term on. */
    private static final List<Long> PLAIN_TERMS = List.of(1_000_000L, 10_000_000L, 100_000_000L, SECOND, 10 * SECOND);

    private static long count(Plan plan, Class<? extends Action> kind) {
        return plan.commands().stream()
                .filter(command -> kind.isInstance(command.action()))
                .count();
    }

    /** The first that fails of many, from a seed on. A profile may have none. */
    private static Plan failing(Profile profile, long seed, Predicate<Plan> fails) {
        Optional<Plan> first = LongStream.range(0, 500)
                .mapToObj(later -> PlanGenerator.draw(profile, seed + later, 1_000))
                .filter(fails)
                .findFirst();
        Assume.that(first.isPresent());
        return first.get();
    }

    // ---- the verdict ----

    @Property(tries = 150)
    void whatIsLeftFailsIsValidAndIsNotShrunkAnyFurther(
            @ForAll Profile profile, @ForAll long seed, @ForAll @LongRange(max = 6) long bug) {
        Predicate<Plan> fails = BUGS.get((int) bug);
        Plan shrunk = Shrinker.shrink(failing(profile, seed, fails), fails, TRIES);

        assertThat(fails.test(shrunk)).isTrue();
        PlanRules.check(shrunk);
        assertThat(shrunk.commands().size()).isLessThanOrEqualTo(8);
        assertThat(Shrinker.shrink(shrunk, fails, TRIES)).isEqualTo(shrunk);
    }

    @Example
    void aPlanThatDoesNotFailStaysAsItIs() {
        Plan plan = PlanGenerator.draw(Profile.SWARM, 1, 1_000);

        assertThat(Shrinker.shrink(plan, candidate -> false, TRIES)).isEqualTo(plan);
    }

    @Example
    void onlyValidPlansAreTried() {
        Shrinker.shrink(
                PlanGenerator.draw(Profile.HOSTILE, 1, 1_000),
                candidate -> {
                    PlanRules.check(candidate);
                    return candidate.commands().size() > 3;
                },
                TRIES);
    }

    @Example
    void itStopsWhenTheTriesAreUsedUp() {
        AtomicInteger tries = new AtomicInteger();
        Plan shrunk = Shrinker.shrink(
                PlanGenerator.draw(Profile.HOSTILE, 1, 1_000),
                candidate -> {
                    tries.incrementAndGet();
                    return candidate.commands().size() > 3;
                },
                5);

        assertThat(tries).hasValue(5);
        assertThat(shrunk.commands()).hasSizeGreaterThan(3);
    }

    // ---- how small ----

    @Property(tries = 100)
    void twoCommandsThatMatterAreAllThatIsLeft(@ForAll long seed) {
        Predicate<Plan> fails = ShrinkerTest::claimsOnOneAndCrashesTwoLater;
        Plan shrunk = Shrinker.shrink(failing(Profile.HOSTILE, seed, fails), fails, TRIES);

        assertThat(shrunk.commands()).hasSize(2).element(1).isEqualTo(Plans.at(0, 2, new Action.Crash(0, 0)));
        assertThat(shrunk.commands())
                .element(0)
                .isIn(PLAIN_TERMS.stream()
                        .map(nanos -> Plans.at(0, 1, new Action.Claim(0, 0, nanos)))
                        .toList());
        assertThat(shrunk.machines()).containsOnly(Plans.MACHINE);
        assertThat(shrunk.setting().network()).isEqualTo(NetworkConditions.PERFECT);
        assertThat(shrunk.setting().database()).isEqualTo(DatabaseConditions.PLAIN);
        assertThat(shrunk.setting().leases()).isEqualTo(1);
    }

    private static boolean claimsOnOneAndCrashesTwoLater(Plan plan) {
        boolean claimed = false;
        for (Command command : plan.commands()) {
            claimed |= command.action() instanceof Action.Claim && command.machine() == 1;
            if (claimed && command.action() instanceof Action.Crash && command.machine() == 2) {
                return true;
            }
        }
        return false;
    }

    @Example
    void machinesAndLeasesThatDoNotMatterAreMerged() {
        Plan plan = Plans.of(
                Plans.at(1, 0, new Action.Release(new Action.Choice(1, 2))), Plans.at(2, 2, new Action.CloneWriter(0)));
        Plan outside = plan.with("setting", plan.setting().with("inside", false));

        Plan shrunk = Shrinker.shrink(outside, candidate -> candidate.commands().size() == 2, TRIES);

        assertThat(shrunk.machines()).hasSize(3);
        assertThat(shrunk.setting().leases()).isEqualTo(1);
        assertThat(shrunk.commands())
                .containsExactly(
                        Plans.at(0, 0, new Action.Release(new Action.Choice(0, 0))),
                        Plans.at(0, 1, new Action.CloneWriter(0)));
    }

    @Example
    void numbersThatMatterGetAsFewDigitsAsPossible() {
        Plan plan = Plans.of(Plans.at(123_456_789, 0, new Action.Pause(4_987_654_321L)));

        Plan shrunk = Shrinker.shrink(
                plan,
                candidate -> candidate.commands().stream()
                        .anyMatch(c ->
                                c.action() instanceof Action.Pause pause && pause.durationNanos() > 4_500_000_000L),
                TRIES);

        assertThat(shrunk.commands()).containsExactly(Plans.at(0, 0, new Action.Pause(4_900_000_000L)));
    }
}
