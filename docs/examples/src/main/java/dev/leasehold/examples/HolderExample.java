package dev.leasehold.examples;

import dev.leasehold.engine.HeldTask;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.RunResult;
import java.time.Duration;
import java.util.function.Supplier;

/** Two parts of one program that hold a lease together, and a process that comes back under its own name. */
final class HolderExample {

    private HolderExample() {}

    static void nested(LeaseEngine engine, Runnable work) throws InterruptedException {
        // example:start nested
        LeaseRequest request = LeaseRequest.of("stock").holder("import").waitAtMost(Duration.ofSeconds(10));
        try (Lease outer = engine.acquire(request);
                Lease inner = engine.acquire(request)) { // at once: the same tenure
            assert inner.token() == outer.token();
            work.run();
        } // released when the last of the two is closed
        // example:end nested
    }

    static Lease comesBack(LeaseEngine engine) throws InterruptedException {
        // example:start supersede
        LeaseRequest request =
                LeaseRequest.of("shard-7").holder("node-3").supersede(true).waitAtMost(Duration.ofMinutes(1));
        Lease lease = engine.acquire(request); // at once, if another engine holds it as "node-3"
        // example:end supersede
        return lease;
    }

    static RunResult<String> onASchedule(LeaseEngine engine, Supplier<String> report) throws InterruptedException {
        // example:start at-least
        LeaseRequest request = LeaseRequest.of("nightly-report").atLeast(Duration.ofMinutes(5));
        RunResult<String> result = engine.runWhileHeld(request, lease -> report.get()); // skipped for five minutes
        // example:end at-least
        return result;
    }

    static RunResult<Integer> thatMayHang(LeaseEngine engine, HeldTask<Integer, InterruptedException> importer)
            throws InterruptedException {
        // example:start at-most
        LeaseRequest request = LeaseRequest.of("import").atMost(Duration.ofHours(1));
        RunResult<Integer> result = engine.runWhileHeld(request, importer);
        // example:end at-most
        return result;
    }
}
