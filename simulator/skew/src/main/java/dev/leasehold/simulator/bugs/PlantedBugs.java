package dev.leasehold.simulator.bugs;

import static dev.leasehold.simulator.bugs.Change.in;
import static dev.leasehold.simulator.bugs.PlantedBug.bug;
import static dev.leasehold.simulator.check.Promise.G3;
import static dev.leasehold.simulator.check.Promise.G7;

import dev.leasehold.simulator.bugs.mistakes.BoundMistakes;
import java.util.List;
import net.bytebuddy.jar.asm.Opcodes;

/** The table of planted bugs. */
public final class PlantedBugs {

    private PlantedBugs() {}

    /** All of them. */
    public static List<PlantedBug> all() {
        return List.of(
                bug("at-the-bound", "The bound itself counts as past the bound.")
                        .killedBy(G3)
                        .within(5_000, "boundary")
                        .by(in("engine.time.SafeAfter", "hasPassed").instruction(Opcodes.IFLE, Opcodes.IFLT)),
                bug("no-margin", "All clocks are taken to run at the same rate.")
                        .killedBy(G3)
                        .within(5_000, "margins")
                        .by(in("engine.time.Drift", "stretchNanos").advisedBy(BoundMistakes.NoMargin.class)),
                bug("every-refresh-starts-anew", "The bound of the newest read counts, so that reading puts the end off.")
                        .killedBy(G7)
                        .within(2_000, "calm")
                        .by(
                                in("engine.protocol.LeaseView", "tightest").advisedBy(BoundMistakes.NewestRead.class),
                                in("engine.protocol.SessionSights", "safeAfterNanos").without("get")));
    }
}
