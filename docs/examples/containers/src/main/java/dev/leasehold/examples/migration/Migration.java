package dev.leasehold.examples.migration;

import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseRequest;
import java.time.Duration;
import liquibase.Liquibase;
import liquibase.exception.LiquibaseException;
import liquibase.lockservice.LockServiceFactory;

/** The changes of a database, by the one process that holds the lease. */
public final class Migration {

    private Migration() {}

    /**
     * Waits for the lease, up to ten minutes, and runs what is left to do. Liquibase's own lock is a row that stays when a
     * process is killed, until an operator deletes it; the lease of a killed process is free within its session.
     *
     * @throws LiquibaseException if a change fails
     */
    public static void run(LeaseEngine engine, Liquibase liquibase) throws InterruptedException, LiquibaseException {
        // example:start migration
        try (Lease lease = engine.acquire(LeaseRequest.of("migrations").waitAtMost(Duration.ofMinutes(10)))) {
            LockServiceFactory.getInstance().register(new HeldByLease());
            liquibase.setChangeExecListener(new StopWhenLost(lease));
            liquibase.update("");
        } finally {
            LockServiceFactory.reset(); // what has no lease has Liquibase's own lock
        }
        // example:end migration
    }
}
