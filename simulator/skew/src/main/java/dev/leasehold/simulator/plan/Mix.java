package dev.leasehold.simulator.plan;

import dev.leasehold.simulator.plan.Deed.Group;

/** What histories of a profile are made of. Immutable. */
final class Mix {

    /** How the network fares, and the replication. */
    enum Weather {
        /** Everything arrives at the instant at which it is sent, or within a tenth of a millisecond. */
        STILL,
        /** Delays, and nothing else. */
        FAIR,
        /** Each trouble is there or not. */
        MIXED,
        /** All troubles are there. */
        ROUGH
    }

    /** How clocks run. */
    enum Rates {
        /** True, or within the bound, or at its two ends. */
        WITHIN,
        /** One machine at each end of the bound. */
        OPPOSED,
        /** One machine a little beyond each end of the bound. */
        BEYOND,
        /** Like {@link #WITHIN}, or anything. */
        ANY
    }

    /** How often commands come with a fate. */
    enum Fates {
        NONE,
        MIXED,
        MANY
    }

    private static final Deed[] DEEDS = Deed.values();

    private final Weather weather;
    private final Rates rates;
    private final Fates fates;
    private final boolean exact;
    private final int[] weights;
    private final boolean[] always;

    private Mix(Weather weather, Rates rates, Fates fates, boolean exact, int[] weights, boolean[] always) {
        this.weather = weather;
        this.rates = rates;
        this.fates = fates;
        this.exact = exact;
        this.weights = weights;
        this.always = always;
    }

    static Mix of(Weather weather, Rates rates, Fates fates) {
        return new Mix(weather, rates, fates, false, new int[DEEDS.length], new boolean[DEEDS.length]);
    }

    /** Terms are such that rounding plays no part at the ends of the drift bound, and histories are short. */
    Mix exactly() {
        return new Mix(weather, rates, fates, true, weights, always);
    }

    /** So often, compared with other groups, comes each of these. */
    Mix with(int times, Group... groups) {
        int[] changed = weights.clone();
        for (Group group : groups) {
            for (Deed deed : DEEDS) {
                if (deed.group() == group) {
                    changed[deed.ordinal()] = times * deed.weight();
                }
            }
        }
        return new Mix(weather, rates, fates, exact, changed, always);
    }

    /** Just these come so often, whatever their group does. */
    Mix with(int weight, Deed... deeds) {
        int[] changed = weights.clone();
        for (Deed deed : deeds) {
            changed[deed.ordinal()] = weight;
        }
        return new Mix(weather, rates, fates, exact, changed, always);
    }

    /** Just these come so often, and in every history. */
    Mix always(int weight, Deed... deeds) {
        boolean[] changed = always.clone();
        for (Deed deed : deeds) {
            changed[deed.ordinal()] = true;
        }
        return new Mix(weather, rates, fates, exact, weights, changed).with(weight, deeds);
    }

    Weather weather() {
        return weather;
    }

    Rates rates() {
        return rates;
    }

    Fates fates() {
        return fates;
    }

    boolean exact() {
        return exact;
    }

    int weight(Deed deed) {
        return weights[deed.ordinal()];
    }

    /** Whether no history is without it. */
    boolean isAlways(Deed deed) {
        return always[deed.ordinal()];
    }
}
