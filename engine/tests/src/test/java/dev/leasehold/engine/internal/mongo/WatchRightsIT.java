package dev.leasehold.engine.internal.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.mongodb.client.MongoClient;
import com.mongodb.client.model.Updates;
import dev.leasehold.engine.LeaseStoreException;
import dev.leasehold.engine.internal.store.LeaseChange.Freed;
import dev.leasehold.engine.internal.store.LeaseChanges;
import dev.leasehold.replicaset.DatabaseUser;
import dev.leasehold.replicaset.Privilege;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithOwnReplicaSet;
import java.util.List;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a database user must be allowed in order to watch. */
@WithOwnReplicaSet(nodes = 1, authentication = true)
class WatchRightsIT {

    private static final Bson VACANT = Updates.combine(Updates.set("holder", null), Updates.unset("expiry"));

    private TestDatabase database;
    private Stores stores;

    @BeforeEach
    void aLease(TestDatabase fresh) {
        database = fresh;
        stores = new Stores(database);
        TestWriter a = stores.writer("a");
        a.commits(a.insert("x"));
    }

    @AfterEach
    void close() {
        stores.close();
    }

    private LeaseChanges changesAs(DatabaseUser user) {
        MongoClient client = stores.client(settings -> settings.credential(user.credential()));
        return stores.on(client, Stores.BUDGET).changes();
    }

    private void assertWatches(DatabaseUser user) {
        Watch watch = Watch.begun(changesAs(user));
        stores.edit("billing#x", VACANT);

        assertThat(watch.toldUpTo(new Freed("x", null))).containsExactly(new Freed("x", null));
        watch.changes().close();
    }

    @Test
    void theRoleReadWriteIsEnough() {
        assertWatches(database.newUser("readWrite"));
    }

    @Test
    void changeStreamAndFindOnTheCollectionAreEnough() {
        assertWatches(database.newUser(Privilege.onCollection(Stores.COLLECTION, "changeStream", "find")));
    }

    @Test
    void findAloneIsNot() {
        DatabaseUser user = database.newUser(Privilege.onCollection(Stores.COLLECTION, "find"));

        assertThatExceptionOfType(LeaseStoreException.class)
                .isThrownBy(changesAs(user)::await)
                .withMessageContaining("may not watch the collection")
                .withMessageContaining("changeStream and find")
                .withMessageContaining("readWrite on database '" + database.name() + "'");
    }

    @Test
    void rightThatIsGrantedAfterARefusalIsFoundByTheNextWatch() {
        DatabaseUser user = database.newUser(Privilege.onCollection(Stores.COLLECTION, "find"));
        MongoLeaseStore store =
                stores.on(stores.client(settings -> settings.credential(user.credential())), Stores.BUDGET);
        assertThatExceptionOfType(LeaseStoreException.class).isThrownBy(store.changes()::await);

        database.database()
                .runCommand(new Document("grantRolesToUser", user.name()).append("roles", List.of("readWrite")));
        Watch watch = Watch.begun(store);
        stores.edit("billing#x", VACANT);

        assertThat(watch.toldUpTo(new Freed("x", null))).containsExactly(new Freed("x", null));
        watch.changes().close();
    }
}
