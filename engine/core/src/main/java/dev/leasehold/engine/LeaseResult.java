package dev.leasehold.engine;

import dev.leasehold.assertions.Tenure;

/**
 * What an operation answers: a yes or a no, both certain.
 *
 * <p>A {@link Granted} is committed with a majority. A {@link Refusal} means that the operation changed nothing and
 * never will. When neither can be said, the operation throws {@link LeaseOutcomeUnknownException} instead.
 */
public sealed interface LeaseResult permits Granted, Refusal {

    /** {@return whether the operation was carried out} */
    boolean isGranted();

    /**
     * The tenure of a yes, for callers that treat a refusal as a failure.
     *
     * @return the tenure that the operation began, kept or ended
     * @throws LeaseRefusedException if the answer is a no; nothing was changed
     */
    Tenure orElseThrow();
}
