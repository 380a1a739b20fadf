package dev.leasehold.simulator.bugs;

import static dev.leasehold.simulator.bugs.Change.in;
import static dev.leasehold.simulator.bugs.PlantedBug.bug;
import static dev.leasehold.simulator.check.Promise.G2;
import static dev.leasehold.simulator.check.Promise.G8;
import static dev.leasehold.simulator.check.Promise.T2;
import static dev.leasehold.simulator.plan.Profile.CALM;
import static dev.leasehold.simulator.plan.Profile.HOSTILE;
import static dev.leasehold.simulator.plan.Profile.MARGINS;
import static dev.leasehold.simulator.plan.Profile.SESSIONS;
import static dev.leasehold.simulator.plan.Profile.SWARM;
import static dev.leasehold.simulator.plan.Profile.WALL;

import dev.leasehold.simulator.bugs.mistakes.BeliefMistakes;
import dev.leasehold.simulator.bugs.mistakes.HandleMistakes;
import dev.leasehold.simulator.bugs.mistakes.TenureMistakes;
import java.util.List;

/** Mistakes about how long a holder believes. */
final class BeliefBugs {

    private BeliefBugs() {}

    static List<PlantedBug> all() {
        return List.of(
                bug("belief-from-the-reply", "The belief is counted from the reply.")
                        .killedBy(T2)
                        .within(5_000, MARGINS)
                        .by(
                                in("engine.commit.Planner", "situation").advisedBy(BeliefMistakes.NoteDecision.class),
                                in("engine.commit.Beliefs", "form").advisedBy(BeliefMistakes.FromTheReply.class)),
                bug("session-belief-from-reply", "The belief in a session is counted from the reply of the heartbeat.")
                        .killedBy(T2, G8)
                        .within(5_000, SESSIONS)
                        .by(in("engine.commit.Session", "note")
                                .insteadOf("from", BeliefMistakes.class, "sessionFromTheReply")),
                bug(
                                "unknown-claim-is-believed-in",
                                "A claim that stayed unknown forms its belief when it is found to have landed.")
                        .killedBy(G8)
                        .within(5_000, HOSTILE)
                        .by(in("engine.commit.PendingOperation", "settle")
                                .advisedBy(BeliefMistakes.ForsakenClaimCounts.class)),
                // Before it is resolved an unknown claim has no tenure to believe in. Apart from that, there is the
                // release to get wrong.
                bug(
                                "belief-kept-after-unknown",
                                "A release ends the belief only when it is answered, so that after an unknown one the holder goes on.")
                        .killedBy(T2)
                        .within(5_000, HOSTILE)
                        .by(
                                in("engine.commit.Beliefs", "giveUp").advisedBy(BeliefMistakes.Nothing.class),
                                in("engine.commit.Beliefs", "callerGivesUp").advisedBy(BeliefMistakes.Nothing.class)),
                bug("belief-shortened", "After an extension the belief that is newer counts, be it shorter.")
                        .killedBy(G2)
                        .within(2_000, SWARM)
                        .by(in("engine.commit.BeliefSpan", "prolong")
                                .insteadOf("longer", BeliefMistakes.class, "newer")),
                bug(
                                "belief-outlives-a-refusal",
                                "Who is refused an extension, since the tenure is over, goes on believing in it.")
                        .killedBy(G8)
                        .within(5_000, SWARM)
                        .by(in("engine.commit.Settlement", "refused").without("tellsTheEnd")),
                bug("held-for-ever", "An engine that has no time left of a tenure says that it is held.")
                        .killedBy(G8)
                        .within(500, CALM)
                        .by(in("engine.client.TenureOperations", "isHeld").advisedBy(HandleMistakes.ForEver.class)),
                bug("belief-by-monotonic-alone", "The time of day does not end a belief.")
                        .killedBy(T2)
                        .within(5_000, WALL)
                        .by(in("engine.time.Belief", "remainingNanos")
                                .insteadOf("min", TenureMistakes.class, "first")));
    }
}
