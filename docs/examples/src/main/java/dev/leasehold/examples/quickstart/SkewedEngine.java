package dev.leasehold.examples.quickstart;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.internal.bootstrap.EngineStarter;
import dev.leasehold.engine.internal.metrics.EngineMetrics;
import dev.leasehold.engine.internal.mongo.MongoLeaseStore;
import dev.leasehold.engine.internal.mongo.OnceTransaction;
import dev.leasehold.engine.internal.runtime.EngineRuntime;
import dev.leasehold.engine.internal.settings.EngineSettings;
import dev.leasehold.engine.internal.time.Drift;
import java.time.Duration;
import org.bson.Document;

/**
 * What {@code LeaseEngine.builder(client)...build()} does, but with a session so short that no reader has to wait for long, and on
 * a runtime of one's own. Only a demonstration needs this; it uses internals of the engine, which may change at any time.
 */
final class SkewedEngine {

    private static final Drift DRIFT = new Drift(1_000);
    private static final Duration OPERATION_BUDGET = Duration.ofSeconds(2);
    private static final Duration COMMAND_BUDGET = Duration.ofSeconds(2);
    private static final Duration CLOSE_BUDGET = Duration.ofSeconds(5);
    private static final Duration RETENTION = Duration.ofHours(1);
    private static final int HEARTBEATS_A_SESSION = 3;

    /** Longer than the operation budget. */
    static final Duration SESSION = Duration.ofSeconds(3);

    private SkewedEngine() {}

    static LeaseEngine start(
            MongoClient client,
            MongoCollection<Document> leases,
            String namespace,
            String instance,
            EngineRuntime runtime) {
        EngineSettings settings = new EngineSettings(
                namespace,
                1,
                instance,
                DRIFT,
                OPERATION_BUDGET.toNanos(),
                CLOSE_BUDGET.toNanos(),
                RETENTION.toNanos(),
                RETENTION.toNanos(),
                SESSION.toNanos(),
                SESSION.toNanos() / HEARTBEATS_A_SESSION,
                EngineSettings.SINGLE_WRITES_MAX,
                EngineSettings.WAIT_QUEUE);
        return EngineStarter.start(
                settings,
                runtime,
                EngineMetrics.NONE,
                null,
                partition -> new MongoLeaseStore(
                        client,
                        leases.getNamespace().getDatabaseName(),
                        leases.getNamespace().getCollectionName(),
                        partition,
                        COMMAND_BUDGET.toNanos(),
                        settings.instance(),
                        DRIFT.ppm()),
                tenure -> LeaseAssertion.of(tenure, leases),
                new OnceTransaction(client::startSession));
    }
}
