package dev.leasehold.simulator.bugs;

import static dev.leasehold.simulator.bugs.Change.in;
import static dev.leasehold.simulator.bugs.PlantedBug.bug;
import static dev.leasehold.simulator.check.Promise.G1;
import static dev.leasehold.simulator.check.Promise.G3;
import static dev.leasehold.simulator.check.Promise.G7;
import static dev.leasehold.simulator.check.Promise.T2;
import static dev.leasehold.simulator.plan.Profile.CALM;
import static dev.leasehold.simulator.plan.Profile.MARGINS;
import static dev.leasehold.simulator.plan.Profile.SESSIONS;
import static dev.leasehold.simulator.plan.Profile.WALL;

import dev.leasehold.simulator.bugs.mistakes.BoundMistakes;
import dev.leasehold.simulator.bugs.mistakes.TenureMistakes;
import java.util.List;
import net.bytebuddy.jar.asm.Opcodes;

/** Mistakes about when the time of another writer is over. */
final class BoundBugs {

    private BoundBugs() {}

    static List<PlantedBug> all() {
        return List.of(
                bug(
                                "every-refresh-starts-anew",
                                "The bound of the newest read counts, so that whoever looks puts the end off.")
                        .killedBy(G7)
                        .within(2_000, CALM)
                        .by(
                                in("engine.protocol.LeaseView", "tightest").advisedBy(BoundMistakes.NewestRead.class),
                                in("engine.protocol.SessionSights", "safeAfterNanos")
                                        .without("look")),
                // The engine takes the stamp of a lease for a sign of life of its writer as well, so that it takes two
                // mistakes.
                bug(
                                "extend-without-acknowledgement",
                                "An extension writes the lease without the clock, and others look at the clock alone.")
                        .killedBy(G7)
                        .within(2_000, CALM)
                        .by(
                                in("engine.protocol.Writes", "longer")
                                        .insteadOf("restsOf", TenureMistakes.class, "onTheLeaseAlone"),
                                in("engine.protocol.LeaseView", "foreign")
                                        .insteadOf("max", TenureMistakes.class, "first")),
                bug("expiry-compared-with-own-clock", "The stored expiry is taken for an instant of one's own clock.")
                        .killedBy(G3)
                        .within(500, CALM)
                        .by(in("engine.time.Observation", "safeAfterNanos").advisedBy(BoundMistakes.OwnClock.class)),
                bug("at-the-bound", "The bound itself counts as past the bound.")
                        .killedBy(G3)
                        .within(5_000, MARGINS)
                        .by(in("engine.time.SafeAfter", "hasPassed").instruction(Opcodes.IFLE, Opcodes.IFLT)),
                bug("rounded-down-to-milliseconds", "The bound is kept in milliseconds, rounded down.")
                        .killedBy(G3)
                        .within(5_000, MARGINS)
                        .by(in("engine.time.SafeAfter", "nanos").advisedBy(BoundMistakes.Milliseconds.class)),
                bug("32-bit-arithmetic", "The time that is left is an int of nanoseconds.")
                        .killedBy(G3)
                        .within(500, CALM)
                        .by(in("engine.time.Drift", "stretchNanos").advisedBy(BoundMistakes.IntegerNanos.class)),
                bug(
                                "floating-point-arithmetic",
                                "The bound is a floating-point number, which has no single nanoseconds so long after the epoch.")
                        .killedBy(G3)
                        .within(5_000, MARGINS)
                        .by(in("engine.time.SafeAfter", "nanos").advisedBy(BoundMistakes.FloatingPoint.class)),
                bug("bound-from-begin-of-read", "The bound is counted from the begin of the read.")
                        .killedBy(G3)
                        .within(5_000, MARGINS)
                        .by(in("engine.time.Observation", "safeAfterNanos").advisedBy(BoundMistakes.BeginOfRead.class)),
                // With the time taken at the end this order would be slow and not wrong: the engine takes a lease's own
                // stamp into account, and
                // requires of the entry of its writer, in the same transaction, that it still is as it was seen.
                bug(
                                "clock-read-before-leases",
                                "The clock is read before the leases, and the time is looked at between the two.")
                        .killedBy(G3)
                        .within(5_000, MARGINS)
                        .by(
                                in("engine.commit.LeaseReader", "read")
                                        .insteadOf("nowNanos", BoundMistakes.class, "noteClock"),
                                in("engine.commit.LeaseReader", "read")
                                        .insteadOf("read", BoundMistakes.class, "clockFirst"),
                                in("engine.commit.LeaseReader", "read")
                                        .insteadOf("endedNanos", BoundMistakes.class, "between")),
                bug("own-length-for-anothers", "The session of another writer is taken to be as long as one's own.")
                        .killedBy(G3, T2)
                        .within(5_000, SESSIONS)
                        .by(
                                in("engine.protocol.LeaseView", "acknowledged")
                                        .advisedBy(BoundMistakes.NoteOwnLength.class),
                                in("engine.protocol.LeaseView", "foreign").advisedBy(BoundMistakes.OwnLength.class)),
                bug(
                                "older-observation",
                                "What was known of the writer before it wrote the lease again counts for the new term too.")
                        .killedBy(G3)
                        .within(5_000, WALL)
                        .by(in("engine.protocol.LeaseView", "tightest")
                                .advisedBy(BoundMistakes.OlderObservation.class)),
                bug("no-margin", "All clocks are taken to run at the same rate.")
                        .killedBy(G3)
                        .within(5_000, MARGINS)
                        .by(in("engine.time.Drift", "stretchNanos").advisedBy(BoundMistakes.NoMargin.class)),
                bug("half-margin", "Only one of the two clocks is taken to be wrong.")
                        .killedBy(G3)
                        .within(5_000, MARGINS)
                        .by(in("engine.time.Drift", "stretchNanos").advisedBy(BoundMistakes.HalfMargin.class)),
                bug(
                                "padding-without-margin",
                                "Another engine carries the old promise over to its clock without the margin.")
                        .killedBy(G1)
                        .within(5_000, MARGINS)
                        .by(
                                in("engine.time.Drift", "<init>").advisedBy(BoundMistakes.NoteDrift.class),
                                in("engine.protocol.Writes", "longer")
                                        .insteadOf(
                                                "oldExpiryOnMyClock", BoundMistakes.class, "oldExpiryWithoutMargin")));
    }
}
