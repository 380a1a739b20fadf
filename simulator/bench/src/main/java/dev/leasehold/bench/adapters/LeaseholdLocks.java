package dev.leasehold.bench.adapters;

import com.mongodb.client.MongoClient;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseRequest;
import java.time.Duration;
import java.util.function.UnaryOperator;

/** Leases of this project, as its users acquire them. */
final class LeaseholdLocks implements Locks {

    private static final Duration BUDGET_MAX = Duration.ofSeconds(10);

    private final MongoClient client;
    private final LeaseEngine engine;
    private final UnaryOperator<LeaseRequest> kind;

    private LeaseholdLocks(
            Access access, String namespace, int partitions, Duration length, UnaryOperator<LeaseRequest> kind) {
        this.client = access.newClient();
        // The session has to be longer than an operation may take.
        Duration shorter = length.multipliedBy(9).dividedBy(10);
        Duration budget = shorter.compareTo(BUDGET_MAX) < 0 ? shorter : BUDGET_MAX;
        this.engine = LeaseEngine.builder(client)
                .database(access.database())
                .namespace(namespace)
                .partitions(partitions)
                .sessionLength(length)
                .operationBudget(budget)
                .commandBudget(budget.dividedBy(2))
                .build();
        this.kind = kind;
    }

    static LeaseholdLocks withSession(Access access, String namespace, Duration length) {
        return new LeaseholdLocks(access, namespace, 1, length, UnaryOperator.identity());
    }

    static LeaseholdLocks withTerm(Access access, String namespace, int partitions, Duration length) {
        return new LeaseholdLocks(access, namespace, partitions, length, request -> request.term(length));
    }

    @Override
    public Held acquire(String name) throws InterruptedException {
        Lease lease =
                engine.acquire(kind.apply(LeaseRequest.of(name)).waitAtMost(Duration.ofSeconds(PATIENCE_SECONDS)));
        return lease::close;
    }

    @Override
    public void close() {
        engine.close();
        client.close();
    }
}
