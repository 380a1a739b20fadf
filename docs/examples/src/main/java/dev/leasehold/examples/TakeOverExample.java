package dev.leasehold.examples;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseResult;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.Refusal;
import java.time.Duration;

/** Waits for a lease with a term that another process holds, or held when it died. */
final class TakeOverExample {

    private TakeOverExample() {}

    static Tenure acquire(LeaseEngine engine, String name, String holder, Duration term, Duration pause)
            throws InterruptedException {
        LeaseResult answer = engine.tenures().claim(name, holder, term);
        while (answer instanceof Refusal refusal) {
            Thread.sleep(pause.toMillis());
            answer = refusal.state() instanceof LeaseState.Held
                    ? engine.tenures()
                            .takeOver(name, holder, term) // refused until its holder's term has certainly run out
                    : engine.tenures().claim(name, holder, term);
        }
        return answer.orElseThrow();
    }
}
