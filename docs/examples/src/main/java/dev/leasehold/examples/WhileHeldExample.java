package dev.leasehold.examples;

import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.RunResult;
import java.util.function.BooleanSupplier;

/** A task that runs in one process at a time. */
final class WhileHeldExample {

    /** Removes old things for as long as it may. */
    interface Cleaner {
        int cleanWhile(BooleanSupplier mayGoOn);
    }

    private WhileHeldExample() {}

    static String clean(LeaseEngine engine, Cleaner cleaner) throws InterruptedException {
        // example:start clean
        RunResult<Integer> outcome =
                engine.runWhileHeld(LeaseRequest.of("clean-up"), lease -> cleaner.cleanWhile(lease::isHeld));
        if (outcome instanceof RunResult.Ran<Integer> ran) {
            return ran.result() + " removed" + (ran.heldThroughout() ? "" : ", and the lease was lost meanwhile");
        }
        return "another process is at it";
        // example:end clean
    }
}
