package dev.leasehold.examples.quickstart;

import static dev.leasehold.examples.quickstart.ServiceThreads.await;
import static dev.leasehold.examples.story.StoryFailedException.unless;

import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.Lease;
import dev.leasehold.examples.story.Narrator;
import dev.leasehold.examples.story.StoryFailedException;
import java.util.concurrent.CompletableFuture;
import org.bson.Document;

/** What happens between two services. Every line is told after it happened, and says what happened. */
final class Story {

    private static final int FIRST_ORDER = 1;
    private static final int ORDER_OF_THE_HEIR = 101;
    private static final int ROUNDS = 25;

    private final OrderService one;
    private final OrderService other;
    private final ServiceThreads threads;
    private final StoredDocuments stored;
    private final Narrator narrator;

    Story(OrderService one, OrderService other, ServiceThreads threads, StoredDocuments stored, Narrator narrator) {
        this.one = one;
        this.other = other;
        this.threads = threads;
        this.stored = stored;
        this.narrator = narrator;
    }

    void tell() throws InterruptedException {
        introduce();
        Lease first = compete();
        Lease second = handOver(first);
        CompletableFuture<Integer> shift = workUntilFrozen(second);
        Lease third = inherit();
        narrator.chapter("4. " + other.name() + " wakes up where it stopped.");
        other.freeze().end();
        conclude(second, third, await(shift));
        showDocuments();
    }

    private void introduce() {
        narrator.chapter("Two services share one MongoDB. Each line starts with the service's own time (UTC).");
        narrator.says(one, "its clock is " + skewOf(one));
        narrator.says(
                other,
                "its clock is " + skewOf(other) + ": "
                        + Narrator.minutes(one.skew().minus(other.skew()).abs()) + " away from " + one.name() + "'s");
    }

    private static String skewOf(OrderService service) {
        return Narrator.minutes(service.skew().abs()) + (service.skew().isNegative() ? " slow" : " fast");
    }

    private Lease compete() throws InterruptedException {
        narrator.chapter("1. " + one.name() + " takes the lease '" + OrderService.LEASE + "', and " + other.name()
                + " asks for it.");
        Lease lease = one.tryAcquire().orElseThrow();
        narrator.says(one, "acquired, token " + lease.token());
        if (!(other.tryAcquire() instanceof Acquisition.NotAcquired no)) {
            throw new StoryFailedException("one lease is held by both");
        }
        narrator.says(other, no.refusal().message());
        return lease;
    }

    private Lease handOver(Lease lease) {
        narrator.chapter("2. " + one.name() + " writes an order and releases the lease, for which " + other.name()
                + " waits. Then they change places.");
        one.writeGated(lease, FIRST_ORDER);
        narrator.says(one, "order " + FIRST_ORDER + " committed under token " + lease.token());
        HandOvers handOvers = new HandOvers();
        Lease last = handOvers.to(other, lease);
        for (int round = 1; round < ROUNDS; round++) {
            last = handOvers.to(other, handOvers.to(one, last));
        }
        narrator.says(
                other,
                "has it after " + handOvers.count() + " hand-overs: token " + last.token() + ". Half of them took "
                        + Narrator.millis(handOvers.median()) + " or less");
        return last;
    }

    private CompletableFuture<Integer> workUntilFrozen(Lease lease) {
        narrator.chapter(
                "3. " + other.name() + " writes orders and is frozen: all its threads stop, as in a long pause,"
                        + " and time goes on. " + one.name() + " wants the lease.");
        CompletableFuture<Integer> shift = threads.start(new Shift(other, lease, narrator)::work);
        await(CompletableFuture.anyOf(other.freeze().begun(), shift));
        return shift;
    }

    private Lease inherit() {
        Heir heir = new Heir(one, narrator);
        heir.misread(stored.sessionEnd());
        Lease lease = heir.inherit();
        one.writeGated(lease, ORDER_OF_THE_HEIR);
        narrator.says(one, "order " + ORDER_OF_THE_HEIR + " committed under token " + lease.token());
        return lease;
    }

    private void conclude(Lease before, Lease after, int lateOrder) {
        Document late = stored.order(lateOrder);
        unless(after.token() == before.token() + 1, "token " + before.token() + " was followed by " + after.token());
        unless(!late.getBoolean("gated"), "the late order was written with the assertion: " + late.toJson());
        narrator.chapter("5. Token " + before.token() + " has become token " + after.token() + ". Order " + lateOrder
                + " came in late, because it was not gated:");
        stored.orders().forEach(narrator::show);
    }

    private void showDocuments() {
        narrator.chapter(
                "The clock document: the latest heartbeat of each service that holds leases, in nanoseconds of its"
                        + " own clock.");
        narrator.showIndented(stored.clock());
        narrator.chapter("The lease document: the session of its writer keeps it, and gates counts the assertions.");
        narrator.showIndented(stored.lease());
    }
}
