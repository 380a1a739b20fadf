package dev.leasehold.engine.internal.mongo;

import com.mongodb.client.ChangeStreamIterable;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.model.changestream.FullDocument;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.internal.store.Partition;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonTimestamp;
import org.jspecify.annotations.Nullable;

/**
 * The changes in all partitions of a namespace, as one change stream of the collection. After a fail-over the driver
 * resumes it at the same position, so that nothing is missed.
 *
 * <p>The cursor has one user at a time: the thread that takes it out of {@code idleCursor}. A close during an await
 * leaves the cursor to the awaiting thread, which closes it afterwards.
 */
abstract class ChangeStream<E> {

    private static final long AWAIT_MILLIS = 500;

    private final MongoClient client;
    private final MongoCollection<BsonDocument> collection;
    private final BsonDocument clockId;
    private final Selection<E> selection;
    private final ErrorMapper errorMapper;
    private final AtomicReference<@Nullable MongoCursor<BsonDocument>> idleCursor = new AtomicReference<>();

    private volatile boolean closed;

    ChangeStream(
            MongoClient client,
            MongoCollection<BsonDocument> collection,
            Partition partition,
            Selection<E> selection,
            ErrorMapper errorMapper) {
        this.client = client;
        this.collection = collection;
        this.clockId = Guards.clockId(partition.id());
        this.selection = selection;
        this.errorMapper = errorMapper;
    }

    /** Selects and decodes the events of the collection. */
    interface Selection<E> {

        /** The pipeline by which the server selects and projects events. */
        List<BsonDocument> pipeline();

        /** Decodes an event that the pipeline selected. */
        Stream<E> read(BsonDocument event);
    }

    /**
     * Waits for events, for about half a second at most. Each call after the first returns the events since the
     * previous call.
     *
     * <p>The call that opens the stream does not wait, so that its caller knows early from when on nothing is missed.
     * That call, and the first after a failure, may return older events.
     */
    public List<E> await() {
        if (closed) {
            return List.of();
        }
        MongoCursor<BsonDocument> cursor = idleCursor.getAndSet(null);
        return cursor == null ? begin() : next(cursor);
    }

    private List<E> begin() {
        try {
            park(open());
        } catch (RuntimeException e) {
            failUnlessClosed(errorMapper.ofWatch(e));
        }
        return List.of();
    }

    /**
     * Starts at the newest change that a majority has now: later majority commits are reported, even if they were
     * written earlier. The server reads the documents of selected events only, which saves the receiver two reads.
     */
    private MongoCursor<BsonDocument> open() {
        ChangeStreamIterable<BsonDocument> stream = collection
                .watch(selection.pipeline(), BsonDocument.class)
                .maxAwaitTime(awaitMillis(), TimeUnit.MILLISECONDS)
                .fullDocument(FullDocument.UPDATE_LOOKUP);
        BsonTimestamp newest = newestOfMajority();
        if (newest != null) {
            stream.startAtOperationTime(newest);
        }
        return stream.withDocumentClass(BsonDocument.class).cursor();
    }

    /** Null on a server outside a replica set, which refuses the change stream itself. */
    private @Nullable BsonTimestamp newestOfMajority() {
        try (ClientSession session = client.startSession()) {
            collection
                    .find(session, clockId)
                    .projection(new BsonDocument(Fields.ID, new BsonInt32(1)))
                    .first();
            return session.getOperationTime();
        }
    }

    /** The driver requires less than the timeout that the application may have set on its client. */
    private long awaitMillis() {
        Long timeoutMillis = ClientTimeout.millis(collection.getTimeout(TimeUnit.MILLISECONDS));
        return timeoutMillis == null ? AWAIT_MILLIS : Math.max(1, Math.min(AWAIT_MILLIS, timeoutMillis / 2));
    }

    private List<E> next(MongoCursor<BsonDocument> cursor) {
        try {
            List<E> changes = drain(cursor);
            if (cursor.getServerCursor() == null) {
                throw errorMapper.watchEnded();
            }
            park(cursor);
            return changes;
        } catch (RuntimeException e) {
            closeQuietly(cursor);
            failUnlessClosed(e instanceof LeaseException ended ? ended : errorMapper.ofWatch(e));
            return List.of();
        }
    }

    /** After a close a failure is expected: the application may have closed its client. */
    private void failUnlessClosed(LeaseException failure) {
        if (!closed) {
            throw failure;
        }
    }

    private List<E> drain(MongoCursor<BsonDocument> cursor) {
        List<E> changes = new ArrayList<>();
        BsonDocument event = cursor.tryNext();
        while (event != null) {
            selection.read(event).forEach(changes::add);
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
}
