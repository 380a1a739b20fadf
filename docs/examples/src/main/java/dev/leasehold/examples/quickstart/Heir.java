package dev.leasehold.examples.quickstart;

import dev.leasehold.engine.Lease;
import dev.leasehold.examples.story.Narrator;
import java.time.Duration;
import java.time.Instant;

/** The service that waits for the lease of one that gives no sign of life. */
final class Heir {

    private final OrderService service;
    private final Narrator narrator;

    Heir(OrderService service, Narrator narrator) {
        this.service = service;
        this.narrator = narrator;
    }

    /** Says what the end of the holder's session would mean here if it were a time of day. */
    void misread(Instant sessionEnd) {
        narrator.says(service, misreading(sessionEnd, service.now()));
    }

    static String misreading(Instant sessionEnd, Instant now) {
        String stored = "the stored session ends at " + Narrator.time(sessionEnd) + ". ";
        return now.isAfter(sessionEnd)
                ? stored + "By this clock that was " + Narrator.minutes(Duration.between(sessionEnd, now))
                        + " ago: a lock that compares times of day is taken from a live holder"
                : stored + "By this clock that is in " + Narrator.minutes(Duration.between(now, sessionEnd))
                        + ": a lock that compares times of day is waited for that long";
    }

    /** Waits until it is certain that the session is over on the clock of the one that it belongs to. */
    Lease inherit() {
        long askedNanos = System.nanoTime();
        Lease lease = ServiceThreads.await(service.acquire());
        narrator.says(
                service,
                "acquired " + Narrator.seconds(Duration.ofNanos(System.nanoTime() - askedNanos))
                        + " after it asked: token " + lease.token());
        return lease;
    }
}
