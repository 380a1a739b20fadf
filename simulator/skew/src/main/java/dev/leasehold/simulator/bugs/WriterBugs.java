package dev.leasehold.simulator.bugs;

import static dev.leasehold.simulator.bugs.Change.in;
import static dev.leasehold.simulator.bugs.PlantedBug.bug;
import static dev.leasehold.simulator.check.Promise.G3;
import static dev.leasehold.simulator.check.Promise.G4;
import static dev.leasehold.simulator.check.Promise.T2;
import static dev.leasehold.simulator.plan.Profile.OUTSIDE;
import static dev.leasehold.simulator.plan.Profile.SESSIONS;
import static dev.leasehold.simulator.plan.Profile.WALL;

import dev.leasehold.simulator.bugs.mistakes.TenureMistakes;
import dev.leasehold.simulator.bugs.mistakes.WriterMistakes;
import java.util.List;

/** Mistakes about who writes, with which stamps, and what becomes of the entry. */
final class WriterBugs {

    private WriterBugs() {}

    static List<PlantedBug> all() {
        return List.of(
                bug("wall-clock-stamps", "Local time is the time of day.")
                        .killedBy(G3, G4)
                        .within(2_000, WALL)
                        .by(in("engine.time.StampClock", "nowNanos").advisedBy(WriterMistakes.WallClock.class)),
                bug(
                                "writer-id-reused",
                                "An instance always writes under the same name, and takes the entry that it finds for its own.")
                        .killedBy(G3, G4)
                        .within(5_000, WALL)
                        .by(
                                in("engine.commit.Registration", "newWriter").advisedBy(WriterMistakes.SameName.class),
                                in("engine.commit.Registration", "lookWhy").advisedBy(WriterMistakes.AnyEntry.class)),
                // Within the assumptions nothing can be overtaken: all of an engine's writes run in one driver session,
                // of which the server carries out
                // no older command after a newer one, and its stamps strictly increase. So it takes a cloned writer to
                // show it.
                bug("clock-statement-unguarded", "The clock is written whatever time it shows.")
                        .killedBy(G4)
                        .within(5_000, OUTSIDE)
                        .by(
                                in("simulator.store.ClockStatements", "isBetween")
                                        .advisedBy(WriterMistakes.AnyTime.class),
                                in("engine.commit.Registration", "lookWhy").advisedBy(WriterMistakes.AnyEntry.class)),
                bug(
                                "eviction-without-stamp",
                                "A session is ended without looking whether its writer has shown a newer time.")
                        .killedBy(G3, T2)
                        .within(5_000, SESSIONS)
                        .by(
                                in("simulator.store.ClockStatements$OfTransaction", "matches")
                                        .insteadOf("evictedWriters", TenureMistakes.class, "nobody"),
                                in("simulator.store.ClockStatements$Alone", "matches")
                                        .without("timeNanos")),
                // An entry alone would do no harm: what this engine has once lost stays lost, whatever is acknowledged
                // later.
                bug(
                                "heartbeat-creates-entry",
                                "A heartbeat that finds no entry makes one, and what its session kept counts as held again.")
                        .killedBy(G3, T2)
                        .within(5_000, SESSIONS)
                        .by(
                                in("engine.commit.Session", "beat")
                                        .insteadOf("writeClock", WriterMistakes.class, "beatOrRegister"),
                                in("engine.commit.Beliefs", "giveUp").advisedBy(WriterMistakes.NoteLost.class),
                                in("engine.commit.Beliefs", "evicted").advisedBy(WriterMistakes.ForgetLost.class),
                                in("engine.commit.Beliefs", "acknowledged")
                                        .advisedBy(WriterMistakes.BelieveAgain.class)));
    }
}
