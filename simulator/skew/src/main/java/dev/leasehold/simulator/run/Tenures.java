package dev.leasehold.simulator.run;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.plan.Action.Choice;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All tenures that anybody was granted in a history, in the order of the answers. */
final class Tenures {

    private final List<List<Tenure>> byLease = new ArrayList<>();

    Tenures(int leases) {
        for (int i = 0; i < leases; i++) {
            byLease.add(new ArrayList<>());
        }
    }

    /** How leases are named. */
    static String lease(int number) {
        return "lease-" + number;
    }

    static String holder(int number) {
        return "holder-" + number;
    }

    static HeldTenure held(Tenure tenure) {
        return new HeldTenure(tenure.name(), tenure.holder(), tenure.token());
    }

    void add(Tenure tenure) {
        List<Tenure> all = byLease.get(Integer.parseInt(tenure.name().substring("lease-".length())));
        all.remove(tenure);
        all.add(tenure);
    }

    /** The tenure that was chosen; null when there were not so many. */
    @Nullable Tenure chosen(Choice choice) {
        List<Tenure> all = byLease.get(choice.lease());
        int index = all.size() - 1 - choice.age();
        return index < 0 ? null : all.get(index);
    }
}
