package dev.leasehold.engine.client;

import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.commit.CommitPath;
import dev.leasehold.engine.commit.LeaseReader;
import dev.leasehold.engine.protocol.Standing;
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

/** Leases as they stand, read part by part. */
final class Listing {

    /** As the database sorts ids, which is another order than that of strings where there are surrogates. */
    private static final Comparator<byte[]> AS_STORED = Arrays::compareUnsigned;

    private final Calls calls;
    private final Partitions partitions;

    Listing(Calls calls, Partitions partitions) {
        this.calls = calls;
        this.partitions = partitions;
    }

    /** What is done with one part of all leases. */
    interface PageAction {
        void take(LeaseReader.Listed page) throws InterruptedException;
    }

    /** Goes through all leases of a partition, from the highest id down. */
    void forEachPage(CommitPath path, PageAction action) throws InterruptedException {
        String belowId = null;
        do {
            LeaseReader.Listed page = page(path, belowId);
            action.take(page);
            belowId = page.lastId();
        } while (belowId != null);
    }

    private LeaseReader.Listed page(CommitPath path, @Nullable String belowId) throws InterruptedException {
        return calls.read(untilNanos -> path.reads().page(belowId, untilNanos), "listing");
    }

    /** All leases, in the order of their names. */
    List<LeaseState> all() throws InterruptedException {
        List<LeaseState> states = new ArrayList<>();
        for (CommitPath path : partitions.all()) {
            forEachPage(
                    path,
                    page -> page.sightings().forEach(sighting -> states.add(Standing.of(sighting, page.nowNanos()))));
        }
        if (partitions.all().size() == 1) {
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
    List<LeaseState> of(Set<String> names) throws InterruptedException {
        calls.checkOpen();
        Map<String, LeaseState> states = new HashMap<>();
        for (Map.Entry<CommitPath, Set<String>> lying : partitions.split(names).entrySet()) {
            for (Set<String> part : LeaseReader.parts(lying.getValue())) {
                calls.read(untilNanos -> lying.getKey().reads().refresh(part, untilNanos), "refresh")
                        .forEach(state -> states.put(state.name(), state));
            }
        }
        return names.stream().map(states::get).toList();
    }
}
