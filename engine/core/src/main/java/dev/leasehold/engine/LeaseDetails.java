package dev.leasehold.engine;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One lease with all fields of its document. A value: it does not change when the lease does.
 *
 * @param state how it stands, with the expiry on the clock of the inspector
 * @param partition in which part of the namespace it lies; the name of the namespace itself for the first
 * @param writer the engine that wrote the document last, as {@link WriterState#writer} names it; null where there is no sound document
 * @param since wall time, when the latest tenure began, of the engine that wrote that, over or not; null where there is no sound document
 * @param gates how many transactions were gated by the lease itself, apart from those on its stripes
 * @param stripes how many gate stripes it has
 * @param waiters the tickets of its wait queue, the first one first; read after the lease, and in a listing after all leases
 */
public record LeaseDetails(
        LeaseState state,
        String partition,
        @Nullable String writer,
        @Nullable Instant since,
        long gates,
        int stripes,
        List<WaiterDetails> waiters) {

    /**
     * As of 0.1.0: a lease whose wait queue is empty.
     *
     * @param state how it stands, with the expiry on the clock of the inspector
     * @param partition in which part of the namespace it lies; the name of the namespace itself for the first
     * @param writer the engine that wrote the document last, as {@link WriterState#writer} names it; null where there is no sound document
     * @param since wall time, when the latest tenure began, of the engine that wrote that, over or not; null where there is no sound document
     * @param gates how many transactions were gated by the lease itself, apart from those on its stripes
     * @param stripes how many gate stripes it has
     */
    public LeaseDetails(
            LeaseState state,
            String partition,
            @Nullable String writer,
            @Nullable Instant since,
            long gates,
            int stripes) {
        this(state, partition, writer, since, gates, stripes, List.of());
    }

    /**
     * Copies the waiters.
     *
     * @param state how it stands, with the expiry on the clock of the inspector
     * @param partition in which part of the namespace it lies; the name of the namespace itself for the first
     * @param writer the engine that wrote the document last, as {@link WriterState#writer} names it; null where there is no sound document
     * @param since wall time, when the latest tenure began, of the engine that wrote that, over or not; null where there is no sound document
     * @param gates how many transactions were gated by the lease itself, apart from those on its stripes
     * @param stripes how many gate stripes it has
     * @param waiters the tickets of its wait queue, the first one first; read after the lease, and in a listing after all leases
     */
    public LeaseDetails {
        waiters = List.copyOf(waiters);
    }

    /** {@return the name of the lease} */
    public String name() {
        return state.name();
    }
}
