package dev.leasehold.simulator.checker;

import java.util.List;
import java.util.function.BiFunction;

/**
 * Judges a history by the guarantees of the specification. Outside of the assumptions on clocks tier 2, liveness and limits of effort are not
 * guaranteed; breaking them is only counted then.
 */
public final class HistoryChecker {

    private static final List<BiFunction<Model, Violations, Invariant>> INVARIANTS = List.of(
            TermInvariant::new,
            ExtensionInvariant::new,
            ExpiryInvariant::new,
            ClockDocumentInvariant::new,
            RemovalInvariant::new,
            TokenInvariant::new,
            GatedTransactionInvariant::new,
            YesInvariant::new,
            NoInvariant::new,
            ShownLeaseInvariant::new,
            ValidityInvariant::new,
            LossInvariant::new,
            PinInvariant::new,
            MutualExclusionInvariant::new,
            FailureInvariant::new,
            RescueInvariant::new,
            EffortInvariant::new,
            AvailabilityInvariant::new,
            RenewalInvariant::new,
            BudgetInvariant::new,
            CloseInvariant::new,
            QueueOrderInvariant::new);

    private HistoryChecker() {}

    /**
     * Judges a history.
     *
     * @throws IllegalArgumentException if the history contradicts itself
     */
    public static Verdict check(Recording recording) {
        Model history = new Model(recording);
        Violations violations = new Violations(history.isInside());
        INVARIANTS.forEach(invariant -> invariant.apply(history, violations).check());
        return new Verdict(
                violations.inOrder(), violations.overlaps(), new CoverageCounter(history, violations).reached());
    }
}
