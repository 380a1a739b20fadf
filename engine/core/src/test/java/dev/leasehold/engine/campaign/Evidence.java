package dev.leasehold.engine.campaign;

import dev.leasehold.engine.campaign.Entry.Asked;
import dev.leasehold.engine.campaign.Entry.Lost;
import dev.leasehold.engine.campaign.Entry.Seen;
import dev.leasehold.engine.campaign.Entry.Slept;
import dev.leasehold.engine.campaign.Entry.Told;
import dev.leasehold.engine.campaign.Entry.Valid;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What is left of a campaign: the journals of all processes, and the documents.
 *
 * @param entries those of one process in their order
 * @param leases one for each lease that took part
 * @param writes what the application wrote
 * @param history what the database told, in the order of the commits
 */
record Evidence(List<Entry> entries, List<FinalLease> leases, List<GatedWrite> writes, List<Change> history) {

    /** The calls in the order in which they were asked, as each journal has it. */
    List<Call> calls() {
        Map<String, Call> calls = new LinkedHashMap<>();
        for (Asked asked : of(Asked.class)) {
            Call former = calls.put(asked.call(), new Call(asked, new ArrayList<>()));
            if (former != null) {
                throw new IllegalStateException("call '" + asked.call() + "' was asked twice");
            }
        }
        for (Told told : of(Told.class)) {
            calls.get(told.call()).told().add(told);
        }
        return List.copyOf(calls.values());
    }

    List<LeaseEvidence> byLease() {
        List<Call> calls = calls();
        return leases.stream().map(lease -> about(lease, calls)).toList();
    }

    private LeaseEvidence about(FinalLease stored, List<Call> calls) {
        String lease = stored.lease();
        return new LeaseEvidence(
                stored,
                calls.stream()
                        .filter(call -> call.asked().lease().equals(lease))
                        .toList(),
                of(Seen.class).stream()
                        .filter(seen -> seen.lease().equals(lease))
                        .distinct()
                        .toList(),
                of(Valid.class).stream()
                        .filter(valid -> valid.lease().equals(lease))
                        .toList(),
                of(Lost.class).stream()
                        .filter(lost -> lost.lease().equals(lease))
                        .toList(),
                of(Slept.class),
                writes.stream().filter(write -> write.lease().equals(lease)).toList(),
                history.stream().filter(change -> change.lease().equals(lease)).toList());
    }

    private <T extends Entry> List<T> of(Class<T> kind) {
        return entries.stream().filter(kind::isInstance).map(kind::cast).toList();
    }
}
