package dev.leasehold.bench.adapters;

import com.mongodb.client.MongoClient;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;

/** Leases of an engine. */
final class SessionHolders implements Holders {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final int AT_ONCE = 1_000;

    private final MongoClient client;
    private final LeaseEngine engine;

    SessionHolders(Access access, Duration length) {
        this.client = access.newClient();
        this.engine = LeaseholdLocks.engine(client, access, "holders-session", length);
    }

    @Override
    public void hold(int locks) {
        for (int first = 0; first < locks; first += AT_ONCE) {
            List<Future<Lease>> asked = new ArrayList<>();
            for (int number = first; number < Math.min(locks, first + AT_ONCE); number++) {
                asked.add(engine.acquireAsync(LeaseRequest.of("held-" + number).waitAtMost(PATIENCE))
                        .toCompletableFuture());
            }
            Futures.awaitAll(asked);
        }
    }

    @Override
    public void close() {
        engine.close();
        client.close();
    }
}
