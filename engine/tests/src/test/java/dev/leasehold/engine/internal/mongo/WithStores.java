package dev.leasehold.engine.internal.mongo;

import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import org.junit.jupiter.api.AfterEach;

/** Tests with a registered writer {@code a}. */
@WithReplicaSet
abstract class WithStores {

    final TestDatabase database;
    final Stores stores;
    final TestWriter a;

    WithStores(TestDatabase database) {
        this.database = database;
        stores = new Stores(database);
        a = stores.writer("a");
    }

    @AfterEach
    void close() {
        stores.close();
    }
}
