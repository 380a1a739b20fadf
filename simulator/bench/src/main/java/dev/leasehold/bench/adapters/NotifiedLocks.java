package dev.leasehold.bench.adapters;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.changestream.ChangeStreamDocument;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.bson.Document;

/**
 * The smallest lock by hand whose waiters are told: two writes of the driver, and its change stream between them. What comes through that
 * wakes, and is of no other use.
 */
final class NotifiedLocks implements Locks {

    private final MongoClient client;
    private final MongoCollection<Document> collection;
    private final Map<String, Semaphore> releases = new ConcurrentHashMap<>();
    private final ChangeWatch watch;

    NotifiedLocks(Access access, String namespace) {
        this.client = access.newClient();
        this.collection = BareLocks.collection(client, access, namespace);
        this.watch = new ChangeWatch(
                "releases of " + namespace,
                collection,
                Filters.eq("updateDescription.removedFields", BareLocks.HOLDER),
                this::onReleased);
    }

    private void onReleased(ChangeStreamDocument<Document> release) {
        releasesOf(Objects.requireNonNull(release.getDocumentKey())
                        .getString("_id")
                        .getValue())
                .release();
    }

    private Semaphore releasesOf(String name) {
        return releases.computeIfAbsent(name, each -> new Semaphore(0));
    }

    @Override
    public Held acquire(String name) throws InterruptedException {
        Semaphore released = releasesOf(name);
        released.drainPermits();
        Optional<Held> taken = BareLocks.tryTake(collection, name);
        while (taken.isEmpty()) {
            if (!released.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException(
                        "there was no word of a release of '" + name + "' for " + PATIENCE_SECONDS + " s");
            }
            taken = BareLocks.tryTake(collection, name);
        }
        return taken.get();
    }

    @Override
    public void close() {
        watch.close();
        client.close();
    }
}
