package dev.leasehold.simulator.batch;

import dev.leasehold.simulator.checker.Verdict;
import dev.leasehold.simulator.checker.Violation;
import dev.leasehold.simulator.plan.History;
import dev.leasehold.simulator.plan.Plan;

/**
 * A broken promise, and the smallest plan that was found to break it.
 *
 * @param failure as it was found
 * @param minimal the shrunk plan
 * @param history what happens when that is played
 * @param verdict about that history
 * @param violation of the same promise in that history
 */
public record Case(Failure.Broken failure, Plan minimal, History history, Verdict verdict, Violation violation) {}
