package dev.leasehold.examples;

import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseLoss;
import java.util.Iterator;
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

    static void interruptible(Lease lease, Consumer<String> alarm, Runnable longWork) {
        // example:start on-lost
        Thread worker = Thread.currentThread();
        lease.onLost(loss -> {
            worker.interrupt();
            if (loss.reason() != LeaseLoss.Reason.CLOSED) {
                alarm.accept(loss.tenure().name() + ": " + loss.message());
            }
        });
        longWork.run();
        // example:end on-lost
    }
}
