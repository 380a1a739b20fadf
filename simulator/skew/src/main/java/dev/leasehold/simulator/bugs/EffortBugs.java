package dev.leasehold.simulator.bugs;

import static dev.leasehold.simulator.bugs.Change.in;
import static dev.leasehold.simulator.bugs.PlantedBug.bug;
import static dev.leasehold.simulator.check.Promise.G7;
import static dev.leasehold.simulator.check.Promise.LIM;
import static dev.leasehold.simulator.plan.Profile.BOUNDARY;
import static dev.leasehold.simulator.plan.Profile.HANDLES;
import static dev.leasehold.simulator.plan.Profile.STUCK;

import dev.leasehold.simulator.bugs.mistakes.EffortMistakes;
import java.util.List;
import net.bytebuddy.jar.asm.Opcodes;

/** Mistakes about how hard the engine tries. */
final class EffortBugs {

    private EffortBugs() {}

    static List<PlantedBug> all() {
        return List.of(
                bug("renewal-gives-up", "A renewal that has failed is not tried again.")
                        .killedBy(G7)
                        .within(5_000, HANDLES)
                        .by(in("engine.handle.Renewal", "failed").without("renewIn")),
                bug("renewal-task-dies", "A heartbeat that has failed is the last.")
                        .killedBy(G7)
                        .within(5_000, HANDLES)
                        .by(in("engine.commit.Session", "beatWhenDue").insteadOf("executeAfter", EffortMistakes.class, "unlessItFailed")),
                bug("few-retries", "An operation is tried twice.")
                        .killedBy(G7)
                        .within(5_000, STUCK)
                        .by(in("engine.commit.PendingOperation", "deadlineNanos").advisedBy(EffortMistakes.FewTries.class)),
                bug("no-jitter", "All wait for equally long before they try again.")
                        .killedBy(G7, LIM)
                        .within(5_000, STUCK)
                        .by(in("simulator.run.ProgramRuntime", "randomNanos").advisedBy(EffortMistakes.WholeWindow.class)),
                bug("one-corrupt-lease-stops-all", "Every read looks at all leases, and fails if one of them is damaged.")
                        .killedBy(G7)
                        .within(5_000, HANDLES)
                        .by(in("engine.commit.LeaseReader", "read").insteadOf("read", EffortMistakes.class, "allSound")),
                bug("wait-without-progress", "Whoever waits for the bound looks again at the bound itself, and again.")
                        .killedBy(LIM)
                        .within(5_000, BOUNDARY)
                        .by(in("engine.handle.Line", "lookAfter").instruction(Opcodes.LCONST_1, Opcodes.LCONST_0)));
    }
}
