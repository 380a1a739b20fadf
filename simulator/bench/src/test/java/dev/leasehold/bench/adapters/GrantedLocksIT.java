package dev.leasehold.bench.adapters;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.bson.Document;
import org.junit.jupiter.api.Test;

@WithReplicaSet
class GrantedLocksIT {

    private static final String NAMESPACE = "granted";

    /** Each on a thread of its own: on two cores the common pool may have one. */
    private static CompletableFuture<Held> acquiring(Locks locks) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return locks.acquire("name");
                    } catch (Exception e) {
                        throw new CompletionException(e);
                    }
                },
                task -> new Thread(task).start());
    }

    private static void awaitWaiters(MongoCollection<Document> collection, int number) {
        while (lock(collection).getList("waiters", String.class).size() < number) {
            Thread.onSpinWait();
        }
    }

    private static Document lock(MongoCollection<Document> collection) {
        return collection.find(Filters.eq("name")).first();
    }

    @Test
    void waitersOfSeveralProcessesHaveTheLockInTheirOrderAndThenItIsFree(TestDatabase database) throws Exception {
        Access access = Access.to(new ServerAddresses(database.uri(), database.name(), null, null, null, null));
        try (MongoClient client = access.newClient();
                Locks one = Library.GRANTED.open(access, NAMESPACE, Duration.ofSeconds(30));
                Locks other = Library.GRANTED.open(access, NAMESPACE, Duration.ofSeconds(30))) {
            MongoCollection<Document> collection = BareLocks.collection(client, access, NAMESPACE);
            Held held = one.acquire("name");
            CompletableFuture<Held> first = acquiring(other);
            awaitWaiters(collection, 1);
            CompletableFuture<Held> second = acquiring(one);
            awaitWaiters(collection, 2);

            held.release();
            Held next = first.get();
            assertThat(second).isNotDone();
            next.release();
            second.get().release();

            assertThat(lock(collection)).doesNotContainKey("holder").containsEntry("waiters", List.of());
            one.acquire("name").release();
        }
    }
}
