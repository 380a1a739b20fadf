package dev.leasehold.simulator.bugs;

import static dev.leasehold.simulator.bugs.Change.in;
import static dev.leasehold.simulator.bugs.PlantedBug.bug;
import static dev.leasehold.simulator.check.Promise.G6;
import static dev.leasehold.simulator.plan.Profile.GATES;
import static dev.leasehold.simulator.plan.Profile.STUCK;

import dev.leasehold.simulator.bugs.mistakes.AssertionMistakes;
import java.util.List;

/** Mistakes about what is asserted in a caller's transaction. */
final class AssertionBugs {

    private AssertionBugs() {}

    static List<PlantedBug> all() {
        return List.of(
                bug("assertion-without-token", "The holder is asserted, and not the token.")
                        .killedBy(G6)
                        .within(5_000, GATES)
                        .by(in("assertions.LeaseAssertion", "guard").advisedBy(AssertionMistakes.NoToken.class)),
                bug("assertion-that-only-reads", "The lease is read, and not written.")
                        .killedBy(G6)
                        .within(5_000, GATES)
                        .by(in("assertions.LeaseAssertion", "assertIn")
                                .insteadOf("updateOne", AssertionMistakes.class, "read")),
                bug("assertion-that-changes-nothing", "The lease is written as it is, which conflicts with nobody.")
                        .killedBy(G6)
                        .within(5_000, GATES)
                        .by(in("assertions.LeaseAssertion", "touch").advisedBy(AssertionMistakes.ChangesNothing.class)),
                bug("body-rerun-without-assertion", "A body that is run again asserts nothing.")
                        .killedBy(G6)
                        .within(5_000, GATES)
                        .by(in("engine.handle.LeaseHandle", "lambda$inTransaction")
                                .insteadOf("check", AssertionMistakes.class, "onlyOnce")),
                bug(
                                "body-rerun-with-newer-token",
                                "A body that is run again asserts whichever token its holder has by then.")
                        .killedBy(G6)
                        .within(5_000, GATES)
                        .by(in("assertions.LeaseAssertion", "guard").advisedBy(AssertionMistakes.NewerToken.class)),
                bug("end-leaves-stripes", "The end of a tenure writes the lease, and leaves its gate stripes alone.")
                        .killedBy(G6)
                        .within(500, GATES)
                        .by(in("engine.protocol.Writes", "ending").without("stripes")),
                bug("next-tenure-on-one-stripe", "A tenure that begins is written to the first gate stripe only.")
                        .killedBy(G6)
                        .within(500, GATES)
                        .by(in("engine.protocol.Writes", "next").advisedBy(AssertionMistakes.OneStripe.class)),
                bug(
                                "fewer-stripes-than-before",
                                "Who asks for fewer gate stripes than there are leaves the others as they are.")
                        .killedBy(G6)
                        .within(5_000, GATES)
                        .by(in("engine.protocol.Writes", "begun").insteadOf("max", AssertionMistakes.class, "asMany")),
                bug(
                                "rescue-ends-every-idle-transaction",
                                "Whoever finds a lease blocked ends all idle transactions, callers' too.")
                        .killedBy(G6)
                        .within(2_000, STUCK)
                        .by(in("engine.protocol.StuckTransactions", "registeredBy")
                                .advisedBy(AssertionMistakes.Anybody.class)));
    }
}
