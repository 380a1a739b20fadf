package dev.leasehold.engine.internal.mongo;

import dev.leasehold.assertions.LeaseIds;
import dev.leasehold.assertions.OccurrenceRecord;
import dev.leasehold.engine.LeaseStoreException;
import dev.leasehold.engine.internal.mongo.connection.StoreContext;
import dev.leasehold.engine.internal.mongo.connection.StoreSessions;
import dev.leasehold.engine.internal.mongo.documents.Fields;
import dev.leasehold.engine.internal.mongo.documents.Guards;
import dev.leasehold.engine.internal.store.LeaseStore.Removal;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.jspecify.annotations.Nullable;

/**
 * The records of occurrences of one partition. Their ids are the only index that is needed: they are listed by lease, and the removal of
 * old ones looks at all of them, one bounded page at a time.
 */
final class OccurrenceRecords {

    private static final BsonDocument FROM_THE_HIGHEST = new BsonDocument(Fields.ID, new BsonInt32(-1));
    private static final BsonDocument AGE = new BsonDocument(Fields.DONE, Fields.WANTED);

    private final StoreContext context;
    private final StoreSessions sessions;
    private final StoreReads reads;

    OccurrenceRecords(StoreContext context, StoreSessions sessions, StoreReads reads) {
        this.context = context;
        this.sessions = sessions;
        this.reads = reads;
    }

    @Nullable OccurrenceRecord find(String lease, String occurrence) {
        List<BsonDocument> fetched = reads.fetch(id(lease, occurrence), 1, UnaryOperator.identity());
        return fetched.isEmpty() ? null : decoded(fetched.get(0));
    }

    List<OccurrenceRecord> last(String lease, int limit) {
        BsonDocument ids = Guards.idsIn(LeaseIds.occurrenceIds(context.namespace(), lease));
        return reads.fetch(StoreReads.below(ids, null), limit, find -> find.sort(StoreReads.FROM_THE_HIGHEST)).stream()
                .map(OccurrenceRecords::decoded)
                .toList();
    }

    private static OccurrenceRecord decoded(BsonDocument stored) {
        try {
            return OccurrenceRecord.of(stored);
        } catch (IllegalArgumentException e) {
            throw new LeaseStoreException("a read found a damaged document: " + e.getMessage(), e);
        }
    }

    /** One that was made anew meanwhile stays. */
    boolean forget(OccurrenceRecord record) {
        BsonDocument that = id(record.tenure().name(), record.occurrence())
                .append(Fields.TOKEN, new BsonInt64(record.tenure().token()))
                .append(Fields.DONE, new BsonDateTime(record.done().toEpochMilli()));
        try {
            return context.writable().deleteOne(that).getDeletedCount() > 0;
        } catch (RuntimeException e) {
            throw context.errorMapper().ofRemoval(e);
        }
    }

    Removal removeOld(@Nullable String belowId, int limit, long retentionNanos) {
        BsonDocument ids = StoreReads.below(Guards.idsIn(LeaseIds.occurrenceIds(context.namespace())), belowId);
        List<BsonDocument> page = reads.fetch(
                ids, limit, find -> find.sort(StoreReads.FROM_THE_HIGHEST).projection(AGE));
        String lastId = StoreReads.lastOfFull(page, limit);
        BsonTimestamp now = sessions.reading().getOperationTime();
        if (page.isEmpty() || now == null) {
            return new Removal(0, lastId);
        }
        long beforeMillis = TimeUnit.SECONDS.toMillis(Integer.toUnsignedLong(now.getTime()))
                - TimeUnit.NANOSECONDS.toMillis(retentionNanos);
        BsonArray old = new BsonArray();
        for (BsonDocument each : page) {
            if (each.isDateTime(Fields.DONE) && each.getDateTime(Fields.DONE).getValue() < beforeMillis) {
                old.add(each.get(Fields.ID));
            }
        }
        if (old.isEmpty()) {
            return new Removal(0, lastId);
        }
        // One that was removed and made anew meanwhile is not old.
        BsonDocument those = new BsonDocument(Fields.ID, new BsonDocument("$in", old))
                .append(Fields.TYPE, new BsonString(Fields.OCCURRENCE))
                .append(Fields.DONE, new BsonDocument("$lt", new BsonDateTime(beforeMillis)));
        Long removed = context.tidy(records -> records.deleteMany(those).getDeletedCount());
        return new Removal(removed == null ? 0 : removed.intValue(), lastId);
    }

    private BsonDocument id(String lease, String occurrence) {
        return new BsonDocument(
                Fields.ID, new BsonString(LeaseIds.occurrenceId(context.namespace(), lease, occurrence)));
    }
}
