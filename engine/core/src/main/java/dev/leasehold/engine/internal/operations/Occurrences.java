package dev.leasehold.engine.internal.operations;

import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.assertions.OccurrenceRecord;
import dev.leasehold.engine.LeaseEngineClosedException;
import dev.leasehold.engine.LeaseOutcomeUnknownException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.commit.LeaseReader;
import dev.leasehold.engine.internal.commit.Operations;
import dev.leasehold.engine.internal.partition.PartitionRouter;
import dev.leasehold.engine.internal.runtime.LogContext;
import dev.leasehold.engine.internal.settings.Arguments;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads and removes the records of occurrences. Engines never write one: that is for assertions in transactions of callers. */
public final class Occurrences {

    /** The most records that one listing returns: they are read by one command. */
    public static final int LISTED_MAX = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(Occurrences.class);

    private final PartitionRouter router;
    private final Operations operations;

    public Occurrences(PartitionRouter router, Operations operations) {
        this.router = router;
        this.operations = operations;
    }

    /** The record of one occurrence, if a majority has it. */
    public Optional<OccurrenceRecord> find(String lease, String occurrence) throws InterruptedException {
        return operations.ofStore(
                reads(lease),
                store -> Optional.ofNullable(store.occurrence(lease, occurrence)),
                "read of an occurrence");
    }

    /** The last records of a lease, in descending order of their occurrences. */
    List<OccurrenceRecord> last(String lease, int limit) throws InterruptedException {
        LeaseNames.checkName(lease);
        checkLimit(limit);
        return operations.ofStore(reads(lease), store -> store.occurrences(lease, limit), "listing of occurrences");
    }

    static void checkLimit(int limit) {
        if (limit < 1 || limit > LISTED_MAX) {
            throw new IllegalArgumentException("limit " + limit + " is refused: it must be 1 to " + LISTED_MAX);
        }
    }

    /** Removes one record, so that the occurrence can be done again. */
    Optional<OccurrenceRecord> forget(String lease, String occurrence, String reason) throws InterruptedException {
        LeaseNames.checkName(lease);
        LeaseNames.checkOccurrence(occurrence);
        Arguments.reason(reason);
        Optional<OccurrenceRecord> found = find(lease, occurrence);
        if (found.isPresent()) {
            String record = LogContext.of(found.get().tenure()) + ": the record of occurrence "
                    + LeaseNames.quote(occurrence) + ", done at " + found.get().done();
            LOG.warn("{}, is to be removed by an operator: {}", record, reason);
            remove(found.get(), record);
            LOG.warn("{}, was removed by an operator", record);
        }
        return found;
    }

    private void remove(OccurrenceRecord record, String words) throws InterruptedException {
        operations.checkOpen();
        try {
            boolean removed = operations.ofStore(
                    reads(record.tenure().name()), store -> store.forgetOccurrence(record), "removal of an occurrence");
            // An earlier attempt, whose answer was lost, may have removed it.
            if (!removed && find(record.tenure().name(), record.occurrence()).isPresent()) {
                throw new LeaseOutcomeUnknownException(words + ", was made anew meanwhile, and stays", null);
            }
        } catch (LeaseUnavailableException | LeaseEngineClosedException e) {
            throw new LeaseOutcomeUnknownException(words + ", may have been removed: " + e.getMessage(), e);
        }
    }

    private LeaseReader reads(String lease) {
        return router.of(lease).reads();
    }
}
