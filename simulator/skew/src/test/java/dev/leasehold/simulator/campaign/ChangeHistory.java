package dev.leasehold.simulator.campaign;

import com.mongodb.WriteConcern;
import com.mongodb.client.MongoChangeStreamCursor;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.changestream.ChangeStreamDocument;
import com.mongodb.client.model.changestream.UpdateDescription;
import dev.leasehold.simulator.history.Change.TicketRow;
import dev.leasehold.simulator.history.Event.Committed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * Follows what a majority of the servers has committed, in the order of the commits, through all fail-overs. It is a
 * witness of its own: neither engines nor processes have a part in it.
 */
final class ChangeHistory implements AutoCloseable {

    private static final String MARKS = "marks";
    private static final long PATIENCE_SECONDS = 120;

    private final MongoDatabase database;
    private final MongoChangeStreamCursor<ChangeStreamDocument<BsonDocument>> cursor;
    private final Map<BsonValue, BsonDocument> documents = new HashMap<>();
    private final List<StoredWrite> writes = new ArrayList<>();
    private final Map<String, Set<TicketRow>> tickets = new HashMap<>();
    private final List<Committed> commits = new ArrayList<>();
    private final CompletableFuture<List<Committed>> all;
    private @Nullable BsonDocument transaction;
    private long receivedNanos;
    private volatile boolean closed;

    /** Follows from now on. */
    ChangeHistory(MongoDatabase database) {
        this.database = database;
        this.cursor = database.watch(BsonDocument.class).cursor();
        this.all = CompletableFuture.supplyAsync(this::follow, task -> new Thread(task, "history").start());
    }

    /** All commits up to now, each with the instant by which it had happened. They are followed no further. */
    List<Committed> untilNow() {
        MongoCollection<Document> marks = database.getCollection(MARKS);
        marks.withWriteConcern(WriteConcern.MAJORITY).insertOne(new Document());
        return all.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
    }

    @Override
    public void close() {
        closed = true;
        all.handle((commits, failure) -> true).join();
    }

    private List<Committed> follow() {
        try (cursor) {
            while (!closed) {
                ChangeStreamDocument<BsonDocument> change = cursor.tryNext();
                if (change != null && !follow(change)) {
                    break;
                }
            }
            return commits;
        }
    }

    /** False at the mark that ends it. What has no document, such as the creation of an index, is passed over. */
    private boolean follow(ChangeStreamDocument<BsonDocument> change) {
        String collection =
                change.getDocumentKey() == null ? "" : change.getNamespace().getCollectionName();
        beginCommit(change);
        if (collection.equals(Contender.COLLECTION) || collection.equals(GatedWork.WRITES)) {
            BsonValue id = change.getDocumentKey().get("_id");
            BsonDocument before = documents.get(id);
            BsonDocument after = after(before, change);
            documents.put(id, after);
            StoredWrite write = new StoredWrite(before, after);
            writes.add(write);
            if (!write.tickets().isEmpty()) {
                tickets.computeIfAbsent(write.lease(), lease -> new HashSet<>()).addAll(write.tickets());
            }
        }
        return !collection.equals(MARKS);
    }

    /** The changes of one transaction follow each other. */
    private void beginCommit(ChangeStreamDocument<BsonDocument> change) {
        BsonDocument next = change.getTxnNumber() == null
                ? null
                : new BsonDocument("lsid", change.getLsid()).append("number", change.getTxnNumber());
        if ((next == null || !next.equals(transaction)) && !writes.isEmpty()) {
            commits.add(StoredWrite.commit(receivedNanos, commits.size() + 1L, transaction != null, writes, tickets));
            writes.clear();
        }
        transaction = next;
        receivedNanos = writes.isEmpty() ? System.nanoTime() : receivedNanos;
    }

    /** Null for a document that was removed. */
    private static @Nullable BsonDocument after(
            @Nullable BsonDocument before, ChangeStreamDocument<BsonDocument> change) {
        UpdateDescription update = change.getUpdateDescription();
        if (update == null || before == null) {
            return change.getFullDocument();
        }
        BsonDocument after = before.clone();
        // Places in arrays are given by their numbers. Arrays are cut first.
        if (update.getTruncatedArrays() != null) {
            update.getTruncatedArrays().forEach(cut -> {
                List<BsonValue> array =
                        parent(after, cut.getField()).asDocument().getArray(last(cut.getField()));
                array.subList(cut.getNewSize(), array.size()).clear();
            });
        }
        update.getUpdatedFields().forEach((path, value) -> put(parent(after, path), last(path), value));
        update.getRemovedFields()
                .forEach(path -> parent(after, path).asDocument().remove(last(path)));
        return after;
    }

    private static void put(BsonValue parent, String key, BsonValue value) {
        if (parent.isDocument()) {
            parent.asDocument().put(key, value);
        } else if (Integer.parseInt(key) < parent.asArray().size()) {
            parent.asArray().set(Integer.parseInt(key), value);
        } else {
            parent.asArray().add(value);
        }
    }

    private static BsonValue parent(BsonDocument document, String path) {
        BsonValue parent = document;
        String[] parts = path.split("\\.");
        for (int i = 0; i < parts.length - 1; i++) {
            parent = parent.isDocument()
                    ? parent.asDocument().get(parts[i])
                    : parent.asArray().get(Integer.parseInt(parts[i]));
        }
        return parent;
    }

    private static String last(String path) {
        return path.substring(path.lastIndexOf('.') + 1);
    }
}
