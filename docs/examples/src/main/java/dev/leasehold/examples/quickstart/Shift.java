package dev.leasehold.examples.quickstart;

import static dev.leasehold.examples.quickstart.ServiceThreads.await;
import static dev.leasehold.examples.story.StoryFailedException.unless;

import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.examples.story.Narrator;
import dev.leasehold.examples.story.StoryFailedException;
import java.util.concurrent.CompletableFuture;

/** The work of a service that is frozen at the worst moment. */
final class Shift {

    private static final int ORDER = 2;
    private static final int LATE_ORDER = 3;

    private final OrderService service;
    private final Lease lease;
    private final Narrator narrator;
    private final CompletableFuture<LeaseLoss> lost = new CompletableFuture<>();

    Shift(OrderService service, Lease lease, Narrator narrator) {
        this.service = service;
        this.lease = lease;
        this.narrator = narrator;
    }

    /** Returns the number of the order that is written although the lease is lost. */
    int work() {
        lease.onLost(lost::complete);
        service.writeGated(lease, ORDER);
        narrator.says(service, "order " + ORDER + " committed under token " + lease.token());
        lookBeforeTheFreeze();
        service.freeze().beginHere();
        lookAfterTheFreeze();
        writeGatedTooLate();
        service.writeUngated(lease, LATE_ORDER);
        narrator.says(service, "order " + LATE_ORDER + " without the assertion: committed");
        return LATE_ORDER;
    }

    private void lookBeforeTheFreeze() {
        boolean held = lease.isHeld();
        String remaining = Narrator.seconds(lease.remaining());
        unless(held, "this machine is so slow that the lease was lost before " + service.name() + " was frozen");
        narrator.says(
                service,
                "isHeld: " + held + ", for " + remaining + ". So it goes on to order " + LATE_ORDER + ", and ...");
    }

    private void lookAfterTheFreeze() {
        boolean held = lease.isHeld();
        unless(!held, service.name() + " says that it holds a lease that another has");
        narrator.says(service, "isHeld: " + held + ". Lost: " + await(lost).message());
        narrator.says(service, "But it asked before it was frozen, and goes on with order " + LATE_ORDER);
    }

    private void writeGatedTooLate() {
        try {
            service.writeGated(lease, LATE_ORDER);
        } catch (LeaseNotHeldException e) {
            narrator.says(service, "order " + LATE_ORDER + " with the assertion: refused. " + e.getMessage());
            return;
        }
        throw new StoryFailedException("a transaction committed under token " + lease.token() + " after that was over");
    }
}
