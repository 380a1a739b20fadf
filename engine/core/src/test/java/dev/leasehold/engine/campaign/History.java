package dev.leasehold.engine.campaign;

import com.mongodb.WriteConcern;
import com.mongodb.client.MongoChangeStreamCursor;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.changestream.ChangeStreamDocument;
import com.mongodb.client.model.changestream.UpdateDescription;
import dev.leasehold.engine.campaign.Change.GateWritten;
import dev.leasehold.engine.campaign.Change.LeaseWritten;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.Document;

/**
 * Follows what a majority of the servers has committed, in the order of the commits, through all fail-overs. It is a
 * witness of its own: neither engines nor processes have a part in it.
 */
final class History implements AutoCloseable {

    private static final String MARKS = "marks";
    private static final long PATIENCE_SECONDS = 120;
    private static final String LEASE_IDS = Contender.NAMESPACE + "#";

    private final MongoDatabase database;
    private final MongoChangeStreamCursor<ChangeStreamDocument<BsonDocument>> cursor;
    private final Map<String, BsonDocument> leases = new HashMap<>();
    private final List<Change> changes = new ArrayList<>();
    private final CompletableFuture<List<Change>> all;
    private volatile boolean closed;

    /** Follows from now on. */
    History(MongoDatabase database) {
        this.database = database;
        this.cursor = database.watch(BsonDocument.class).cursor();
        this.all = CompletableFuture.supplyAsync(this::follow, task -> new Thread(task, "history").start());
    }

    /** All changes up to now. It is followed no further. */
    List<Change> untilNow() {
        MongoCollection<Document> marks = database.getCollection(MARKS);
        marks.withWriteConcern(WriteConcern.MAJORITY).insertOne(new Document());
        return all.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
    }

    @Override
    public void close() {
        closed = true;
        all.handle((changes, failure) -> true).join();
    }

    private List<Change> follow() {
        try (cursor) {
            while (!closed) {
                ChangeStreamDocument<BsonDocument> change = cursor.tryNext();
                if (change != null && !follow(change)) {
                    break;
                }
            }
            return changes;
        }
    }

    /** False at the mark that ends it. What has no document, such as the creation of an index, is passed over. */
    private boolean follow(ChangeStreamDocument<BsonDocument> change) {
        String collection =
                change.getDocumentKey() == null ? "" : change.getNamespace().getCollectionName();
        switch (collection) {
            case Contender.COLLECTION -> lease(change);
            case GatedWork.WRITES -> gate(change);
            default -> {}
        }
        return !collection.equals(MARKS);
    }

    private void gate(ChangeStreamDocument<BsonDocument> change) {
        BsonDocument write = change.getFullDocument();
        changes.add(new GateWritten(
                write.getString("lease").getValue(),
                write.getInt64("token").getValue(),
                write.getString("call").getValue()));
    }

    private void lease(ChangeStreamDocument<BsonDocument> change) {
        String id = change.getDocumentKey().getString("_id").getValue();
        UpdateDescription update = change.getUpdateDescription();
        if (!id.startsWith(LEASE_IDS) || update != null && !isByEngine(update)) {
            return;
        }
        if (update == null) {
            leases.put(id, change.getFullDocument());
        } else {
            leases.get(id).putAll(update.getUpdatedFields());
            update.getRemovedFields().forEach(leases.get(id)::remove);
        }
        changes.add(written(leases.get(id)));
    }

    /** Every write of an engine has a stamp of its own, and an assertion leaves it. */
    private static boolean isByEngine(UpdateDescription update) {
        return update.getUpdatedFields().containsKey("written");
    }

    private static LeaseWritten written(BsonDocument lease) {
        return new LeaseWritten(
                lease.getString("name").getValue(),
                lease.isNull("holder") ? null : lease.getString("holder").getValue(),
                lease.getInt64("token").getValue(),
                lease.containsKey("comment") ? lease.getString("comment").getValue() : null);
    }
}
