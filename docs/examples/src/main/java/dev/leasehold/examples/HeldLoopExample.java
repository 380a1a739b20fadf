package dev.leasehold.examples;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseEngine;
import java.time.Duration;
import java.util.Iterator;

/** Work in steps that goes on only while the lease is believed to be held. */
final class HeldLoopExample {

    private HeldLoopExample() {}

    static void run(LeaseEngine engine, Tenure tenure, Duration term, Iterator<Runnable> steps)
            throws InterruptedException {
        // example:start while-held
        Duration twoThirds = term.multipliedBy(2).dividedBy(3);
        while (engine.tenures().isHeld(tenure) && steps.hasNext()) {
            if (engine.tenures().remaining(tenure).compareTo(twoThirds) < 0) {
                engine.tenures().extend(tenure, term).orElseThrow();
            }
            steps.next().run(); // short against the term
        }
        // example:end while-held
    }
}
