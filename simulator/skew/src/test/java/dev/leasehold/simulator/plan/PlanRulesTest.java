package dev.leasehold.simulator.plan;

import static dev.leasehold.simulator.plan.Nanos.SECOND;
import static dev.leasehold.simulator.plan.Nanos.YEAR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.leasehold.engine.internal.settings.EngineSettings;
import dev.leasehold.simulator.clock.Machine;
import dev.leasehold.simulator.clock.Machine.Rate;
import dev.leasehold.simulator.conditions.DamageKind;
import dev.leasehold.simulator.conditions.MessageFault;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanRulesTest {

    // ---- commands ----

    @Test
    void commandsAreInTheOrderOfTheirInstants() {
        refused(
                Plans.of(Plans.at(5, 0, new Action.Refresh()), Plans.at(4, 0, new Action.Refresh())),
                "commands[1].atNanos: 4 is refused: it must be 5 to 10000000000");
    }

    @Test
    void noCommandIsForTheObserversMachine() {
        refused(Plans.of(Plans.at(5, 3, new Action.Refresh())), "commands[0].machine: 3 is refused: it must be 0 to 2");
    }

    @Test
    void noCommandComesAfterTheEnd() {
        refused(Plans.of(Plans.at(10 * SECOND + 1, 0, new Action.Refresh())), "commands[0].atNanos");
    }

    @Test
    void leasesAreThere() {
        refused(action(new Action.Claim(2, 0, SECOND)), "commands[0].action.lease: 2 is refused: it must be 0 to 1");
        refused(action(new Action.Release(new Action.Choice(-1, 0))), "commands[0].action.tenure.lease: -1 is refused");
        refused(action(new Action.Damage(DamageKind.CORRUPT_LEASE, 2)), "commands[0].action.lease");
        refused(action(new Action.Stray(2)), "commands[0].action.lease");
    }

    @Test
    void termsAreWhatEnginesAccept() {
        refused(action(new Action.Claim(0, 0, 999_999)), "commands[0].action.durationNanos: 999999 is refused");
        refused(
                action(new Action.Acquire(0, null, 5 * SECOND, 0, 0)),
                "commands[0].action.termNanos: 5000000000 is refused");
        refused(
                action(new Action.Acquire(0, null, null, 0, 0).with("cancelNanos", -1L)),
                "commands[0].action.cancelNanos: -1 is refused");
    }

    @Test
    void nothingLastsForLessThanNothing() {
        refused(action(new Action.Pause(-1)), "commands[0].action.durationNanos: -1 is refused");
        refused(action(new Action.Storm(0, 1)), "commands[0].action.times: 0 is refused");
        refused(
                Plans.of(new Command(0, 0, 0, new MessageFault(MessageFault.Kind.REPEAT, -1, 0), new Action.Refresh())),
                "commands[0].fault.afterMessages: -1 is refused");
    }

    @Test
    void wallClocksStayWhereStampsFit() {
        Action.WallStep step = new Action.WallStep(150 * YEAR);
        accepted(Plans.of(Plans.at(0, 0, step), Plans.at(1, 1, step)));
        refused(
                Plans.of(Plans.at(0, 0, step), Plans.at(1, 0, step)),
                "commands[1].action.byNanos: the wall clock after it");
    }

    // ---- setting and machines ----

    @Test
    void theBudgetsFitTogether() {
        refused(
                Plans.of().with("setting", budgets(5 * SECOND, 5 * SECOND, 2 * SECOND, SECOND)),
                "setting.sessionNanos: 5000000000 is refused");
        refused(
                Plans.of().with("setting", budgets(10 * SECOND, 2 * SECOND, 3 * SECOND, SECOND)),
                "setting.operationNanos: 2000000000 is refused");
        refused(
                Plans.of().with("setting", budgets(10 * SECOND, 2 * SECOND, SECOND, 5 * SECOND)),
                "setting.heartbeatNanos: 5000000000 is refused");
    }

    @Test
    void threadsAreLateBySoMuchOrNotAtAll() {
        refused(
                Plans.of().with("setting", Plans.SETTING.with("threadLateNanos", 0L)),
                "setting.threadLateNanos: 0 is refused: it must be 1 to 100000000");
        refused(
                Plans.of().with("setting", Plans.SETTING.with("threadLateNanos", 100_000_001L)),
                "setting.threadLateNanos: 100000001 is refused");
    }

    @Test
    void asManyLeasesAreWrittenEachForItselfAsServicesDo() {
        assertThat(PlanRules.SINGLE_WRITES_MAX).isEqualTo(EngineSettings.SINGLE_WRITES_MAX);
        refused(
                Plans.of().with("setting", Plans.SETTING.with("singleWritesMax", 0)),
                "setting.singleWritesMax: 0 is refused: it must be 1 to 8");
        refused(
                Plans.of().with("setting", Plans.SETTING.with("singleWritesMax", 9)),
                "setting.singleWritesMax: 9 is refused");
    }

    private static Setting budgets(long sessionNanos, long operationNanos, long commandNanos, long heartbeatNanos) {
        return Setting.PLAIN
                .with("sessionNanos", sessionNanos)
                .with("heartbeatNanos", heartbeatNanos)
                .with("operationNanos", operationNanos)
                .with("commandNanos", commandNanos);
    }

    @Test
    void sessionsOfAMachineFitTheBudgetsToo() {
        accepted(Plans.of().with("machines", List.of(Plans.MACHINE.withSessions(51), Plans.MACHINE)));
        refused(
                Plans.of().with("machines", List.of(Plans.MACHINE.withSessions(0), Plans.MACHINE)),
                "machines[0].sessionPercent: 0 is refused");
        refused(
                Plans.of().with("machines", List.of(Plans.MACHINE, Plans.MACHINE.withSessions(50))),
                "machines[1].sessionPercent: the session: 5000000000 is refused");
    }

    @Test
    void anObserverIsNeeded() {
        refused(Plans.of().with("machines", List.of(Plans.MACHINE)), "machines: their number: 1 is refused");
    }

    @Test
    void ratesBeginAtTheBeginningAndFollowEachOther() {
        refused(rates(new Rate(1, 0)), "machines[0].rates[0].fromNanos: 1 is refused");
        refused(rates(new Rate(0, 0), new Rate(0, 5)), "machines[0].rates[1].fromNanos: 0 is refused");
        refused(rates(), "machines[0].rates: their number: 0 is refused");
        refused(rates(new Rate(0, -SECOND)), "machines[0].rates[0].ppb");
    }

    // ---- the assumptions ----

    @Test
    void insideMeansThatNothingLeavesTheAssumptions() {
        refused(
                rates(new Rate(0, 1_000_001)),
                "setting.inside: true is refused: a clock runs at a rate of 1000001 ppb");
        refused(action(new Action.Migrate(1, -1_000_001)), "setting.inside");
        refused(action(new Action.MonotonicStep(-1)), "setting.inside");
        refused(action(new Action.CloneWriter(1)), "setting.inside");
        refused(action(new Action.CloneWriter(0)), "commands[0].action.from: 0 is refused: it must be another machine");
        refused(action(new Action.Damage(DamageKind.REMOVE_LEASE, 1)), "setting.inside");
        accepted(rates(new Rate(0, 1_000_000)));
        accepted(action(new Action.Migrate(1, -1_000_000)));
    }

    @Test
    void aStepBackMustNotHideThatAClockStoodStill() {
        Action suspend = new Action.Suspend(SECOND, true);
        refused(Plans.of(Plans.at(0, 0, suspend), Plans.at(1, 0, new Action.WallStep(-1))), "setting.inside");
        refused(Plans.of(Plans.at(0, 0, new Action.WallStep(-1)), Plans.at(1, 0, suspend)), "setting.inside");
        accepted(Plans.of(Plans.at(0, 0, suspend), Plans.at(1, 0, new Action.WallStep(1))));
        accepted(Plans.of(Plans.at(0, 0, suspend), Plans.at(1, 1, new Action.WallStep(-1))));
        accepted(Plans.of(Plans.at(0, 0, new Action.Suspend(SECOND, false)), Plans.at(1, 0, new Action.WallStep(-1))));
    }

    @Test
    void outsideEverythingGoes() {
        Plan plan = action(new Action.MonotonicStep(-1));

        accepted(plan.with("setting", plan.setting().with("inside", false)));
    }

    private static Plan action(Action action) {
        return Plans.of(Plans.at(0, 0, action));
    }

    private static Plan rates(Rate... rates) {
        List<Machine> machines = new ArrayList<>(Plans.of().machines());
        machines.set(0, new Machine(0, PlanRules.PLAIN_WALL_NANOS, 1, List.of(rates)));
        return Plans.of().with("machines", machines);
    }

    private static void accepted(Plan plan) {
        assertThatCode(() -> PlanRules.check(plan)).doesNotThrowAnyException();
    }

    private static void refused(Plan plan, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PlanRules.check(plan))
                .withMessageStartingWith(message);
    }
}
