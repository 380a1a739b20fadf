package dev.leasehold.engine.internal.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.WriteConcern;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.leasehold.engine.internal.store.LeaseChange.Freed;
import dev.leasehold.replicaset.ReplicaSet;
import dev.leasehold.replicaset.StoppedReplication;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithOwnReplicaSet;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the watch tells when the primary changes, or a majority is missing. */
@WithOwnReplicaSet
class LeaseChangesFailOverIT {

    private final ReplicaSet set;
    private final Stores stores;
    private final TestWriter a;

    LeaseChangesFailOverIT(ReplicaSet set, TestDatabase database) {
        this.set = set;
        stores = new Stores(database);
        a = stores.writer("a");
    }

    @AfterEach
    void close() {
        stores.close();
    }

    private static Bson vacant() {
        return Updates.combine(Updates.set("holder", null), Updates.unset("expiry"));
    }

    @Test
    void anEndThatGotItsMajorityOnlyAfterTheBeginIsTold() {
        a.commits(a.insert("x"));
        MongoLeaseStore store = stores.open();
        StoppedReplication stopped = set.stopReplication();
        stores.documents().withWriteConcern(WriteConcern.W1).updateOne(Filters.eq("_id", "billing#x"), vacant());

        Watch watch = Watch.begun(store);
        stopped.close();

        assertThat(watch.toldUpTo(new Freed("x", null))).containsExactly(new Freed("x", null));
        watch.changes().close();
    }
}
