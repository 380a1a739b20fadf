package dev.leasehold.simulator.checker;

import java.util.List;

/**
 * Judges a history by the guarantees of the specification. Outside of the assumptions on clocks tier 2, liveness and limits of effort are not
 * guaranteed; breaking them is only counted then.
 */
public final class HistoryChecker {

    private static final List<Invariant> INVARIANTS = List.of(
            new TermInvariant(),
            new NeverShorterInvariant(),
            new ExpiryInvariant(),
            new ClockDocumentInvariant(),
            new RetentionInvariant(),
            new TokenInvariant(),
            new GatedTransactionInvariant(),
            new YesInvariant(),
            new NoInvariant(),
            new ShownStateInvariant(),
            new ShownExpiryInvariant(),
            new ValidityInvariant(),
            new LossInvariant(),
            new PinInvariant(),
            new MutualExclusionInvariant(),
            new FailureInvariant(),
            new EffortInvariant(),
            new AvailabilityInvariant(),
            new RenewalInvariant(),
            new NewsInvariant(),
            new StoredTermInvariant(),
            new BudgetInvariant(),
            new CloseInvariant(),
            new QueueOrderInvariant());

    private HistoryChecker() {}

    /**
     * Judges a history.
     *
     * @throws IllegalArgumentException if the history contradicts itself
     */
    public static Verdict check(Recording recording) {
        Model history = new Model(recording);
        Violations violations = new Violations(recording.conditions().inside());
        for (int i = 0; i < INVARIANTS.size(); i++) {
            INVARIANTS.get(i).check(history, violations);
        }
        return new Verdict(
                violations.inOrder(), violations.overlaps(), new CoverageCounter(history, violations).reached());
    }
}
