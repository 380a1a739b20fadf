package dev.leasehold.engine.meters;

import dev.leasehold.engine.store.ClockSurvey;
import dev.leasehold.engine.store.WriterEntry;
import java.util.Collection;

/**
 * Meters for a partition other than the first. What stands for one clock document is measured in the first alone, so that there
 * is not a gauge for each writer of each partition; what is counted is counted together.
 */
public final class FurtherPartitionMeters extends ForwardingMeters {

    public FurtherPartitionMeters(EngineMeters meters) {
        super(meters);
    }

    /** It need not look at its clock document for the sake of the meters. */
    @Override
    public boolean measures() {
        return false;
    }

    @Override
    public void writersSeen(String own, Collection<WriterEntry> entries, long readEndedNanos) {}

    @Override
    public void surveyed(ClockSurvey survey) {}
}
