package dev.leasehold.withreactivedriver;

import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoDatabase;
import dev.leasehold.assertions.LeaseAssertion;
import java.util.List;
import org.bson.Document;
import reactor.core.publisher.Mono;

/** Orders that are placed only under a tenure that stands. */
final class Orders {

    private Orders() {}

    static Mono<Void> place(MongoClient client, MongoDatabase database, LeaseAssertion assertion, Document order) {
        // example:start reactive
        return Mono.usingWhen(
                client.startSession(),
                session -> {
                    session.startTransaction();
                    return Mono.from(database.getCollection("leases")
                                    .bulkWrite(session, List.of(assertion.asWriteModel())))
                            .filter(result -> result.getMatchedCount() == 1)
                            .switchIfEmpty(Mono.error(() -> new IllegalStateException("lost: " + assertion.tenure())))
                            .then(Mono.from(database.getCollection("orders").insertOne(session, order)))
                            .then(Mono.defer(() -> Mono.from(session.commitTransaction())));
                },
                session -> Mono.from(session.hasActiveTransaction() ? session.abortTransaction() : Mono.<Void>empty())
                        .doFinally(end -> session.close()));
        // example:end reactive
    }
}
