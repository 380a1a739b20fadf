package dev.leasehold.engine.internal.session;

import dev.leasehold.engine.CorruptDocumentException;
import dev.leasehold.engine.internal.store.ClockDocument;
import dev.leasehold.engine.internal.store.ClockStamps;
import dev.leasehold.engine.internal.store.ClockSurvey;
import dev.leasehold.engine.internal.store.ForwardingStore;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.Snapshot;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells of every read that finds no clock document, whatever the read was for. A write that misses for that reason is
 * followed by a read.
 */
public final class WatchedStore extends ForwardingStore {

    private final String partition;
    private final Runnable onClockLost;

    /** @param onClockLost runs on the engine thread, during the read */
    public WatchedStore(String partition, LeaseStore store, Runnable onClockLost) {
        super(store);
        this.partition = partition;
        this.onClockLost = onClockLost;
    }

    @Override
    public Snapshot read(Set<String> names, String writer) {
        return watched(() -> super.read(names, writer));
    }

    @Override
    public Page page(@Nullable String belowId, int limit, String writer) {
        return watched(() -> super.page(belowId, limit, writer));
    }

    @Override
    public ClockSurvey survey() {
        return watched(super::survey);
    }

    @Override
    public ClockStamps stamps(String writer) {
        return watched(() -> super.stamps(writer));
    }

    private <T> T watched(Supplier<T> read) {
        try {
            return read.get();
        } catch (CorruptDocumentException e) {
            if (ClockDocument.isLost(partition, e)) {
                onClockLost.run();
            }
            throw e;
        }
    }
}
