package dev.leasehold.examples;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Granted;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseResult;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** A lease from its claim to its release. */
final class ClaimExample {

    private ClaimExample() {}

    static void report(LeaseEngine engine, List<String> chapters, Consumer<String> write) throws InterruptedException {
        // example:start claim
        LeaseResult answer =
                engine.tenures().claim("report", "reporter-2", Duration.ofSeconds(60), "the weekly report");
        if (answer instanceof Granted granted) {
            Tenure tenure = granted.tenure();
            try {
                for (String chapter : chapters) {
                    engine.tenures().extend(tenure, Duration.ofSeconds(60)).orElseThrow(); // from now, not in addition
                    write.accept(chapter);
                }
            } finally {
                engine.tenures().release(tenure);
            }
        }
        // example:end claim
    }
}
