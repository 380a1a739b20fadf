package dev.leasehold.simulator.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.ClockAnomalyException;
import dev.leasehold.engine.CorruptDocumentException;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseStoreException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.simulator.conditions.DamageKind;
import dev.leasehold.simulator.plan.Action;
import dev.leasehold.simulator.plan.Command;
import dev.leasehold.simulator.plan.Plan;
import dev.leasehold.simulator.plan.Setting;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An engine that fails as it starts, or as a boundary is searched for, has a reason in the plan. */
class ExpectedErrorsTest {

    private static final LeaseException ANOMALY = new ClockAnomalyException("behind", null);
    private static final LeaseException CORRUPT = new CorruptDocumentException("id", "field", "found");

    private static Plan plan(boolean inside, Action... actions) {
        Setting setting = Setting.PLAIN.with("inside", inside);
        List<Command> commands = List.of(actions).stream()
                .map(action -> new Command(0, 0, 0, null, action))
                .toList();
        return new Plan("test", 1, setting, List.of(), commands);
    }

    @Test
    void whatPassesMayComeAtAnyTime() {
        assertThat(ExpectedErrors.mayCome(new LeaseUnavailableException("no primary", null), plan(true)))
                .isTrue();
    }

    @Test
    void somethingUnexpectedMayNever() {
        assertThat(ExpectedErrors.mayCome(
                        new LeaseStoreException("a bug", null), plan(false, new Action.FailOver(0, true))))
                .isFalse();
    }

    @Test
    void aClockGoesWrongOutsideOfTheBoundAlone() {
        assertThat(ExpectedErrors.mayCome(ANOMALY, plan(false))).isTrue();
        assertThat(ExpectedErrors.mayCome(ANOMALY, plan(true))).isFalse();
    }

    @Test
    void aDocumentIsDamagedByHandOrByALoss() {
        assertThat(ExpectedErrors.mayCome(CORRUPT, plan(true, new Action.Damage(DamageKind.CORRUPT_LEASE, 0))))
                .isTrue();
        assertThat(ExpectedErrors.mayCome(CORRUPT, plan(true, new Action.FailOver(0, true))))
                .isTrue();
        assertThat(ExpectedErrors.mayCome(CORRUPT, plan(true, new Action.FailOver(0, false))))
                .isFalse();
        assertThat(ExpectedErrors.mayCome(CORRUPT, plan(true))).isFalse();
    }
}
