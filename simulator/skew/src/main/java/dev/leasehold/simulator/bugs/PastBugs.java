package dev.leasehold.simulator.bugs;

import static dev.leasehold.simulator.bugs.Change.in;
import static dev.leasehold.simulator.bugs.PlantedBug.bug;
import static dev.leasehold.simulator.check.Promise.G1;
import static dev.leasehold.simulator.check.Promise.G2;
import static dev.leasehold.simulator.check.Promise.G3;
import static dev.leasehold.simulator.check.Promise.G8;
import static dev.leasehold.simulator.check.Promise.LIM;
import static dev.leasehold.simulator.check.Promise.T2;
import static dev.leasehold.simulator.plan.Profile.HANDLES;
import static dev.leasehold.simulator.plan.Profile.HOSTILE;
import static dev.leasehold.simulator.plan.Profile.SESSIONS;

import dev.leasehold.simulator.bugs.mistakes.AnswerMistakes;
import dev.leasehold.simulator.bugs.mistakes.TenureMistakes;
import java.util.List;

/** Mistakes that were made in this engine, and mended. */
final class PastBugs {

    private PastBugs() {}

    static List<PlantedBug> all() {
        return List.of(
                bug("waiters-wake-each-other", "Two waiters of one owner, who is refused, wake each other without end.")
                        .killedBy(LIM)
                        .within(5_000, SESSIONS)
                        .by(in("engine.handle.Line", "refused").without("wasRefusedIn")),
                bug("late-release-of-a-lost-tenure", "What was lost here is given up, although its holder has kept it through another engine.")
                        .killedBy(G1, G2)
                        .within(5_000, HANDLES)
                        .by(in("engine.protocol.Decide", "release").without("unlessKeptElsewhere")),
                bug("given-up-here-evicts-elsewhere", "Who has given a tenure up here evicts the session of the same holder elsewhere.")
                        .killedBy(G3, T2)
                        .within(5_000, SESSIONS)
                        .by(in("engine.protocol.Decide", "acquire").insteadOf("isKeptElsewhere", TenureMistakes.class, "no")),
                bug("told-too-early", "After a conflict the caller who asks later is told that nothing was done, while it is tried again.")
                        .killedBy(G8)
                        .within(5_000, HOSTILE)
                        .by(in("engine.commit.PendingOperation", "commitDidNotHappen").advisedBy(AnswerMistakes.ToldTooEarly.class)));
    }
}
