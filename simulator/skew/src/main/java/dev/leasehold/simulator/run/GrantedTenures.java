package dev.leasehold.simulator.run;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.plan.Action.Choice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All tenures that were granted in a history, in the order of the answers; and how leases and holders are named. */
final class GrantedTenures {

    private final Map<String, List<Tenure>> byLease = new HashMap<>();

    static String lease(int number) {
        return "lease-" + number;
    }

    static String holder(int number) {
        return "holder-" + number;
    }

    static String occurrence(int number) {
        return "occurrence-" + number;
    }

    static HeldTenure held(Tenure tenure) {
        return new HeldTenure(tenure.name(), tenure.holder(), tenure.token());
    }

    void add(Tenure tenure) {
        List<Tenure> all = byLease.computeIfAbsent(tenure.name(), name -> new ArrayList<>());
        all.remove(tenure);
        all.add(tenure);
    }

    /** The tenure that was chosen; null when there were not so many. */
    @Nullable Tenure chosen(Choice choice) {
        List<Tenure> all = byLease.getOrDefault(lease(choice.lease()), List.of());
        int index = all.size() - 1 - choice.age();
        return index < 0 ? null : all.get(index);
    }
}
