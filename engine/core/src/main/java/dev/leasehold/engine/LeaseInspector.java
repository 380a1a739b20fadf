package dev.leasehold.engine;

import dev.leasehold.assertions.OccurrenceRecord;
import java.util.List;

/**
 * Shows the leases, engines and changes of a namespace to people. It needs only the right to read, and writes nothing.
 * It is no engine: it appears in no document and delays no engine.
 *
 * <p>It knows how many {@linkplain LeaseEngineBuilder#partitions partitions} the namespace has from the namespace itself.
 *
 * <p><b>Clocks.</b> No time of day is compared between machines. An inspector knows that an engine lives when it has
 * seen its stamp move, and counts from its own looks when a lease may be taken. So a new inspector knows less than one
 * that has looked for a while.
 *
 * <p><b>Blocking.</b> Every method that reads blocks until the driver has an answer: for at most the command budget on
 * the server, and the client's server selection besides. Many threads may use it; they wait for each other.
 *
 * <p><b>Errors.</b> {@link LeaseUnavailableException} when trying again may help; {@link CorruptDocumentException} when a clock document is
 * missing, foreign, corrupt or of a newer schema; {@link LeaseStoreException} when the database refuses, for lack of rights for instance;
 * {@link LeaseEngineClosedException} after {@link #close}.
 *
 * <p>Made to be used, not to be implemented: methods may be added in any version.
 */
public interface LeaseInspector extends AutoCloseable {

    /** {@return the namespace that is inspected} */
    String namespace();

    /** {@return over how many clock documents its leases are spread: what an engine of this namespace must be built with} */
    int partitions();

    /**
     * Reads all leases of the namespace that have a document, corrupt ones too. It is read in parts; each part is a moment of its own.
     *
     * @return an unmodifiable list in the order of the names
     */
    List<LeaseDetails> leases();

    /**
     * Reads one lease.
     *
     * @param name the lease: 1 to 512 bytes of UTF-8, not blank, without control characters
     * @return how it stands
     */
    LeaseDetails inspect(String name);

    /**
     * Reads the records of the occurrences of a lease's work that were done.
     *
     * @param name the lease, whether it has a document or not
     * @param limit how many at most, 1 to 1,000
     * @return an unmodifiable list in descending order of the occurrences, as the database compares texts
     */
    List<OccurrenceRecord> occurrences(String name, int limit);

    /**
     * Reads the entries of all engines that have written in the namespace, and notes which of them have moved since the look before.
     *
     * @return an unmodifiable list in the order of the partitions and of the names; an engine has an entry in each partition in which it
     *     has written
     */
    List<WriterState> writers();

    /** {@return the clock documents, one for each partition, in their order} */
    List<ClockState> clocks();

    /**
     * Begins to watch for changes, with the first {@link LeaseEvents#await}. It needs the right {@code changeStream} besides.
     *
     * @return to be closed by the caller
     */
    LeaseEvents events();

    /** Gives the driver sessions back. What {@link #events} returned is closed by itself. The client stays open. */
    @Override
    void close();
}
