package dev.leasehold.simulator.store;

import dev.leasehold.assertions.LeaseIds;
import dev.leasehold.engine.CorruptDocumentException;
import dev.leasehold.engine.internal.store.ClockDocument;
import dev.leasehold.engine.internal.store.ClockSurvey;
import dev.leasehold.engine.internal.store.LeaseStore.Page;
import dev.leasehold.engine.internal.store.Partition;
import dev.leasehold.engine.internal.store.Snapshot;
import dev.leasehold.engine.internal.store.StoredLease;
import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.simulator.world.Reply;
import dev.leasehold.simulator.world.SimulatedProcess;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads of what a majority has, the leases first and the clock after them, never older than what the store saw before. */
final class StoreReads {

    private static final long CLOCK_BYTES = 100;
    private static final long ENTRY_BYTES = 90;

    /** What a majority had. */
    private record Found(NavigableMap<String, Document> documents, long point) {}

    private final Server server;
    private final SimulatedProcess simulatedProcess;
    private final Partition partition;
    private final String namespace;
    private long seenPoint;

    StoreReads(Server server, SimulatedProcess simulatedProcess, Partition partition) {
        this.server = server;
        this.simulatedProcess = simulatedProcess;
        this.partition = partition;
        this.namespace = partition.id();
    }

    /** From now on reads wait until a majority has everything up to there. */
    void hasSeen(long point) {
        seenPoint = Math.max(seenPoint, point);
    }

    Snapshot byName(Set<String> names, String writer) {
        NavigableMap<String, Document> documents = fetch("read leases");
        List<StoredLease> leases = new ArrayList<>(names.size());
        for (String name : new TreeSet<>(names)) {
            Document found = documents.get(Ids.lease(namespace, name));
            leases.add(found == null ? new StoredLease.Absent(name) : stored((Document.Lease) found));
        }
        return withClock(leases, writer);
    }

    Page page(@Nullable String belowId, int limit, String writer) {
        NavigableMap<String, Document> all =
                fetch("read a page").subMap(Ids.lease(namespace, ""), true, Ids.behindLeases(namespace), false);
        NavigableMap<String, Document> found = new TreeMap<>(Ids.AS_STORED);
        found.putAll(all);
        List<StoredLease> leases = new ArrayList<>();
        String lastId = null;
        for (Map.Entry<String, Document> next :
                below(found, belowId).descendingMap().entrySet()) {
            if (leases.size() == limit) {
                return new Page(withClock(leases, writer), lastId);
            }
            lastId = next.getKey();
            leases.add(stored((Document.Lease) next.getValue()));
        }
        return new Page(withClock(leases, writer), null);
    }

    private static NavigableMap<String, Document> below(
            NavigableMap<String, Document> documents, @Nullable String belowId) {
        return belowId == null ? documents : documents.headMap(belowId, false);
    }

    Collection<WriterEntry> writers() {
        return new ArrayList<>(clock(fetch("read writers")).writers().values());
    }

    ClockSurvey survey() {
        Collection<WriterEntry> writers = writers();
        return new ClockSurvey(CLOCK_BYTES + ENTRY_BYTES * writers.size(), writers);
    }

    private static StoredLease stored(Document.Lease lease) {
        String name = lease.content().name();
        return lease.isSound()
                ? new StoredLease.Sound(lease.content())
                : new StoredLease.Corrupt(
                        name, LeaseIds.leaseId(lease.content().namespace(), name), "token", "is a string \"damaged\"");
    }

    private Snapshot withClock(List<StoredLease> leases, String writer) {
        Document.Clock clock = clock(fetch("read clock"));
        Map<String, WriterEntry> wanted = new TreeMap<>();
        addEntry(clock, writer, wanted);
        for (StoredLease lease : leases) {
            if (lease instanceof StoredLease.Sound sound) {
                addEntry(clock, sound.document().writer(), wanted);
            }
        }
        return new Snapshot(leases, new ClockDocument(clock.ticks(), clock.tokenFloor(), wanted));
    }

    private static void addEntry(Document.Clock clock, String writer, Map<String, WriterEntry> wanted) {
        WriterEntry.Sound entry = clock.writers().get(writer);
        if (entry != null) {
            wanted.put(writer, entry);
        }
    }

    private Document.Clock clock(NavigableMap<String, Document> documents) {
        if (documents.get(namespace) instanceof Document.Clock clock) {
            if (!isForAsMany(clock)) {
                throw new CorruptDocumentException(
                        namespace,
                        "partitions",
                        "is for " + clock.partitions() + ", this engine for " + partition.count());
            }
            return clock;
        }
        throw new CorruptDocumentException(namespace, "_id", "is missing; an engine makes it only when it starts");
    }

    private boolean isForAsMany(Document.Clock clock) {
        return clock.partitions() == partition.count();
    }

    private NavigableMap<String, Document> fetch(String what) {
        Versions versions = server.versions();
        Reply<Found> reply = server.simulatedNetwork()
                .exchange(
                        simulatedProcess,
                        what,
                        server.commandNanos(),
                        answer -> versions.whenMajorityHas(
                                seenPoint,
                                () -> answer.give(
                                        new Found(versions.majority().documents(), versions.majorityPoint()))));
        Found found = reply.answer();
        if (found == null) {
            throw Outcomes.unavailable(reply.networkFault());
        }
        hasSeen(found.point());
        return found.documents();
    }
}
