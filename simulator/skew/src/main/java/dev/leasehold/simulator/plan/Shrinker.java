package dev.leasehold.simulator.plan;

import java.util.List;
import java.util.function.Predicate;

/**
 * Makes a plan small and plain that fails. Commands are left out, in halves, quarters and one by one; machines and leases are merged;
 * what is left gets plain values. All of it again, until nothing can be made any simpler.
 */
public final class Shrinker {

    private final Predicate<Plan> stillFails;
    private int triesLeft;
    private Plan best;

    private Shrinker(Plan plan, Predicate<Plan> stillFails, int triesMax) {
        this.best = plan;
        this.stillFails = stillFails;
        this.triesLeft = triesMax;
    }

    /**
     * Shrinks a plan.
     *
     * @param plan a valid plan that fails
     * @param stillFails whether a plan fails in the way that is of interest; only asked about valid plans. The same answer for the
     *     same plan
     * @param triesMax how often it may be asked
     * @return the simplest plan found, which fails; the plan itself if it does not fail. If the tries were enough, then shrinking it
     *     again changes nothing
     */
    public static Plan shrink(Plan plan, Predicate<Plan> stillFails, int triesMax) {
        Shrinker shrinker = new Shrinker(plan, stillFails, triesMax);
        if (triesMax > 0 && shrinker.fails(plan)) {
            shrinker.toFixpoint();
        }
        return shrinker.best;
    }

    private void toFixpoint() {
        List<Shrinking> passes = List.of(
                new FewerCommands(), new PlainerParts(), new FewerMachines(), new FewerLeases(), new SimplerValues());
        Plan before;
        do {
            before = best;
            for (Shrinking pass : passes) {
                pass.shrink(best, this::accept);
            }
        } while (triesLeft > 0 && !before.equals(best));
    }

    /** Goes on from that plan if it fails too. */
    private boolean accept(Plan candidate) {
        if (triesLeft <= 0 || candidate.equals(best) || !PlanRules.isKept(candidate) || !fails(candidate)) {
            return false;
        }
        best = candidate;
        return true;
    }

    private boolean fails(Plan candidate) {
        triesLeft--;
        return stillFails.test(candidate);
    }
}
