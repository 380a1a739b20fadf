package dev.leasehold.simulator.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FaultPlanTest {

    private static FaultPlan plan(long seed) {
        return new FaultPlan(new SplittableRandom(seed), List.of(FaultKind.values()));
    }

    private static List<Fault> faults(FaultPlan plan, int count) {
        List<Fault> faults = new ArrayList<>();
        for (int each = 0; each < count; each++) {
            faults.add(plan.next());
        }
        return faults;
    }

    @Test
    void oneSeedIsOnePlan() {
        assertThat(faults(plan(7), 50)).isEqualTo(faults(plan(7), 50)).isNotEqualTo(faults(plan(8), 50));
    }

    @Test
    void everyRoundHasEveryKind() {
        FaultPlan plan = plan(7);
        int kinds = FaultKind.values().length;

        faults(plan, kinds - 1);
        assertThat(plan.isFirstRoundDrawn()).isFalse();
        plan.next();
        assertThat(plan.isFirstRoundDrawn()).isTrue();
        assertThat(faults(plan, kinds)).extracting(Fault::kind).containsExactlyInAnyOrder(FaultKind.values());
    }

    @Test
    void everyKindBelongsToTheServersOrToTheProcesses() {
        List<FaultKind> all = new ArrayList<>(FaultKind.OF_SERVERS);
        all.addAll(FaultKind.OF_PROCESSES);

        assertThat(all).containsExactlyInAnyOrder(FaultKind.values());
    }
}
