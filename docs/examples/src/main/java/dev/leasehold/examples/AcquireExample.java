package dev.leasehold.examples;

import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseOutcomeUnknownException;
import dev.leasehold.engine.LeaseRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** The ways to ask for a lease. */
final class AcquireExample {

    private AcquireExample() {}

    static String atOnce(LeaseEngine engine, Consumer<Lease> report) throws InterruptedException {
        // example:start at-once
        Acquisition answer = engine.tryAcquire("report");
        if (answer instanceof Acquisition.NotAcquired no) {
            return "not now: " + no.refusal().message();
        }
        try (Lease lease = answer.orElseThrow()) {
            report.accept(lease);
            return "done under token " + lease.token();
        }
        // example:end at-once
    }

    static CompletionStage<Void> withoutAThread(LeaseEngine engine, Consumer<Lease> report) {
        // example:start async
        return engine.acquireAsync(LeaseRequest.of("report").waitAtMost(Duration.ofHours(1)))
                .thenAcceptAsync(lease -> {
                    try (lease) {
                        report.accept(lease);
                    }
                });
        // example:end async
    }

    static Optional<Lease> answers(LeaseEngine engine, Consumer<String> log) throws InterruptedException {
        // example:start answers
        try {
            return engine.tryAcquire(LeaseRequest.of("report").waitAtMost(Duration.ofSeconds(10)))
                    .asOptional(); // empty: no
        } catch (LeaseOutcomeUnknownException e) {
            log.accept("unknown, and this process does not hold it: " + e.getMessage());
        } catch (LeaseException e) {
            log.accept("certainly not: " + e.getMessage());
        }
        return Optional.empty();
        // example:end answers
    }
}
