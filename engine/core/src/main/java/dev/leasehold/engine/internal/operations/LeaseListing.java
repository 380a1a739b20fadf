package dev.leasehold.engine.internal.operations;

import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.internal.commit.LeaseReader;
import dev.leasehold.engine.internal.commit.PartitionEngine;
import dev.leasehold.engine.internal.rules.LeaseStates;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the states of leases, page by page. */
public final class LeaseListing {

    /** The order of ids in the database, which differs from that of strings for surrogates. */
    private static final Comparator<byte[]> AS_STORED = Arrays::compareUnsigned;

    private final OperationCalls calls;
    private final PartitionRouter router;

    public LeaseListing(OperationCalls calls, PartitionRouter router) {
        this.calls = calls;
        this.router = router;
    }

    /** Consumes one page of leases. */
    interface PageAction {
        void take(LeaseReader.Listed page) throws InterruptedException;
    }

    /** Passes all leases of a partition to the action, in descending order of ids. */
    void forEachPage(PartitionEngine partition, PageAction action) throws InterruptedException {
        String belowId = null;
        do {
            LeaseReader.Listed page = page(partition, belowId);
            action.take(page);
            belowId = page.lastId();
        } while (belowId != null);
    }

    private LeaseReader.Listed page(PartitionEngine partition, @Nullable String belowId) throws InterruptedException {
        return calls.read(untilNanos -> partition.reads().page(belowId, untilNanos), "listing");
    }

    /** All leases, in the order of their names. */
    public List<LeaseState> all() throws InterruptedException {
        List<LeaseState> states = new ArrayList<>();
        for (PartitionEngine partition : router.all()) {
            forEachPage(
                    partition,
                    page -> page.sightings()
                            .forEach(observed -> states.add(LeaseStates.of(observed, page.nowNanos()))));
        }
        if (router.all().size() == 1) {
            Collections.reverse(states);
            return Collections.unmodifiableList(states);
        }
        return sorted(states);
    }

    private static List<LeaseState> sorted(List<LeaseState> states) {
        record Keyed(byte[] key, LeaseState state) {}
        return states.stream()
                .map(state -> new Keyed(state.name().getBytes(StandardCharsets.UTF_8), state))
                .sorted(Comparator.comparing(Keyed::key, AS_STORED))
                .map(Keyed::state)
                .toList();
    }

    /** Some leases, in the order of the names. */
    public List<LeaseState> of(Set<String> names) throws InterruptedException {
        calls.checkOpen();
        Map<String, LeaseState> states = new HashMap<>();
        for (Map.Entry<PartitionEngine, Set<String>> lying : router.split(names).entrySet()) {
            for (Set<String> part : LeaseReader.parts(lying.getValue())) {
                calls.read(untilNanos -> lying.getKey().reads().refresh(part, untilNanos), "refresh")
                        .forEach(state -> states.put(state.name(), state));
            }
        }
        return names.stream().map(states::get).toList();
    }
}
