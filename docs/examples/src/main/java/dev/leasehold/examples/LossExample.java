package dev.leasehold.examples;

import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseLoss;
import java.util.Iterator;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;

/** What a holder does about a lease that it may lose. */
final class LossExample {

    private LossExample() {}

    static void steps(Lease lease, Iterator<Runnable> steps) {
        // example:start steps
        while (lease.isHeld() && steps.hasNext()) {
            steps.next().run(); // short against the session length
        }
        // example:end steps
    }

    static void interruptible(Lease lease, Consumer<String> alarm, Runnable longWork)
            throws ExecutionException, InterruptedException {
        // example:start on-lost
        FutureTask<Void> work = new FutureTask<>(longWork, null);
        lease.onLost(loss -> {
            work.cancel(true); // interrupts the work, and nothing that this thread does after it
            if (loss.reason() != LeaseLoss.Reason.CLOSED) {
                alarm.accept(loss.tenure().name() + ": " + loss.message());
            }
        });
        work.run(); // on this thread
        if (work.isCancelled()) {
            Thread.interrupted(); // was meant for the work
        } else {
            work.get(); // throws what the work has thrown
        }
        // example:end on-lost
    }
}
