package dev.leasehold.simulator.bugs;

import static dev.leasehold.simulator.bugs.Change.in;
import static dev.leasehold.simulator.bugs.PlantedBug.bug;
import static dev.leasehold.simulator.check.Promise.G1;
import static dev.leasehold.simulator.check.Promise.G2;
import static dev.leasehold.simulator.check.Promise.G3;
import static dev.leasehold.simulator.check.Promise.G7;
import static dev.leasehold.simulator.check.Promise.G8;
import static dev.leasehold.simulator.check.Promise.LIM;
import static dev.leasehold.simulator.check.Promise.T2;
import static dev.leasehold.simulator.plan.Profile.RARE;

import dev.leasehold.simulator.bugs.mistakes.AnswerMistakes;
import dev.leasehold.simulator.bugs.mistakes.BeliefMistakes;
import dev.leasehold.simulator.bugs.mistakes.EffortMistakes;
import dev.leasehold.simulator.bugs.mistakes.TenureMistakes;
import java.util.List;

/** Mistakes that were made in this engine, and mended. */
final class PastBugs {

    private PastBugs() {}

    static List<PlantedBug> all() {
        return List.of(
                bug(
                                "given-up-here-evicts-elsewhere",
                                "Who has given a tenure up here evicts the session of the same holder elsewhere.")
                        .killedBy(G3, T2)
                        .within(5_000, RARE)
                        .by(in("engine.protocol.Decide", "isGivenUpBy").insteadOf("own", TenureMistakes.class, "yes")),
                bug(
                                "told-too-early",
                                "After a conflict the caller who asks later is told that nothing was done, while it is tried again.")
                        .killedBy(G8)
                        .within(5_000, RARE)
                        .by(in("engine.commit.PendingOperation", "commitDidNotHappen")
                                .advisedBy(AnswerMistakes.ToldTooEarly.class)),
                bug(
                                "lost-abort-blocked-a-lease",
                                "What engines left behind is ended where it holds the clock, and not where it holds a lease alone.")
                        .killedBy(G7)
                        .within(5_000, RARE)
                        .by(
                                in("engine.commit.RescuingStore", "commit").without("noteLeaseConflict"),
                                in("engine.commit.RescuingStore", "commit").without("endWhatWasLeftBy"),
                                abortsAreLostForGood()),
                bug(
                                "lost-abort-blocked-the-hasty",
                                "Conflicts on a lease count only where the clock was written apart, which operations with little time never come to.")
                        .killedBy(G7)
                        .within(5_000, RARE)
                        .by(
                                in("engine.commit.RescuingStore", "commit").without("clockIsFree"),
                                in("engine.commit.RescuingStore", "commit").without("endWhatWasLeftBy"),
                                abortsAreLostForGood()),
                bug(
                                "lost-tenure-was-released-though-shared",
                                "A term that was lost here is given up, although another engine has promised it.")
                        .killedBy(G1, G2, T2)
                        .within(5_000, RARE)
                        .by(in("engine.handle.Holdings", "settle")
                                .insteadOf("isSessionLease", TenureMistakes.class, "yes")),
                bug("damage-hid-what-had-landed", "What a damaged lease does not show counts as not done.")
                        .killedBy(G7, G8)
                        .within(5_000, RARE)
                        .by(in("engine.commit.Planned", "damagedIn").without("add")),
                bug("mixed-beliefs", "After an extension the later of two ends counts, by each clock for itself.")
                        .killedBy(T2)
                        .within(5_000, RARE)
                        .by(
                                in("engine.commit.BeliefSpan", "prolong")
                                        .insteadOf("longer", BeliefMistakes.class, "mixed"),
                                in("engine.commit.Beliefs", "stamped").without("stamped"),
                                in("engine.commit.Beliefs", "form")
                                        .insteadOf("afterStamps", BeliefMistakes.class, "asGranted")),
                bug(
                                "answered-release-revived-another",
                                "A belief that a caller gives up may come back when the engine's own release of the same tenure is answered.")
                        .killedBy(T2, G8)
                        .within(20_000, RARE)
                        .by(
                                in("engine.client.TenureOperations", "release")
                                        .callingInsteadOf("callerGivesUp", "giveUp"),
                                in("engine.client.TenureOperations", "release")
                                        .callingInsteadOf("callerIsAnswered", "forget")),
                bug(
                                "evicted-left-a-lease-blocked",
                                "The entry of a dead engine is removed while a transaction of it is open, which nobody knows then.")
                        .killedBy(G7)
                        .within(20_000, RARE)
                        .by(in("engine.commit.RescuingStore", "commit").without("endWhatWasLeftBy")),
                bug(
                                "living-transaction-was-ended",
                                "What an engine has open is ended before it is evicted, though it has shown life since its session was counted.")
                        .killedBy(LIM)
                        .within(20_000, RARE)
                        .by(in("engine.protocol.StuckTransactions", "isOver")
                                .insteadOf("equals", EffortMistakes.class, "isNamed")));
    }

    /** An engine that lives makes its own lost abort good before others have to. */
    static Change abortsAreLostForGood() {
        return in("engine.commit.LostAborts", "end").without("writeClock");
    }
}
