package dev.leasehold.simulator.bugs;

import static dev.leasehold.simulator.bugs.Change.in;
import static dev.leasehold.simulator.bugs.PlantedBug.bug;
import static dev.leasehold.simulator.check.Promise.G1;
import static dev.leasehold.simulator.check.Promise.G2;
import static dev.leasehold.simulator.check.Promise.G3;
import static dev.leasehold.simulator.check.Promise.G5;
import static dev.leasehold.simulator.check.Promise.G7;
import static dev.leasehold.simulator.check.Promise.G8;
import static dev.leasehold.simulator.check.Promise.T2;
import static dev.leasehold.simulator.plan.Profile.CALM;
import static dev.leasehold.simulator.plan.Profile.HANDLES;
import static dev.leasehold.simulator.plan.Profile.MARGINS;
import static dev.leasehold.simulator.plan.Profile.RARE;
import static dev.leasehold.simulator.plan.Profile.SWARM;

import dev.leasehold.simulator.bugs.mistakes.TenureMistakes;
import java.util.List;
import net.bytebuddy.jar.asm.Opcodes;

/** Mistakes about what may be done to a tenure, and under which guard. */
final class TenureBugs {

    private TenureBugs() {}

    static List<PlantedBug> all() {
        return List.of(
                // The guards carry writer and stamp, so that there is no holder to compare: the writer stands for him.
                bug("guard-on-holder-only", "The guard of a lease names who wrote it, and not which of his writes.")
                        .killedBy(G3)
                        .within(5_000, SWARM)
                        .by(in("simulator.store.LeaseStatements", "isAt")
                                .advisedBy(TenureMistakes.GuardOnWriter.class)),
                bug("token-forgotten", "The token counts from the beginning when a tenure has ended.")
                        .killedBy(G5)
                        .within(500, CALM)
                        .by(in("engine.protocol.Writes", "end").without("token")),
                bug(
                                "first-token-without-the-floor",
                                "The first token of a name comes from a floor that may have been raised since.")
                        .killedBy(G5)
                        .within(5_000, RARE)
                        .by(in("engine.protocol.Writes", "first").advisedBy(TenureMistakes.WithoutTheFloor.class)),
                bug("release-ignores-token", "Whoever holds the lease gives it up, also by an old tenure.")
                        .killedBy(G1)
                        .within(5_000, SWARM)
                        .by(in("engine.protocol.Decide", "release")
                                .insteadOf("objectionToActingAs", TenureMistakes.class, "objectionToHolder")),
                bug("extend-may-shorten", "An extension through another engine forgets what was promised before.")
                        .killedBy(G2)
                        .within(5_000, MARGINS)
                        .by(in("engine.protocol.Writes", "longer").insteadOf("max", TenureMistakes.class, "first")),
                bug(
                                "extend-without-write-by-earliest-expiry",
                                "An extension is granted without a write where the lease cannot end sooner, for all that is known here.")
                        .killedBy(G2)
                        .within(5_000, SWARM)
                        .by(in("engine.protocol.Preconditions", "runsLongEnough")
                                .advisedBy(TenureMistakes.EarliestExpiry.class)),
                bug("extends-by", "An extension adds the asked time to what there is, and does not count it from now.")
                        .killedBy(G7)
                        .within(500, SWARM)
                        .by(in("engine.protocol.Writes", "longer").insteadOf("max", TenureMistakes.class, "added")),
                bug(
                                "late-extension-refused",
                                "An extension that comes after the expiry is refused, although nobody has taken the lease.")
                        .killedBy(G8)
                        .within(500, SWARM)
                        .by(in("engine.protocol.Decide", "extend")
                                .insteadOf("objectionToActingAs", TenureMistakes.class, "objectionToTheLate")),
                bug(
                                "claim-takes-over",
                                "A claim takes a lease that is certainly past its expiry, as if nobody held it.")
                        .killedBy(G8)
                        .within(500, SWARM)
                        .by(in("engine.protocol.Decide", "claim")
                                .insteadOf("isHeld", TenureMistakes.class, "heldAndNotOver")),
                bug("take-over-claims", "Who takes over takes also what nobody holds.")
                        .killedBy(G8)
                        .within(500, SWARM)
                        .by(in("engine.protocol.Decide", "takeOver")
                                .insteadOf("objectionToEnding", TenureMistakes.class, "objectionToTheHeld")),
                bug(
                                "supersedes-anybody",
                                "Who supersedes takes the lease from whoever holds it, not only from its own name.")
                        .killedBy(G3, T2, G1)
                        .within(5_000, HANDLES)
                        .by(in("engine.protocol.Decide", "maySupersede")
                                .insteadOf("isHeldBy", TenureMistakes.class, "yes")),
                bug("kept-free-is-taken", "Who takes a vacant lease does not look until when it is kept free.")
                        .killedBy(G3)
                        .within(5_000, RARE)
                        .by(in("engine.protocol.Decide", "begin")
                                .insteadOf("isKeptFree", TenureMistakes.class, "notKeptFree")),
                bug("pinned-is-taken", "Who takes a lease does not look whether it is pinned.")
                        .killedBy(G8)
                        .within(5_000, SWARM)
                        .by(
                                in("engine.protocol.Decide", "begin")
                                        .insteadOf("isPinned", TenureMistakes.class, "notPinned"),
                                in("engine.protocol.Writes", "beginning")
                                        .instruction(Opcodes.ICONST_1, Opcodes.ICONST_0)));
    }
}
