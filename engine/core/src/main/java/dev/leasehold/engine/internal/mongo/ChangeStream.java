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
 * What happens in all partitions of a namespace, as one change stream of the collection. The driver resumes it after a fail-over where it
 * was, so that nothing is missed then.
 *
 * <p>The cursor is used by one thread at a time: whoever takes it out of its place. Thus a close beside an open await leaves
 * the cursor to that, which ends it when it comes back.
 */
abstract class ChangeStream<E> {

    private static final long AWAIT_MILLIS = 500;

    private final MongoClient client;
    private final MongoCollection<BsonDocument> collection;
    private final BsonDocument clockId;
    private final Selection<E> selection;
    private final ErrorMapper errorMapper;
    private final AtomicReference<@Nullable MongoCursor<BsonDocument>> resting = new AtomicReference<>();

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

    /** Which events of the collection are wanted, and what they tell. */
    interface Selection<E> {

        /** For the server: which of them, and what of each. */
        List<BsonDocument> pipeline();

        /** What an event that came through tells. */
        Stream<E> read(BsonDocument event);
    }

    /**
     * Waits for events, for about half a second at the most. Another call than the first says what came since the one before.
     *
     * <p>The call that begins the stream does not wait, so that its caller knows early from when on nothing is missed. It, and
     * the first after a failure, may tell something that was there before.
     */
    public List<E> await() {
        if (closed) {
            return List.of();
        }
        MongoCursor<BsonDocument> cursor = resting.getAndSet(null);
        return cursor == null ? begin() : next(cursor);
    }

    private List<E> begin() {
        try {
            rest(open());
        } catch (RuntimeException e) {
            failUnlessClosed(errorMapper.ofWatch(e));
        }
        return List.of();
    }

    /**
     * From what a majority has now: what comes to it later is told, even if it was written before. The server looks up the documents
     * of those events alone that come through, which spares each who waits two reads.
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

    /** A server outside a replica set knows none; it will say itself that it cannot be watched. */
    private @Nullable BsonTimestamp newestOfMajority() {
        try (ClientSession session = client.startSession()) {
            collection
                    .find(session, clockId)
                    .projection(new BsonDocument(Fields.ID, new BsonInt32(1)))
                    .first();
            return session.getOperationTime();
        }
    }

    /** The driver insists on less than the timeout that the application may have set on its client. */
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
            rest(cursor);
            return changes;
        } catch (RuntimeException e) {
            quietly(cursor);
            failUnlessClosed(e instanceof LeaseException ended ? ended : errorMapper.ofWatch(e));
            return List.of();
        }
    }

    /** The application may have closed its client by then. */
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

    private void rest(MongoCursor<BsonDocument> cursor) {
        resting.set(cursor);
        if (closed) {
            end();
        }
    }

    /** Ends what is open. Never throws. Any thread may call it. */
    public void close() {
        closed = true;
        end();
    }

    private void end() {
        MongoCursor<BsonDocument> cursor = resting.getAndSet(null);
        if (cursor != null) {
            quietly(cursor);
        }
    }

    private static void quietly(MongoCursor<BsonDocument> cursor) {
        try {
            cursor.close();
        } catch (RuntimeException e) {
            // The server ends a cursor that nobody asks for by itself.
        }
    }
}
