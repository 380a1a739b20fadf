package dev.leasehold.bench.row;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.InsertManyOptions;
import com.mongodb.client.model.Updates;
import dev.leasehold.assertions.LeaseIds;
import dev.leasehold.bench.adapters.ServerAddresses;
import dev.leasehold.engine.LeaseEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.conversions.Bson;

/** Fills a namespace with copies of what an engine wrote: that takes seconds, where a hundred thousand claims would take minutes. */
final class FilledNamespace {

    private static final String SEED = "seed";
    private static final int BATCH = 10_000;
    private static final Duration TERM = Duration.ofDays(1);

    private final MongoClient client;
    private final ServerAddresses place;
    private final String namespace;
    private final MongoCollection<BsonDocument> leases;

    FilledNamespace(MongoClient client, ServerAddresses place, String namespace) {
        this.client = client;
        this.place = place;
        this.namespace = namespace;
        this.leases = client.getDatabase(place.database()).getCollection("leases", BsonDocument.class);
    }

    /** Begins with one lease, held by an engine that is no more, and its entry among the writers. */
    FilledNamespace plantSeed() throws InterruptedException {
        try (LeaseEngine engine = place.newEngine(client, namespace)) {
            engine.tenures().claim(SEED, "benchmark", TERM).orElseThrow();
        }
        return this;
    }

    /** Copies the lease until there are so many. */
    void addLeases(int count) {
        BsonDocument seed = read(LeaseIds.leaseId(namespace, SEED));
        List<BsonDocument> batch = new ArrayList<>();
        for (int number = 1; number < count; number++) {
            String name = "crowd-" + number;
            batch.add(seed.clone()
                    .append("_id", new BsonString(LeaseIds.leaseId(namespace, name)))
                    .append("name", new BsonString(name)));
            if (batch.size() == BATCH || number == count - 1) {
                leases.insertMany(batch, new InsertManyOptions().ordered(false));
                batch.clear();
            }
        }
    }

    /** Copies the entry of the writer until there are so many. */
    void addWriters(int count) {
        BsonDocument writers = read(LeaseIds.clockId(namespace)).getDocument("writers");
        String seed = writers.getFirstKey();
        List<Bson> entries = new ArrayList<>();
        for (int number = 1; number < count; number++) {
            entries.add(Updates.set("writers." + seed + "-" + number, writers.get(seed)));
        }
        if (!entries.isEmpty()) {
            leases.updateOne(Filters.eq(LeaseIds.clockId(namespace)), Updates.combine(entries));
        }
    }

    private BsonDocument read(String id) {
        return Optional.ofNullable(leases.find(Filters.eq(id)).first())
                .orElseThrow(() -> new IllegalStateException("there is no document '" + id + "'"));
    }
}
