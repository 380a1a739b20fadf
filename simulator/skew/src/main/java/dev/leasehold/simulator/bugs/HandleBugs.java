package dev.leasehold.simulator.bugs;

import static dev.leasehold.simulator.bugs.Change.in;
import static dev.leasehold.simulator.bugs.PlantedBug.bug;
import static dev.leasehold.simulator.check.Promise.G1;
import static dev.leasehold.simulator.check.Promise.G3;
import static dev.leasehold.simulator.check.Promise.G7;
import static dev.leasehold.simulator.check.Promise.G8;
import static dev.leasehold.simulator.plan.Profile.CALM;
import static dev.leasehold.simulator.plan.Profile.HANDLES;
import static dev.leasehold.simulator.plan.Profile.SESSIONS;

import dev.leasehold.simulator.bugs.mistakes.HandleMistakes;
import java.util.List;

/** Mistakes about handles: who gets one, what it tells, and when it is over. */
final class HandleBugs {

    private HandleBugs() {}

    static List<PlantedBug> all() {
        return List.of(
                bug("first-close-gives-up", "Of several handles of one tenure the first that is closed gives it up.")
                        .killedBy(G1, G3)
                        .within(5_000, HANDLES)
                        .by(in("engine.handle.Holdings", "close").insteadOf("isEmpty", HandleMistakes.class, "yes")),
                bug(
                                "granted-to-whoever-waits",
                                "What one of those who wait is granted is handed to all of them, whoever they are.")
                        .killedBy(G8)
                        .within(5_000, HANDLES)
                        .by(in("engine.handle.Waiters", "of").insteadOf("filter", HandleMistakes.class, "all")),
                bug("cancelled-is-not-given-back", "What is granted to those who have gone stays granted.")
                        .killedBy(G7)
                        .within(5_000, HANDLES)
                        .by(in("engine.handle.Line", "granted").without("release")),
                bug(
                                "closed-handle-holds-on",
                                "A handle that was closed says that its lease is held as long as another one keeps it.")
                        .killedBy(G8)
                        .within(500, HANDLES)
                        .by(in("engine.handle.LeaseHandle", "remainingNanos")
                                .insteadOf("get", HandleMistakes.class, "open")),
                bug("handle-is-held-for-ever", "A handle that has no time left says that its lease is held.")
                        .killedBy(G8)
                        .within(500, HANDLES)
                        .by(in("engine.handle.LeaseHandle", "isHeld").advisedBy(HandleMistakes.ForEver.class)),
                bug("loss-is-not-told", "A handle is over and tells nobody.")
                        .killedBy(G8)
                        .within(5_000, HANDLES)
                        .by(in("engine.handle.LeaseHandle", "lost").without("forEach")),
                bug(
                                "any-difference-is-an-anomaly",
                                "Clocks that come to the end of a tenure at instants a little apart count as an anomaly.")
                        .killedBy(G8)
                        .within(5_000, HANDLES)
                        .by(in("engine.handle.Holdings", "hasClockAnomaly").without("grantedNanos")),
                bug(
                                "end-is-not-heard-of",
                                "Of the end of a tenure that its holder did not ask for the handle does not hear.")
                        .killedBy(G7)
                        .within(5_000, CALM)
                        .by(in("engine.handle.Leases$Told", "suspect").advisedBy(HandleMistakes.Deaf.class)),
                bug(
                                "last-come-first-served",
                                "Of those who wait for one lease the last who came makes the next attempt.")
                        .killedBy(G7)
                        .within(5_000, HANDLES)
                        .by(in("engine.handle.Waiters", "next").advisedBy(HandleMistakes.LastFirst.class)),
                bug("term-is-not-given-back", "Who closes the last handle of a term leaves it to its end.")
                        .killedBy(G7)
                        .within(2_000, HANDLES)
                        .by(in("engine.handle.Holdings", "giveBack").advisedBy(HandleMistakes.OnlySessions.class)),
                bug("closed-engine-stays", "An engine that is closed leaves its session to its end.")
                        .killedBy(G7)
                        .within(2_000, SESSIONS)
                        .by(in("engine.commit.CommitPath", "giveSessionBack").without("leave")),
                bug("wait-ends-at-the-first-no", "Who waits for a lease is told no when it is first refused.")
                        .killedBy(G7)
                        .within(5_000, HANDLES)
                        .by(in("engine.handle.Line", "endIfOver")
                                .insteadOf("endNanos", HandleMistakes.class, "longAgo")));
    }
}
