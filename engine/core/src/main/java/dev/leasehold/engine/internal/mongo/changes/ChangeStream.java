package dev.leasehold.engine.internal.mongo.changes;

import com.mongodb.client.ChangeStreamIterable;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.model.changestream.FullDocument;
import dev.leasehold.engine.internal.mongo.connection.StoreContext;
import dev.leasehold.engine.internal.mongo.documents.Fields;
import dev.leasehold.engine.internal.mongo.documents.Guards;
import dev.leasehold.engine.internal.mongo.documents.LeaseCodec;
import dev.leasehold.engine.internal.mongo.documents.QueueCodec;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.StoredLease;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.jspecify.annotations.Nullable;

/**
 * The changes in all partitions of a namespace, as one change stream of the collection. After a fail-over the driver
 * resumes it at the same position, so that nothing is missed. The server sends only the events that a subclass selects.
 *
 * <p>The cursor has one user at a time: the thread that takes it out of {@code idleCursor}. A close during an await
 * leaves the cursor to the awaiting thread, which closes it afterwards.
 */
abstract class ChangeStream<E> {

    static final String OPERATION = "operationType";
    static final String DOCUMENT = "documentKey";
    static final String DOCUMENT_ID = DOCUMENT + "." + Fields.ID;
    static final String UPDATE = "updateDescription";
    static final String UPDATED = "updatedFields";
    static final String REMOVED = "removedFields";

    private static final String PRESENT = "fullDocument";
    private static final long AWAIT_MILLIS = 500;

    private final StoreContext context;
    /** The ids of the partitions, which are those of their clock documents. */
    private final List<String> partitions;

    private final AtomicReference<@Nullable MongoCursor<BsonDocument>> idleCursor = new AtomicReference<>();
    private volatile boolean closed;
    /** The server has ended the stream, and its last events were returned. Used by the awaiting thread alone. */
    private boolean ended;

    ChangeStream(StoreContext context) {
        this.context = context;
        this.partitions = context.partition().idsOfAll();
    }

    /** Selects events, among those of clock documents, of lease documents and of queues. */
    abstract BsonDocument selection(BsonDocument ofClocks, BsonDocument ofLeases, BsonDocument ofQueues);

    /** The fields of an event that {@link #decode} reads, apart from the id and the document. */
    abstract List<String> wanted();

    /** The stream is about to begin with the changes of this time, which a majority has already. */
    void onBegin(BsonTimestamp newest) {}

    /** Decodes a selected event. */
    abstract Stream<E> decode(BsonDocument event);

    /**
     * Waits for events since the previous call, for about half a second at most. The call that opens the stream does not
     * wait, so that its caller knows early from when on nothing is missed.
     */
    public List<E> await() {
        if (closed) {
            return List.of();
        }
        if (ended) {
            ended = false;
            throw context.errorMapper().watchEnded();
        }
        MongoCursor<BsonDocument> cursor = idleCursor.getAndSet(null);
        return cursor == null ? begin() : next(cursor);
    }

    private List<E> begin() {
        try {
            park(open());
        } catch (RuntimeException e) {
            failUnlessClosed(e);
        }
        return List.of();
    }

    /**
     * Starts at the newest change that a majority has now: later majority commits are reported, even if they were
     * written earlier. The server reads the documents of selected events only, which saves the receiver two reads.
     */
    private MongoCursor<BsonDocument> open() {
        ChangeStreamIterable<BsonDocument> stream = context.collection()
                .watch(pipeline(), BsonDocument.class)
                .maxAwaitTime(awaitMillis(), TimeUnit.MILLISECONDS)
                .fullDocument(FullDocument.UPDATE_LOOKUP);
        BsonTimestamp newest = newestOfMajority();
        if (newest != null) {
            stream.startAtOperationTime(newest);
            onBegin(newest);
        }
        return stream.withDocumentClass(BsonDocument.class).cursor();
    }

    /** The projection always keeps the id of an event, because the driver resumes by it. */
    private List<BsonDocument> pipeline() {
        BsonDocument ofClocks = new BsonDocument(DOCUMENT_ID, oneOf(partitions.stream()));
        BsonDocument ofLeases = any(partitions.stream()
                .map(partition -> new BsonDocument(DOCUMENT_ID, LeaseCodec.ids(partition)))
                .toList());
        BsonDocument ofQueues = any(partitions.stream()
                .map(partition -> new BsonDocument(DOCUMENT_ID, QueueCodec.ids(partition)))
                .toList());
        BsonDocument projection = new BsonDocument(DOCUMENT, Fields.WANTED);
        wanted().forEach(field -> projection.append(field, Fields.WANTED));
        LeaseCodec.FIELDS.forEach((field, wanted) -> projection.append(PRESENT + "." + field, wanted));
        return List.of(
                new BsonDocument("$match", selection(ofClocks, ofLeases, ofQueues)),
                new BsonDocument("$project", projection));
    }

    /** Null on a server outside a replica set, which refuses the change stream itself. */
    private @Nullable BsonTimestamp newestOfMajority() {
        try (ClientSession session = context.client().startSession()) {
            context.readable()
                    .find(session, Guards.clockId(partitions.get(0)))
                    .projection(new BsonDocument(Fields.ID, Fields.WANTED))
                    .first();
            return session.getOperationTime();
        }
    }

    /** The driver requires less than the timeout that the application may have set on its client. */
    private long awaitMillis() {
        Long timeoutMillis = context.clientTimeoutMillis();
        return timeoutMillis == null ? AWAIT_MILLIS : Math.max(1, Math.min(AWAIT_MILLIS, timeoutMillis / 2));
    }

    private List<E> next(MongoCursor<BsonDocument> cursor) {
        try {
            List<E> changes = drain(cursor);
            if (cursor.getServerCursor() != null) {
                park(cursor);
            } else if (changes.isEmpty()) {
                throw context.errorMapper().watchEnded();
            } else {
                ended = true;
                closeQuietly(cursor);
            }
            return changes;
        } catch (RuntimeException e) {
            closeQuietly(cursor);
            failUnlessClosed(e);
            return List.of();
        }
    }

    /** After a close a failure is expected: the application may have closed its client. */
    private void failUnlessClosed(RuntimeException failure) {
        if (!closed) {
            throw context.errorMapper().ofWatch(failure);
        }
    }

    private List<E> drain(MongoCursor<BsonDocument> cursor) {
        List<E> changes = new ArrayList<>();
        BsonDocument event = cursor.tryNext();
        while (event != null) {
            decode(event).forEach(changes::add);
            event = cursor.available() > 0 ? cursor.next() : null;
        }
        return changes;
    }

    private void park(MongoCursor<BsonDocument> cursor) {
        idleCursor.set(cursor);
        if (closed) {
            end();
        }
    }

    /** Closes the stream. Never throws. Thread-safe. */
    public void close() {
        closed = true;
        end();
    }

    private void end() {
        MongoCursor<BsonDocument> cursor = idleCursor.getAndSet(null);
        if (cursor != null) {
            closeQuietly(cursor);
        }
    }

    private static void closeQuietly(MongoCursor<BsonDocument> cursor) {
        try {
            cursor.close();
        } catch (RuntimeException e) {
            // The server closes an unused cursor by itself.
        }
    }

    // ---- for the subclasses ----

    List<String> partitions() {
        return partitions;
    }

    static BsonDocument oneOf(Stream<String> texts) {
        return new BsonDocument("$in", new BsonArray(texts.map(BsonString::new).toList()));
    }

    static BsonDocument any(List<BsonDocument> conditions) {
        return new BsonDocument("$or", new BsonArray(conditions));
    }

    static BsonDocument all(BsonDocument... conditions) {
        return new BsonDocument("$and", new BsonArray(List.of(conditions)));
    }

    /**
     * The document of an event, by its id: the clock document of a partition, or a lease in it, or the queue of that lease. The first
     * mark in an id ends the partition: a name may have any of them.
     */
    record Subject(String partition, @Nullable String lease, boolean queue) {

        static Subject of(BsonDocument event) {
            String id = event.getDocument(DOCUMENT).getString(Fields.ID).getValue();
            for (int at = 0; at < id.length(); at++) {
                char mark = id.charAt(at);
                if (mark == '#' || mark == '&') {
                    return new Subject(id.substring(0, at), id.substring(at + 1), mark == '&');
                }
            }
            return new Subject(id, null, false);
        }
    }

    static BsonDocument updated(BsonDocument event) {
        return event.getDocument(UPDATE, new BsonDocument()).getDocument(UPDATED, new BsonDocument());
    }

    /** The token that an update has set; null if it has set none, or a damaged one. */
    static @Nullable Long tokenIn(BsonDocument updated) {
        return updated.isInt64(Fields.TOKEN)
                ? (Long) updated.getInt64(Fields.TOKEN).getValue()
                : null;
    }

    static Stream<String> removed(BsonDocument event) {
        return event.getDocument(UPDATE).getArray(REMOVED, new BsonArray()).stream()
                .map(field -> field.asString().getValue());
    }

    /** The lease at the event or at some time since; null if it was removed or is corrupt. */
    static @Nullable LeaseDocument latest(String partition, BsonDocument event) {
        BsonDocument present = event.isDocument(PRESENT) ? event.getDocument(PRESENT) : new BsonDocument();
        return present.isString(Fields.ID)
                        && new LeaseCodec(partition).decode(present) instanceof StoredLease.Sound sound
                ? sound.document()
                : null;
    }
}
