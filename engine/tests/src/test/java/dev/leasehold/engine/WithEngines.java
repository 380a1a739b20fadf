package dev.leasehold.engine;

import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Tests of the lease {@code name}: engines are started by each test, and closed and checked after it. */
@WithReplicaSet
abstract class WithEngines {

    Engines engines;

    @BeforeEach
    void start(TestDatabase database) {
        engines = new Engines(database);
    }

    @AfterEach
    void check() {
        engines.close();
    }

    /** The lease as it is in the database. */
    @Nullable BsonDocument stored() {
        return engines.leaseDocument("name");
    }
}
