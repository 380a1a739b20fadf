package dev.leasehold.simulator.bugs;

import static dev.leasehold.simulator.bugs.Change.in;
import static dev.leasehold.simulator.bugs.PlantedBug.bug;
import static dev.leasehold.simulator.check.Promise.G7;
import static dev.leasehold.simulator.check.Promise.G8;
import static dev.leasehold.simulator.plan.Profile.CALM;
import static dev.leasehold.simulator.plan.Profile.HOSTILE;
import static dev.leasehold.simulator.plan.Profile.ROLLBACK;
import static dev.leasehold.simulator.plan.Profile.SWARM;

import dev.leasehold.simulator.bugs.mistakes.AnswerMistakes;
import java.util.List;

/** Mistakes about what callers are told. */
final class AnswerBugs {

    private AnswerBugs() {}

    static List<PlantedBug> all() {
        return List.of(
                bug("unknown-is-yes", "What is not known counts as done.")
                        .killedBy(G8)
                        .within(2_000, HOSTILE)
                        .by(
                                in("engine.commit.Writing", "settle").advisedBy(AnswerMistakes.UnknownIsYes.class),
                                in("engine.commit.Writing", "settleAlone")
                                        .advisedBy(AnswerMistakes.UnknownIsYes.class)),
                bug("unknown-retried-as-new", "What is not known counts as not done, and is tried as a new operation.")
                        .killedBy(G8)
                        .within(2_000, HOSTILE)
                        .by(
                                in("engine.commit.Writing", "settle").advisedBy(AnswerMistakes.UnknownIsUndone.class),
                                in("engine.commit.Writing", "settleAlone")
                                        .advisedBy(AnswerMistakes.UnknownIsUndone.class)),
                bug("yes-before-majority", "The answer does not wait for a majority.")
                        .killedBy(G8)
                        .within(5_000, ROLLBACK)
                        .by(
                                in("simulator.store.Primary", "commitNow")
                                        .insteadOf("whenMajorityHas", AnswerMistakes.class, "atOnce"),
                                in("simulator.store.SingleWrite", "finish")
                                        .insteadOf("whenMajorityHas", AnswerMistakes.class, "atOnce")),
                bug("view-from-local-reads", "Reads show what the primary has.")
                        .killedBy(G8)
                        .within(5_000, ROLLBACK)
                        .by(in("simulator.store.Versions", "majority").readingInsteadOf("majority", "newest")),
                bug(
                                "own-landed-write-as-foreign",
                                "What has landed unheard is not known again, and counts as the write of somebody else.")
                        .killedBy(G8)
                        .within(5_000, HOSTILE)
                        .by(
                                in("engine.commit.CommitInDoubt", "commitAgain")
                                        .insteadOf("verdict", AnswerMistakes.class, "undone"),
                                in("engine.commit.CommitInDoubt", "judge").without("transactionNanos")),
                bug("refusal-from-cached-view", "A refusal rests on what was seen before the call.")
                        .killedBy(G8)
                        .within(2_000, CALM)
                        .by(in("engine.commit.Planner", "follow").advisedBy(AnswerMistakes.FromMemory.class)),
                bug("unknown-is-never-resolved", "Who was told that nobody knows is not told later what became of it.")
                        .killedBy(G7)
                        .within(5_000, HOSTILE)
                        .by(
                                in("engine.commit.PendingOperation", "complete")
                                        .readingInsteadOf("lateAnswer", "answer"),
                                in("engine.commit.PendingOperation", "commitDidNotHappen")
                                        .readingInsteadOf("lateAnswer", "answer")),
                bug("listing-leaves-out-the-vacant", "A listing shows those leases only that somebody holds.")
                        .killedBy(G8)
                        .within(5_000, SWARM)
                        .by(in("engine.client.Listing", "all").advisedBy(AnswerMistakes.HeldAlone.class)),
                bug(
                                "listing-as-it-was-read",
                                "A listing is in the order in which it is read, which is that of the names from behind.")
                        .killedBy(G8)
                        .within(2_000, SWARM)
                        .by(in("engine.client.Listing", "all").without("reverse")),
                bug("pin-is-told-no", "Who pins or unpins is told that there is no such lease.")
                        .killedBy(G8)
                        .within(500, SWARM)
                        .by(in("engine.client.Admin", "pinned").advisedBy(AnswerMistakes.No.class)),
                bug(
                                "expired-is-held",
                                "A claim of what is certainly past its expiry is refused as if that were not known.")
                        .killedBy(G8)
                        .within(500, SWARM)
                        .by(in("engine.protocol.Decide", "claim").without("hasCertainlyExpired")),
                bug("latest-expiry-early", "The latest expiry is shown as half a second before the lease can be had.")
                        .killedBy(G8)
                        .within(500, SWARM)
                        .by(in("engine.protocol.Standing", "latest").insteadOf("of", AnswerMistakes.class, "early")));
    }
}
