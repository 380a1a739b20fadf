package dev.leasehold.engine.internal.mongo;

import com.mongodb.client.FindIterable;
import dev.leasehold.assertions.LeaseIds;
import dev.leasehold.engine.internal.mongo.connection.StoreContext;
import dev.leasehold.engine.internal.mongo.connection.StoreSessions;
import dev.leasehold.engine.internal.mongo.documents.ClockCodec;
import dev.leasehold.engine.internal.mongo.documents.DriftCheck;
import dev.leasehold.engine.internal.mongo.documents.Fields;
import dev.leasehold.engine.internal.mongo.documents.Guards;
import dev.leasehold.engine.internal.mongo.documents.LeaseCodec;
import dev.leasehold.engine.internal.mongo.documents.QueueCodec;
import dev.leasehold.engine.internal.mongo.documents.Updates;
import dev.leasehold.engine.internal.store.ClockDocument;
import dev.leasehold.engine.internal.store.ClockStamps;
import dev.leasehold.engine.internal.store.ClockSurvey;
import dev.leasehold.engine.internal.store.LeaseStore.Page;
import dev.leasehold.engine.internal.store.LeaseStore.QueuePage;
import dev.leasehold.engine.internal.store.LeaseStore.Removal;
import dev.leasehold.engine.internal.store.Snapshot;
import dev.leasehold.engine.internal.store.StoredLease;
import dev.leasehold.engine.internal.store.StoredQueue;
import dev.leasehold.engine.internal.store.Waiter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Reads one partition: always the leases first, then the clock document. In the other order, a writer that joins and
 * claims in between would appear in a lease and not among the writers, as if it were gone.
 */
final class StoreReads {

    /** Keeps a command well below the server's size limit, whatever the length of the names. */
    private static final int IDS_PER_COMMAND = 1_000;

    static final BsonDocument FROM_THE_HIGHEST = new BsonDocument(Fields.ID, new BsonInt32(-1));

    private static final BsonDocument FROM_THE_LOWEST = new BsonDocument(Fields.ID, new BsonInt32(1));

    private static final BsonDocument LEASE_OR_QUEUE = LeaseCodec.FIELDS.clone().append(Fields.WAITERS, Fields.WANTED);

    private final StoreContext context;
    private final String namespace;
    private final StoreSessions sessions;
    private final LeaseCodec leaseCodec;
    private final QueueCodec queueCodec;
    private final ClockCodec clockCodec;
    private boolean sharded;

    StoreReads(StoreContext context, StoreSessions sessions, DriftCheck drifts) {
        this.context = context;
        this.namespace = context.namespace();
        this.sessions = sessions;
        this.leaseCodec = new LeaseCodec(namespace);
        this.queueCodec = new QueueCodec(namespace);
        this.clockCodec = new ClockCodec(context.partition(), drifts);
    }

    Snapshot byName(Set<String> names, String writer) {
        Map<String, StoredLease> found = new HashMap<>();
        Map<String, StoredQueue> queues = new HashMap<>();
        names.forEach(name -> queues.put(name, StoredQueue.empty(name)));
        List<String> all = List.copyOf(names);
        for (int from = 0; from < all.size(); from += IDS_PER_COMMAND) {
            for (BsonDocument stored :
                    leasesThenQueues(all.subList(from, Math.min(all.size(), from + IDS_PER_COMMAND)))) {
                if (queueCodec.isQueue(stored)) {
                    StoredQueue queue = queueCodec.decode(stored);
                    queues.put(queue.name(), queue);
                } else {
                    StoredLease lease = leaseCodec.decode(stored);
                    found.put(lease.name(), lease);
                }
            }
        }
        List<StoredLease> leases = all.stream()
                .map(name -> found.getOrDefault(name, new StoredLease.Absent(name)))
                .toList();
        return withClock(leases, queues, writer);
    }

    /** One read in the order of the ids, where each lease comes before its queue; across shards one for each kind. */
    private List<BsonDocument> leasesThenQueues(List<String> names) {
        List<BsonString> leases = ids(names, LeaseIds::leaseId);
        List<BsonString> queues = ids(names, LeaseIds::queueId);
        if (sharded) {
            List<BsonDocument> fetched = new ArrayList<>(withIds(leases));
            fetched.addAll(withIds(queues));
            return fetched;
        }
        List<BsonString> both = new ArrayList<>(leases);
        both.addAll(queues);
        return withIds(both);
    }

    private List<BsonDocument> withIds(List<BsonString> ids) {
        BsonDocument filter = new BsonDocument(Fields.ID, new BsonDocument("$in", new BsonArray(ids)));
        return fetch(filter, ids.size(), find -> find.sort(FROM_THE_LOWEST).projection(LEASE_OR_QUEUE));
    }

    /** The reads that follow are of several shards, which one command may read at different moments. */
    void sharded() {
        sharded = true;
    }

    /** Requests one lease more than needed, to know whether there is another page. */
    Page page(@Nullable String belowId, int limit, String writer) {
        BsonDocument ids = below(LeaseCodec.ids(namespace), belowId);
        List<BsonDocument> fetched =
                fetch(ids, limit + 1, find -> find.sort(FROM_THE_HIGHEST).projection(LeaseCodec.FIELDS));
        boolean isLast = fetched.size() <= limit;
        List<BsonDocument> leases = isLast ? fetched : fetched.subList(0, limit);
        return new Page(
                withClock(leases.stream().map(leaseCodec::decode).toList(), Map.of(), writer),
                isLast ? null : leases.get(limit - 1).getString(Fields.ID).getValue());
    }

    /**
     * Whether there is a clock document.
     *
     * @throws dev.leasehold.engine.CorruptDocumentException if it cannot serve as one
     */
    boolean hasClock() {
        List<BsonDocument> fetched = fetch(Guards.clockId(namespace), 1, UnaryOperator.identity());
        if (!fetched.isEmpty()) {
            clockCodec.decode(fetched.get(0));
        }
        return !fetched.isEmpty();
    }

    /** Whether there is any lease document of the partition, sound or not. */
    boolean hasLeases() {
        BsonDocument idOnly = new BsonDocument(Fields.ID, Fields.WANTED);
        return !fetch(below(LeaseCodec.ids(namespace), null), 1, find -> find.projection(idOnly))
                .isEmpty();
    }

    /** Read raw, which shows the size as stored. */
    ClockSurvey survey() {
        List<RawBsonDocument> fetched =
                fetch(RawBsonDocument.class, Guards.clockId(namespace), 1, UnaryOperator.identity());
        ClockDocument clock = clockCodec.decode(fetched.isEmpty() ? null : fetched.get(0));
        RawBsonDocument stored = fetched.get(0);
        return new ClockSurvey(clock, stored.getByteBuffer().remaining(), ClockCodec.driftsPpm(stored));
    }

    /** As {@link dev.leasehold.engine.internal.store.LeaseStore#tidyQueues}. */
    Removal tidyQueues(@Nullable String belowId, int limit) {
        List<BsonDocument> page = queuesBelow(belowId, limit);
        if (page.isEmpty()) {
            return new Removal(0, null);
        }
        Set<String> present = survey().clock().writers().keySet();
        int removed = 0;
        for (BsonDocument stored : page) {
            Long gone = tidyQueue(stored, present);
            if (gone == null) {
                // The page ends here, so that heartbeats go first.
                return new Removal(removed, stored.getString(Fields.ID).getValue());
            }
            removed += gone.intValue();
        }
        return new Removal(removed, lastOfFull(page, limit));
    }

    /** As {@link dev.leasehold.engine.internal.store.LeaseStore#queues}. */
    QueuePage queues(@Nullable String belowId, int limit) {
        List<BsonDocument> page = queuesBelow(belowId, limit);
        return new QueuePage(page.stream().map(queueCodec::decode).toList(), lastOfFull(page, limit));
    }

    private List<BsonDocument> queuesBelow(@Nullable String belowId, int limit) {
        BsonDocument ids = below(QueueCodec.ids(namespace), belowId);
        return fetch(ids, limit, find -> find.sort(FROM_THE_HIGHEST).projection(LEASE_OR_QUEUE));
    }

    /** The id to continue below; null at the end. */
    static @Nullable String lastOfFull(List<BsonDocument> page, int limit) {
        return page.size() < limit
                ? null
                : page.get(limit - 1).getString(Fields.ID).getValue();
    }

    /** How many were removed, one or none; null if another transaction was in the way. */
    private @Nullable Long tidyQueue(BsonDocument stored, Set<String> present) {
        StoredQueue queue = queueCodec.decode(stored);
        Set<String> absent = queue.waiters().stream()
                .map(Waiter::writer)
                .filter(writer -> !present.contains(writer))
                .collect(Collectors.toSet());
        if (!absent.isEmpty()) {
            BsonDocument id = new BsonDocument(Fields.ID, stored.get(Fields.ID));
            BsonDocument pull = new BsonDocument("$pull", new BsonDocument(Fields.WAITERS, Updates.ofWriters(absent)));
            if (context.tidy(queues -> queues.updateOne(id, pull)) == null) {
                return null;
            }
        }
        return queue.corrupt() != null || queue.waiters().stream().anyMatch(waiter -> present.contains(waiter.writer()))
                ? Long.valueOf(0)
                : context.tidy(queues -> queues.deleteOne(Guards.emptyQueue(stored.getString(Fields.ID)))
                        .getDeletedCount());
    }

    private Snapshot withClock(List<StoredLease> leases, Map<String, StoredQueue> queues, String writer) {
        BsonDocument wanted = new BsonDocument(Fields.entry(writer), Fields.WANTED);
        for (StoredLease lease : leases) {
            if (lease instanceof StoredLease.Sound sound) {
                wanted.append(Fields.entry(sound.document().writer()), Fields.WANTED);
            }
        }
        for (StoredQueue queue : queues.values()) {
            queue.inOrder().stream()
                    .limit(Snapshot.ENTRIES_OF_WAITERS)
                    .forEach(waiter -> wanted.append(Fields.entry(waiter.writer()), Fields.WANTED));
        }
        return new Snapshot(leases, queues, clock(wanted));
    }

    /**
     * Of each entry its key and its time alone, which a plain projection cannot select in a map. Only an aggregation computes
     * fields on all supported servers.
     */
    ClockStamps stamps(String writer) {
        BsonDocument wanted = clockWith(new BsonDocument(Fields.entry(writer), Fields.WANTED))
                .append(Fields.STAMPS, ClockCodec.STAMPS);
        List<BsonDocument> pipeline =
                List.of(new BsonDocument("$match", Guards.clockId(namespace)), new BsonDocument("$project", wanted));
        List<BsonDocument> fetched = context.read(() -> context.readable()
                .aggregate(sessions.reading(), pipeline, BsonDocument.class)
                .maxTime(context.limitMillis(), TimeUnit.MILLISECONDS)
                .into(new ArrayList<>()));
        BsonDocument stored = fetched.isEmpty() ? null : fetched.get(0);
        return new ClockStamps(clockCodec.decode(stored), ClockCodec.stampsNanos(stored));
    }

    private ClockDocument clock(BsonDocument writersWanted) {
        BsonDocument wanted = clockWith(writersWanted);
        List<BsonDocument> fetched = fetch(Guards.clockId(namespace), 1, find -> find.projection(wanted));
        return clockCodec.decode(fetched.isEmpty() ? null : fetched.get(0));
    }

    private static BsonDocument clockWith(BsonDocument writersWanted) {
        return writersWanted
                .append(Fields.TYPE, Fields.WANTED)
                .append(Fields.SCHEMA, Fields.WANTED)
                .append(Fields.PARTITIONS, Fields.WANTED)
                .append(Fields.TICKS, Fields.WANTED)
                .append(Fields.TOKEN_FLOOR, Fields.WANTED);
    }

    private List<BsonString> ids(List<String> names, BinaryOperator<String> id) {
        return names.stream()
                .map(name -> new BsonString(id.apply(namespace, name)))
                .toList();
    }

    static BsonDocument below(BsonDocument ids, @Nullable String id) {
        return new BsonDocument(Fields.ID, id == null ? ids : ids.append("$lt", new BsonString(id)));
    }

    /** One batch for all results, and a limit that lets the server close the cursor at once. */
    List<BsonDocument> fetch(BsonDocument filter, int limit, UnaryOperator<FindIterable<BsonDocument>> shape) {
        return fetch(BsonDocument.class, filter, limit, shape);
    }

    private <D extends BsonDocument> List<D> fetch(
            Class<D> type, BsonDocument filter, int limit, UnaryOperator<FindIterable<D>> shape) {
        return context.read(
                () -> shape.apply(context.readable().withDocumentClass(type).find(sessions.reading(), filter))
                        .limit(limit)
                        .batchSize(limit)
                        .maxTime(context.limitMillis(), TimeUnit.MILLISECONDS)
                        .into(new ArrayList<>()));
    }
}
