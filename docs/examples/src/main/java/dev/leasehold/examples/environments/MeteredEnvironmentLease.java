package dev.leasehold.examples.environments;

import com.mongodb.client.ClientSession;
import dev.leasehold.engine.LeaseStatus;
import java.util.concurrent.atomic.AtomicBoolean;

/** A lease whose first close is told. */
final class MeteredEnvironmentLease implements EnvironmentLease {

    private final EnvironmentLease lease;
    private final Runnable onClosed;
    private final AtomicBoolean open = new AtomicBoolean(true);

    MeteredEnvironmentLease(EnvironmentLease lease, Runnable onClosed) {
        this.lease = lease;
        this.onClosed = onClosed;
    }

    @Override
    public String environment() {
        return lease.environment();
    }

    @Override
    public Action action() {
        return lease.action();
    }

    @Override
    public LeaseStatus priorStatus() {
        return lease.priorStatus();
    }

    @Override
    public boolean isHeld() {
        return lease.isHeld();
    }

    @Override
    public void requireHeldIn(ClientSession session) {
        lease.requireHeldIn(session);
    }

    @Override
    public void close() {
        lease.close();
        if (open.compareAndSet(true, false)) {
            onClosed.run();
        }
    }
}
