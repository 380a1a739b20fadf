package dev.leasehold.bench.row;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import dev.leasehold.bench.adapters.Access;
import dev.leasehold.bench.adapters.Library;
import dev.leasehold.bench.adapters.Locks;
import dev.leasehold.bench.adapters.ServerAddresses;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A set may have been told to acknowledge writes for less. What waits for less than the others is quicker than they are. */
@WithReplicaSet
class MajorityIT implements CommandListener {

    private static final Set<String> WRITES = Set.of("insert", "update", "delete", "findAndModify");
    private static final BsonDocument MAJORITY = new BsonDocument("w", new BsonString("majority"));

    private final Queue<BsonDocument> waiting = new ConcurrentLinkedQueue<>();

    /** Inside a transaction it is the commit that waits. */
    @Override
    public void commandStarted(CommandStartedEvent event) {
        boolean isInTransaction = event.getCommand().containsKey("autocommit");
        if (event.getCommandName().equals("commitTransaction")
                || WRITES.contains(event.getCommandName()) && !isInTransaction) {
            waiting.add(event.getCommand()
                    .getDocument("writeConcern", new BsonDocument())
                    .clone());
        }
    }

    private Access access(TestDatabase database) {
        return new Access(new ServerAddresses(database.uri(), database.name(), null, null, null, null), this);
    }

    private void assertThatAllWaitForAMajority() {
        assertThat(List.copyOf(waiting))
                .isNotEmpty()
                .allSatisfy(each -> assertThat(each).containsAllEntriesOf(MAJORITY));
    }

    /** Those that take part where there is no other server. */
    static Stream<Library> onMongoDb() {
        ServerAddresses alone = new ServerAddresses("mongodb://localhost", "none", null, null, null, null);
        return Stream.of(Library.values()).filter(library -> library.isThere(alone));
    }

    @ParameterizedTest
    @MethodSource("onMongoDb")
    void everyContestantWaitsForAMajority(Library library, TestDatabase database) throws Exception {
        try (Locks locks = library.open(access(database), "majority", Duration.ofSeconds(30))) {
            locks.acquire("name").release();
        }

        assertThatAllWaitForAMajority();
    }

    @Test
    void aTransactionThatIsGatedWaitsForAMajority(TestDatabase database) {
        try (MongoClient client = access(database).newClient();
                GatedWork work = new GatedWork(client, database.name(), session -> {})) {
            work.acquire("name");
        }

        assertThatAllWaitForAMajority();
    }
}
