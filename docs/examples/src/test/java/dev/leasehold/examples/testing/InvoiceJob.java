package dev.leasehold.examples.testing;

import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseRequest;
import java.time.Duration;

/** Sends invoices, one at a time, while this process holds the lease. */
final class InvoiceJob {
    private final Lease lease;
    private volatile boolean stopped;

    InvoiceJob(LeaseEngine engine) throws InterruptedException {
        lease = engine.acquire(LeaseRequest.of("nightly-invoices").waitAtMost(Duration.ofMinutes(1)));
        lease.onLost(loss -> stopped = true);
    }

    boolean isStopped() {
        return stopped;
    }

    Lease lease() {
        return lease;
    }
}
