package dev.leasehold.examples.migration;

import liquibase.database.Database;
import liquibase.lockservice.DatabaseChangeLogLock;
import liquibase.lockservice.LockService;

/**
 * Takes the place of Liquibase's lock while the lease is held: it always grants. Liquibase makes one for each database by the
 * constructor without arguments.
 */
public final class HeldByLease implements LockService {

    /** Above that of Liquibase's own. */
    private static final int PRIORITY = 100;

    private boolean held;

    /** For Liquibase. */
    public HeldByLease() {}

    @Override
    public int getPriority() {
        return PRIORITY;
    }

    @Override
    public boolean supports(Database database) {
        return true;
    }

    @Override
    public boolean hasChangeLogLock() {
        return held;
    }

    @Override
    public void waitForLock() {
        held = true;
    }

    @Override
    public boolean acquireLock() {
        held = true;
        return true;
    }

    @Override
    public void releaseLock() {
        held = false;
    }

    @Override
    public void forceReleaseLock() {
        held = false;
    }

    @Override
    public void reset() {
        held = false;
    }

    @Override
    public DatabaseChangeLogLock[] listLocks() {
        return new DatabaseChangeLogLock[0];
    }

    @Override
    public void setDatabase(Database database) {}

    @Override
    public void setChangeLogLockWaitTime(long minutes) {}

    @Override
    public void setChangeLogLockRecheckTime(long seconds) {}

    @Override
    public void init() {}

    @Override
    public void destroy() {}
}
