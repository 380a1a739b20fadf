package dev.leasehold.examples.quickstart;

import static dev.leasehold.examples.quickstart.StoryFailedException.unless;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseAnswer;
import dev.leasehold.engine.Refusal;
import java.time.Duration;
import java.time.Instant;

/** The service that asks for the lease until it may be taken over. */
final class Heir {

    private static final Duration BETWEEN_TRIES = Duration.ofMillis(250);
    private static final int TRIES_MAX = 100;

    private final OrderService service;
    private final Narrator narrator;

    Heir(OrderService service, Narrator narrator) {
        this.service = service;
        this.narrator = narrator;
    }

    /** Says what the stored expiry would mean here if it were a time of day. */
    void misread(Instant expiry) {
        narrator.says(service, misreading(expiry, service.now()));
    }

    static String misreading(Instant expiry, Instant now) {
        String stored = "the stored expiry is " + Narrator.time(expiry) + ". ";
        return now.isAfter(expiry)
                ? stored + "By this clock that was " + Narrator.minutes(Duration.between(expiry, now))
                        + " ago: whoever compares times of day takes the lease from a live holder"
                : stored + "By this clock that is in " + Narrator.minutes(Duration.between(now, expiry))
                        + ": whoever compares times of day waits for so long";
    }

    Tenure takeOver() throws InterruptedException {
        LeaseAnswer answer = service.takeOver();
        int refusals = 0;
        while (answer instanceof Refusal refusal) {
            if (refusals == 0) {
                narrator.says(service, refusal.message());
            }
            refusals++;
            unless(refusals < TRIES_MAX, "take-over was refused " + refusals + " times, lastly: " + refusal.message());
            Thread.sleep(BETWEEN_TRIES.toMillis());
            answer = service.takeOver();
        }
        Tenure tenure = answer.orElseThrow();
        narrator.says(service, "was refused " + refusals + " times, and then took the lease over: token " + tenure.token());
        return tenure;
    }
}
