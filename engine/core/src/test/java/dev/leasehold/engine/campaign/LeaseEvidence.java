package dev.leasehold.engine.campaign;

import dev.leasehold.engine.campaign.Change.LeaseWritten;
import dev.leasehold.engine.campaign.Entry.Lost;
import dev.leasehold.engine.campaign.Entry.Seen;
import dev.leasehold.engine.campaign.Entry.Slept;
import dev.leasehold.engine.campaign.Entry.Valid;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All that is known about one lease. */
final class LeaseEvidence {

    private final FinalLease stored;
    private final List<Call> calls;
    private final List<Seen> seen;
    private final List<Valid> validities;
    private final List<Lost> losses;
    private final List<Slept> slept;
    private final List<GatedWrite> writes;
    private final List<Change> history;
    /** The tenures that handles kept. */
    private final Set<Long> acquired;
    /** For each token by when a tenure under that one or a later one had certainly begun. */
    private final NavigableMap<Long, Long> begunByNanos = new TreeMap<>();
    /** For each token by when its tenure had certainly been made vacant. */
    private final Map<Long, Long> vacantByNanos = new TreeMap<>();

    LeaseEvidence(
            FinalLease stored,
            List<Call> calls,
            List<Seen> seen,
            List<Valid> validities,
            List<Lost> losses,
            List<Slept> slept,
            List<GatedWrite> writes,
            List<Change> history) {
        this.stored = stored;
        this.calls = calls;
        this.seen = seen;
        this.validities = validities;
        this.losses = losses;
        this.slept = slept;
        this.writes = writes;
        this.history = history;
        this.acquired = acquired();
        begins().filter(Call::isYes)
                .forEach(call -> begunByNanos.merge(call.grantedToken(), call.doneByNanos(), Math::min));
        long earliestNanos = Long.MAX_VALUE;
        for (Map.Entry<Long, Long> begun : begunByNanos.descendingMap().entrySet()) {
            earliestNanos = Math.min(earliestNanos, begun.getValue());
            begun.setValue(earliestNanos);
        }
        calls.stream()
                .filter(call -> call.operation().makesVacant() && call.isYes())
                .forEach(call -> vacantByNanos.merge(call.grantedToken(), call.doneByNanos(), Math::min));
    }

    private Set<Long> acquired() {
        Set<String> acquisitions = calls(call -> call.operation() == Operation.ACQUIRE)
                .map(call -> call.asked().call())
                .collect(Collectors.toSet());
        return history.stream()
                .filter(change -> change instanceof LeaseWritten written && acquisitions.contains(written.call()))
                .map(change -> ((LeaseWritten) change).token())
                .collect(Collectors.toSet());
    }

    FinalLease stored() {
        return stored;
    }

    String name() {
        return stored.lease();
    }

    Stream<Call> calls(Predicate<Call> which) {
        return calls.stream().filter(which);
    }

    /** The calls that begin a tenure when they land. */
    Stream<Call> begins() {
        return calls(call -> call.operation().beginsTenure());
    }

    List<Seen> seen() {
        return seen;
    }

    List<Valid> validities() {
        return validities;
    }

    List<Lost> losses() {
        return losses;
    }

    /** What the processes slept, that of other leases too. */
    List<Slept> slept() {
        return slept;
    }

    List<GatedWrite> writes() {
        return writes;
    }

    List<Change> history() {
        return history;
    }

    /**
     * Whether a handle kept the tenure. Its engine extends and releases it without being asked, and a session ends
     * without any write of the lease.
     */
    boolean isAcquired(long token) {
        return acquired.contains(token);
    }

    /** By when the tenure was certainly over; the end of time if nobody was told so. */
    long overByNanos(long token) {
        Map.Entry<Long, Long> later = begunByNanos.higherEntry(token);
        long succeededNanos = later == null ? Long.MAX_VALUE : later.getValue();
        return Math.min(succeededNanos, vacantByNanos.getOrDefault(token, Long.MAX_VALUE));
    }
}
