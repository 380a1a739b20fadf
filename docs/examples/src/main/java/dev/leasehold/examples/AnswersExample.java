package dev.leasehold.examples;

import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseOutcomeUnknownException;
import dev.leasehold.engine.LeaseResult;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.Refusal;
import java.time.Duration;
import java.util.List;

/** What an operation can answer, and what follows from it. */
final class AnswersExample {

    private AnswersExample() {}

    static String claim(LeaseEngine engine, String holder) throws InterruptedException {
        // example:start answers
        try {
            LeaseResult answer = engine.tenures().claim("report", holder, Duration.ofSeconds(60));
            if (answer instanceof Refusal refusal) {
                return "no: " + refusal.message();
            }
            return "yes: token " + answer.orElseThrow().token();
        } catch (LeaseOutcomeUnknownException e) {
            return "maybe, so do not act: " + e.getMessage();
        } catch (LeaseException e) {
            return "certainly not: " + e.getMessage();
        }
        // example:end answers
    }

    static void clearUp(LeaseEngine engine, String holder) throws InterruptedException {
        // example:start unknown
        LeaseState state = engine.refresh(List.of("report")).get(0);
        if (state instanceof LeaseState.Held held && held.tenure().holder().equals(holder)) {
            engine.tenures().release(held.tenure()); // ours, provided that nobody else uses this holder
        }
        // example:end unknown
    }
}
