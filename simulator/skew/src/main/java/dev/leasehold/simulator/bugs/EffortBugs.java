package dev.leasehold.simulator.bugs;

import static dev.leasehold.simulator.bugs.Change.in;
import static dev.leasehold.simulator.bugs.PlantedBug.bug;
import static dev.leasehold.simulator.check.Promise.G4;
import static dev.leasehold.simulator.check.Promise.G7;
import static dev.leasehold.simulator.check.Promise.LIM;
import static dev.leasehold.simulator.plan.Profile.BOUNDARY;
import static dev.leasehold.simulator.plan.Profile.HANDLES;
import static dev.leasehold.simulator.plan.Profile.HOSTILE;
import static dev.leasehold.simulator.plan.Profile.RARE;
import static dev.leasehold.simulator.plan.Profile.SESSIONS;
import static dev.leasehold.simulator.plan.Profile.STUCK;
import static dev.leasehold.simulator.plan.Profile.SWARM;

import dev.leasehold.simulator.bugs.mistakes.EffortMistakes;
import dev.leasehold.simulator.bugs.mistakes.TenureMistakes;
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
                        .within(5_000, RARE)
                        .by(in("engine.commit.Session", "beatWhenDue")
                                .insteadOf("executeAfter", EffortMistakes.class, "unlessItFailed")),
                // An operation that gives up is asked for again by whoever keeps or waits for the lease. Only a release
                // has nobody else.
                bug("few-retries", "A release is tried twice, and then the session keeps the lease for nobody.")
                        .killedBy(G7)
                        .within(5_000, HANDLES)
                        .by(in("engine.handle.Releases", "failed")
                                .insteadOf("pauseNanos", EffortMistakes.class, "onlyTwice")),
                // Who loses a conflict has lost it to somebody who gets on, so that equal pauses would only be slow.
                bug("no-jitter", "Whoever has failed tries again at once.")
                        .killedBy(G7, LIM)
                        .within(5_000, STUCK)
                        .by(in("simulator.run.ProgramRuntime", "randomNanos").advisedBy(EffortMistakes.NoPause.class)),
                bug(
                                "one-corrupt-lease-stops-all",
                                "Who has seen a damaged lease takes the whole namespace for damaged.")
                        .killedBy(G7)
                        .within(5_000, HANDLES)
                        .by(in("engine.commit.LeaseReader", "read")
                                .insteadOf("read", EffortMistakes.class, "allOrNothing")),
                bug(
                                "stuck-transaction-is-left-alone",
                                "Whoever finds out which transaction has blocked the clock document leaves it open.")
                        .killedBy(G7)
                        .within(5_000, STUCK)
                        .by(in("engine.commit.RescuingStore", "end").without("endTransactions")),
                bug("wait-without-progress", "Whoever waits for the bound looks again at the bound itself, and again.")
                        .killedBy(LIM)
                        .within(5_000, BOUNDARY)
                        .by(in("engine.handle.Line", "lookAfter").instruction(Opcodes.LCONST_1, Opcodes.LCONST_0)),
                bug("heartbeats-all-the-time", "A heartbeat is due every ten milliseconds.")
                        .killedBy(LIM)
                        .within(500, SESSIONS)
                        .by(in("engine.commit.HeartbeatSchedule", "dueInNanos")
                                .advisedBy(EffortMistakes.DueAtOnce.class)),
                bug(
                                "entries-removed-early",
                                "The entry of another writer is removed after a thousandth of the time for which it is to be kept.")
                        .killedBy(G4)
                        .within(2_000, SWARM)
                        .by(in("engine.protocol.SilentWriters", "silenceNanos")
                                .advisedBy(EffortMistakes.SoonSilent.class)),
                bug("documents-removed-early", "A vacant document is removed as soon as it is found.")
                        .killedBy(G4)
                        .within(2_000, SWARM)
                        .by(in("engine.protocol.LeaseView", "horizonNanos")
                                .insteadOf("laterNanos", TenureMistakes.class, "first")),
                bug(
                                "gives-up-at-the-first-failure",
                                "An operation that has failed once is over, however much time it has left.")
                        .killedBy(G7)
                        .within(2_000, HOSTILE)
                        .by(in("engine.commit.GroupCommit", "endIfDue")
                                .insteadOf("deadlineNanos", EffortMistakes.class, "overIfItFailed")),
                bug("twice-the-budget", "A call has twice as much time as it was given.")
                        .killedBy(G7)
                        .within(2_000, HOSTILE)
                        .by(in("engine.client.Calls", "deadlineNanos").advisedBy(EffortMistakes.TwiceTheBudget.class)),
                bug("round-fails", "A round of several operations fails, and all of them are told so.")
                        .killedBy(LIM)
                        .within(500, SWARM)
                        .by(in("engine.commit.GroupCommit", "round").advisedBy(EffortMistakes.NotTogether.class)),
                bug(
                                "failure-is-only-logged",
                                "Whoever cannot watch fails when the next look is to be set, and nobody hears of that.")
                        .killedBy(LIM)
                        .within(2_000, SWARM)
                        .by(in("engine.handle.Lookout", "tend").advisedBy(EffortMistakes.NotWhenBlind.class)));
    }
}
