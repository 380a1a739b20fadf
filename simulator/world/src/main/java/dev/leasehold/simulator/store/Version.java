package dev.leasehold.simulator.store;

import java.util.List;
import java.util.TreeMap;

/**
 * All documents after one write.
 *
 * @param number as the history counts it: it comes again after a write was taken back
 * @param point of the log, which never comes again
 * @param documents by id; not to be changed
 * @param written what the write has changed
 */
record Version(long number, long point, TreeMap<String, Document> documents, List<ChangeLog.Written> written) {

    static final Version FIRST = new Version(0, 0, new TreeMap<>(), List.of());
}
