package dev.leasehold.simulator.check;

import dev.leasehold.simulator.plan.History;

/**
 * Judges what happened by what was promised. Outside of the conditions on clocks the promises about time, G1 to G3, G7 and T2, are not
 * promised; breaking them is only counted then.
 */
public final class Judge {

    private Judge() {}

    /**
     * Judges a history.
     *
     * @throws IllegalArgumentException if the history contradicts itself
     */
    public static Verdict judge(History history) {
        return new Trial(history).verdict();
    }
}
