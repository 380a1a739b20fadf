package dev.leasehold.simulator.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.ClockAnomalyException;
import dev.leasehold.engine.CorruptDocumentException;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseStoreException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.simulator.conditions.DamageKind;
import dev.leasehold.simulator.conditions.DatabaseConditions;
import dev.leasehold.simulator.conditions.NetworkConditions;
import dev.leasehold.simulator.plan.Action;
import dev.leasehold.simulator.plan.Command;
import dev.leasehold.simulator.plan.Plan;
import dev.leasehold.simulator.plan.Setting;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An engine that fails to start, or to tell somebody who aims, has a reason for that. */
class SetbacksTest {

    private static final long SECOND = 1_000_000_000;
    private static final LeaseException ANOMALY = new ClockAnomalyException("behind", null);
    private static final LeaseException CORRUPT = new CorruptDocumentException("id", "field", "found");

    private static Plan plan(boolean inside, Action... actions) {
        Setting setting = new Setting(
                inside,
                1000,
                SECOND,
                SECOND / 3,
                SECOND,
                SECOND,
                SECOND,
                SECOND,
                1,
                SECOND,
                NetworkConditions.PERFECT,
                DatabaseConditions.PLAIN);
        List<Command> commands = List.of(actions).stream()
                .map(action -> new Command(0, 0, 0, null, action))
                .toList();
        return new Plan("by hand", 1, setting, List.of(), commands);
    }

    @Test
    void whatPassesMayComeAtAnyTime() {
        assertThat(Setbacks.mayCome(new LeaseUnavailableException("no primary", null), plan(true)))
                .isTrue();
    }

    @Test
    void somethingUnexpectedMayNever() {
        assertThat(Setbacks.mayCome(new LeaseStoreException("a bug", null), plan(false, new Action.FailOver(0, true))))
                .isFalse();
    }

    @Test
    void aClockGoesWrongOutsideOfTheBoundAlone() {
        assertThat(Setbacks.mayCome(ANOMALY, plan(false))).isTrue();
        assertThat(Setbacks.mayCome(ANOMALY, plan(true))).isFalse();
    }

    @Test
    void aDocumentIsDamagedBySomebodyOrByALoss() {
        assertThat(Setbacks.mayCome(CORRUPT, plan(true, new Action.Damage(DamageKind.CORRUPT_LEASE, 0))))
                .isTrue();
        assertThat(Setbacks.mayCome(CORRUPT, plan(true, new Action.FailOver(0, true))))
                .isTrue();
        assertThat(Setbacks.mayCome(CORRUPT, plan(true, new Action.FailOver(0, false))))
                .isFalse();
        assertThat(Setbacks.mayCome(CORRUPT, plan(true))).isFalse();
    }
}
