package dev.leasehold.examples.quickstart;

import static dev.leasehold.examples.quickstart.ServiceThreads.await;
import static dev.leasehold.examples.story.StoryFailedException.unless;

import dev.leasehold.engine.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Hands a lease over, from its holder to a waiter, and measures how long that takes. */
final class HandOvers {

    private final List<Duration> took = new ArrayList<>();

    /** Hands the lease over, and returns it as the next holder has it. */
    Lease to(OrderService next, Lease lease) {
        CompletableFuture<Lease> waiting = next.acquire();
        unless(!waiting.isDone(), "one lease is held by both");
        long closedNanos = System.nanoTime();
        lease.close();
        Lease acquired = await(waiting);
        took.add(Duration.ofNanos(System.nanoTime() - closedNanos));
        unless(
                acquired.token() == lease.token() + 1,
                "token " + lease.token() + " was followed by " + acquired.token());
        return acquired;
    }

    int count() {
        return took.size();
    }

    /** Half of them took no longer. */
    Duration median() {
        return took.stream().sorted().toList().get(took.size() / 2);
    }
}
