package dev.leasehold.simulator.checker;

/**
 * Judges a history by the guarantees of the specification. Outside of the assumptions on clocks tier 2, liveness and limits of effort are not
 * guaranteed; breaking them is only counted then.
 */
public final class HistoryChecker {

    private HistoryChecker() {}

    /**
     * Judges a history.
     *
     * @throws IllegalArgumentException if the history contradicts itself
     */
    public static Verdict check(Recording recording) {
        Model history = new Model(recording);
        Violations violations = new Violations(history.isInside());
        new TermInvariant(history, violations).check();
        new ExpiryInvariant(history, violations).check();
        new ClockDocumentInvariant(history, violations).check();
        new LeaseDocumentInvariant(history, violations).check();
        new GatedTransactionInvariant(history, violations).check();
        new OccurrenceInvariant(history, violations).check();
        new YesInvariant(history, violations).check();
        new NoInvariant(history, violations).check();
        new ShownLeaseInvariant(history, violations).check();
        new ValidityInvariant(history, violations).check();
        new LossInvariant(history, violations).check();
        new MutualExclusionInvariant(history, violations).check();
        new FailureInvariant(history, violations).check();
        new EffortInvariant(history, violations).check();
        new AvailabilityInvariant(history, violations).check();
        new BudgetInvariant(history, violations).check();
        new QueueOrderInvariant(history, violations).check();
        new TicketInvariant(history, violations).check();
        new GrantOrderInvariant(history, violations).check();
        return new Verdict(violations.inOrder(), new CoverageCounter(history, violations).reached);
    }
}
