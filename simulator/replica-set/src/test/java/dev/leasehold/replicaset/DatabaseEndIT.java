package dev.leasehold.replicaset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.Test;

@WithReplicaSet
class DatabaseEndIT {

    @Test
    void theDatabaseIsDroppedAndItsClientsAreClosed(ReplicaSet set) {
        TestDatabase database = set.newDatabase();
        MongoClient client = database.newClient();
        client.getDatabase(database.name()).getCollection("things").insertOne(new Document());
        assertThat(databases(set)).contains(database.name());

        database.close();

        assertThat(databases(set)).doesNotContain(database.name());
        assertThatThrownBy(() -> client.listDatabaseNames().first()).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aTransactionThatWasLeftOpenDoesNotKeepIt(ReplicaSet set) {
        TestDatabase database = set.newDatabase();
        leaveTransactionOpen(database, database.newClient(builder -> builder.applicationName("forgetful")));

        database.close();

        assertThat(databases(set)).doesNotContain(database.name());
    }

    private static void leaveTransactionOpen(TestDatabase database, MongoClient client) {
        ClientSession session = client.startSession();
        session.startTransaction();
        client.getDatabase(database.name()).getCollection("things").insertOne(session, new Document());
    }

    private static List<String> databases(ReplicaSet set) {
        return set.client().listDatabaseNames().into(new ArrayList<>());
    }
}
