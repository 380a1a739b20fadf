package dev.leasehold.engine.client;

import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.commit.LeaseReader;
import dev.leasehold.engine.commit.Reads;
import dev.leasehold.engine.protocol.Standing;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Leases as they stand, read part by part. */
final class Listing {

    private final Calls calls;
    private final Reads reads;

    Listing(Calls calls, Reads reads) {
        this.calls = calls;
        this.reads = reads;
    }

    /** What is done with one part of all leases. */
    interface PageAction {
        void take(LeaseReader.Listed page) throws InterruptedException;
    }

    /** Goes through all leases, from the highest id down. */
    void forEachPage(PageAction action) throws InterruptedException {
        String belowId = null;
        do {
            LeaseReader.Listed page = page(belowId);
            action.take(page);
            belowId = page.lastId();
        } while (belowId != null);
    }

    private LeaseReader.Listed page(@Nullable String belowId) throws InterruptedException {
        return calls.read(untilNanos -> reads.page(belowId, untilNanos), "listing");
    }

    /** All leases, in the order of their names. */
    List<LeaseState> all() throws InterruptedException {
        List<LeaseState> states = new ArrayList<>();
        forEachPage(page ->
                page.sightings().forEach(sighting -> states.add(Standing.of(sighting, page.nowNanos()))));
        Collections.reverse(states);
        return Collections.unmodifiableList(states);
    }

    /** Some leases, in the order of the names. */
    List<LeaseState> of(Set<String> names) throws InterruptedException {
        calls.checkOpen();
        List<LeaseState> states = new ArrayList<>();
        for (Set<String> part : parts(names)) {
            states.addAll(calls.read(untilNanos -> reads.refresh(part, untilNanos), "refresh"));
        }
        return Collections.unmodifiableList(states);
    }

    private static List<Set<String>> parts(Set<String> names) {
        List<Set<String>> parts = new ArrayList<>();
        Set<String> part = new LinkedHashSet<>();
        for (String name : names) {
            if (part.isEmpty()) {
                parts.add(part);
            }
            part.add(name);
            if (part.size() == LeaseReader.PAGE_SIZE) {
                part = new LinkedHashSet<>();
            }
        }
        return parts;
    }
}
