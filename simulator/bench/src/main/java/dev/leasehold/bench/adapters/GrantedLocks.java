package dev.leasehold.bench.adapters;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.changestream.ChangeStreamDocument;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.bson.conversions.Bson;

/**
 * The smallest lock by hand that hands itself over in one write: a waiter puts its id behind those of the others, the write that releases
 * the lock makes the first of them its holder, and a change stream tells that one. It forgets no waiter that is gone.
 */
final class GrantedLocks implements Locks {

    private static final String WAITERS = "waiters";
    private static final String HOLDER = BareLocks.HOLDER;
    private static final String UPDATED_HOLDER = "updateDescription.updatedFields." + HOLDER;
    /** The server shows a small document that a pipeline has changed as replaced. */
    private static final String REPLACED_HOLDER = "fullDocument." + HOLDER;

    /** What an aggregation reads of the field, or an empty array. */
    private static final Document KNOWN_WAITERS = new Document("$ifNull", List.of("$" + WAITERS, List.of()));

    /** The first waiter is the holder; without one the lock has none. */
    private static final List<Bson> RELEASE = List.of(
            new Document(
                    "$set",
                    new Document(
                            HOLDER,
                            new Document("$ifNull", List.of(new Document("$first", "$" + WAITERS), "$$REMOVE")))),
            new Document(
                    "$set",
                    new Document(
                            WAITERS,
                            new Document(
                                    "$slice",
                                    List.of(
                                            KNOWN_WAITERS,
                                            1,
                                            new Document("$max", List.of(1, new Document("$size", KNOWN_WAITERS))))))));

    private final MongoClient client;
    private final MongoCollection<Document> collection;
    private final String process = UUID.randomUUID().toString();
    private final Map<String, Semaphore> grants = new ConcurrentHashMap<>();
    private final ChangeWatch watch;

    GrantedLocks(Access access, String namespace) {
        this.client = access.newClient();
        this.collection = BareLocks.collection(client, access, namespace);
        this.watch = new ChangeWatch(
                "grants of " + namespace,
                collection,
                Filters.or(Filters.regex(UPDATED_HOLDER, "^" + process), Filters.regex(REPLACED_HOLDER, "^" + process)),
                this::onGranted);
    }

    /** Also what happens to a lock that is held here is shown, and of no interest. */
    private void onGranted(ChangeStreamDocument<Document> grant) {
        Optional.ofNullable(grants.get(holderOf(grant))).ifPresent(Semaphore::release);
    }

    private static String holderOf(ChangeStreamDocument<Document> grant) {
        Document replaced = grant.getFullDocument();
        return replaced != null
                ? replaced.getString(HOLDER)
                : Objects.requireNonNull(Objects.requireNonNull(grant.getUpdateDescription())
                                .getUpdatedFields())
                        .getString(HOLDER)
                        .getValue();
    }

    @Override
    public Held acquire(String name) throws InterruptedException {
        String me = process + "-" + UUID.randomUUID();
        Semaphore granted = new Semaphore(0);
        grants.put(me, granted);
        Document after = collection.findOneAndUpdate(
                Filters.eq(name),
                takeOrQueue(me),
                new FindOneAndUpdateOptions().upsert(true).returnDocument(ReturnDocument.AFTER));
        boolean isFree = me.equals(Objects.requireNonNull(after).getString(HOLDER));
        if (!isFree && !granted.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("'" + name + "' was not granted for " + PATIENCE_SECONDS + " s");
        }
        grants.remove(me);
        return () -> collection.findOneAndUpdate(Filters.and(Filters.eq(name), Filters.eq(HOLDER, me)), RELEASE);
    }

    private static List<Bson> takeOrQueue(String me) {
        Document isHeld = new Document("$ne", List.of(new Document("$type", "$" + HOLDER), "missing"));
        return List.of(
                new Document(
                        "$set",
                        new Document(
                                WAITERS,
                                new Document(
                                        "$cond",
                                        List.of(
                                                isHeld,
                                                new Document("$concatArrays", List.of(KNOWN_WAITERS, List.of(me))),
                                                KNOWN_WAITERS)))),
                new Document("$set", new Document(HOLDER, new Document("$ifNull", List.of("$" + HOLDER, me)))));
    }

    @Override
    public void close() {
        watch.close();
        client.close();
    }
}
