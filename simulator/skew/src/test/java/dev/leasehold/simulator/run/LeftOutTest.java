package dev.leasehold.simulator.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.checker.HistoryChecker;
import dev.leasehold.simulator.checker.Verdict;
import dev.leasehold.simulator.plan.Command;
import dev.leasehold.simulator.plan.HistoryRunner;
import dev.leasehold.simulator.plan.Plan;
import dev.leasehold.simulator.plan.PlanCodec;
import dev.leasehold.simulator.plan.PlanGenerator;
import dev.leasehold.simulator.plan.Profile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

/** Plans that the generator would not draw. */
@Tag("long")
class LeftOutTest {

    private static final Path PLAN = Path.of("target", "simulation", "left-out.json");

    @Property(tries = 200)
    void whateverIsLeftOutOfAPlanNoInvariantIsBroken(
            @ForAll Profile profile,
            @ForAll @LongRange(max = Integer.MAX_VALUE) long seed,
            @ForAll @Size(max = 30) Set<@IntRange(max = 59) Integer> leftOut)
            throws IOException {
        Plan plan = without(leftOut, PlanGenerator.draw(profile, seed, 1_000));

        try (HistoryRunner engine = new EngineRunner()) {
            Verdict verdict = HistoryChecker.check(engine.run(plan).recording());
            if (verdict.first() != null) {
                Files.createDirectories(PLAN.getParent());
                Files.writeString(PLAN, PlanCodec.toJson(plan));
            }
            assertThat(verdict.violations())
                    .as("The plan is in %s; java -jar leasehold-simulator.jar shrink %s makes it smaller.", PLAN, PLAN)
                    .isEmpty();
        }
    }

    private static Plan without(Set<Integer> leftOut, Plan plan) {
        List<Command> kept = new ArrayList<>();
        for (int i = 0; i < plan.commands().size(); i++) {
            if (!leftOut.contains(i)) {
                kept.add(plan.commands().get(i));
            }
        }
        return new Plan(plan.profile(), plan.seed(), plan.setting(), plan.machines(), kept);
    }
}
