package dev.leasehold.bench.adapters;

import com.mongodb.client.MongoChangeStreamCursor;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.changestream.ChangeStreamDocument;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.bson.Document;
import org.bson.conversions.Bson;

/** A thread that hands on the changes of a collection, from when it is made until it is closed. */
final class ChangeWatch implements AutoCloseable {

    private static final long AWAIT_MILLIS = 200;

    private final Thread thread;
    private volatile boolean closed;

    /**
     * Begins to watch.
     *
     * @param name of the thread
     * @param wanted which changes
     * @param each gets them, one at a time
     */
    ChangeWatch(
            String name,
            MongoCollection<Document> collection,
            Bson wanted,
            Consumer<ChangeStreamDocument<Document>> each) {
        MongoChangeStreamCursor<ChangeStreamDocument<Document>> stream = collection
                .watch(List.of(Aggregates.match(wanted)))
                .maxAwaitTime(AWAIT_MILLIS, TimeUnit.MILLISECONDS)
                .cursor();
        this.thread = new Thread(() -> watch(stream, each), name);
        thread.setDaemon(true);
        thread.start();
    }

    private void watch(
            MongoChangeStreamCursor<ChangeStreamDocument<Document>> stream,
            Consumer<ChangeStreamDocument<Document>> each) {
        try (stream) {
            while (!closed) {
                ChangeStreamDocument<Document> change = stream.tryNext();
                if (change != null) {
                    each.accept(change);
                }
            }
        }
    }

    /** Waits for the end of the thread. */
    @Override
    public void close() {
        closed = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
