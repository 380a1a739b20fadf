package dev.leasehold.examples.migration;

import dev.leasehold.engine.Lease;
import liquibase.changelog.ChangeSet;
import liquibase.changelog.DatabaseChangeLog;
import liquibase.changelog.visitor.AbstractChangeExecListener;
import liquibase.database.Database;

/** No change begins once the lease is lost. One that runs by then goes on. */
final class StopWhenLost extends AbstractChangeExecListener {

    private final Lease lease;

    StopWhenLost(Lease lease) {
        this.lease = lease;
    }

    @Override
    public void willRun(
            ChangeSet changeSet,
            DatabaseChangeLog databaseChangeLog,
            Database database,
            ChangeSet.RunStatus runStatus) {
        lease.requireHeld();
    }
}
