package dev.leasehold.simulator.plan;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * What histories of a profile are made of.
 *
 * @param network how the network fares, and the replication
 * @param rates how clocks run
 * @param faults how often commands come with a fault of a message
 * @param exact whether terms are such that rounding plays no part at the ends of the drift bound; histories are short then
 * @param weights how often a scenario comes, compared with the others; those that are not in it never do
 * @param always the scenarios that no history is without
 */
record Workload(
        Network network,
        Rates rates,
        MessageFaults faults,
        boolean exact,
        Map<Scenario, Integer> weights,
        Set<Scenario> always) {

    /** How the network fares, and the replication. */
    enum Network {
        /** Everything arrives at the instant at which it is sent, or within a tenth of a millisecond. */
        INSTANT,
        /** Delays, and nothing else. */
        DELAYED,
        /** Each fault is there or not. */
        SOME_FAULTS,
        /** All faults are there. */
        ALL_FAULTS
    }

    /** How clocks run. */
    enum Rates {
        TRUE,
        /** Anywhere within the bound; in a workload also true, or at its ends. */
        WITHIN,
        /** Each at one of the two ends of the bound. */
        ENDS,
        /** One machine at each end of the bound. */
        OPPOSED,
        /** One machine a little beyond each end of the bound. */
        BEYOND,
        /** Anything; in a workload also like {@link #WITHIN}. */
        ANY
    }

    /** How often commands come with a fault of a message. */
    enum MessageFaults {
        NONE,
        SOME,
        MANY
    }

    static Workload of(Network network, Rates rates, MessageFaults faults) {
        return new Workload(network, rates, faults, false, Map.of(), Set.of());
    }

    Workload exactly() {
        return new Workload(network, rates, faults, true, weights, always);
    }

    /** All scenarios with faults or all without come so many times as often as their own weight says; those outside of all never, nor those without a weight. */
    Workload withAll(boolean faulty, int times) {
        Workload workload = this;
        for (Scenario scenario : Scenario.values()) {
            if (scenario.hasFault() == faulty && scenario != Scenario.OUTSIDE && scenario.weight() > 0) {
                workload = workload.with(times * scenario.weight(), scenario);
            }
        }
        return workload;
    }

    Workload with(int weight, Scenario... scenarios) {
        Map<Scenario, Integer> changed = new EnumMap<>(Scenario.class);
        changed.putAll(weights);
        for (Scenario scenario : scenarios) {
            changed.put(scenario, weight);
        }
        return new Workload(network, rates, faults, exact, changed, always);
    }

    /** These come so often, and in every history. */
    Workload always(int weight, Scenario... scenarios) {
        Set<Scenario> changed = EnumSet.noneOf(Scenario.class);
        changed.addAll(always);
        changed.addAll(Set.of(scenarios));
        return new Workload(network, rates, faults, exact, weights, changed).with(weight, scenarios);
    }
}
