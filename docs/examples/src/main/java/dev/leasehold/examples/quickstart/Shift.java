package dev.leasehold.examples.quickstart;

import static dev.leasehold.examples.quickstart.StoryFailedException.unless;

import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.assertions.Tenure;

/** The work of the service that holds the lease first, on a thread of its own that is frozen at the worst moment. */
final class Shift {

    private static final int LATE_ORDER = 4;

    private final OrderService service;
    private final Tenure tenure;
    private final Freeze freeze;
    private final Narrator narrator;

    Shift(OrderService service, Tenure tenure, Freeze freeze, Narrator narrator) {
        this.service = service;
        this.tenure = tenure;
        this.freeze = freeze;
        this.narrator = narrator;
    }

    /** Returns the number of the order that is written although the tenure is over. */
    int work() throws InterruptedException {
        for (int number = 1; number < LATE_ORDER; number++) {
            service.writeGated(tenure, number);
            narrator.says(service, "order " + number + " committed under token " + tenure.token());
        }
        lookBeforeTheFreeze();
        freeze.here();
        lookAfterTheFreeze();
        writeGatedTooLate();
        service.writeUngated(tenure, LATE_ORDER);
        narrator.says(service, "order " + LATE_ORDER + " without the assertion: committed");
        return LATE_ORDER;
    }

    private void lookBeforeTheFreeze() {
        boolean held = service.isHeld(tenure);
        String remaining = Narrator.seconds(service.remaining(tenure));
        unless(held, "this machine is so slow that the term ran out before " + service.name() + " was frozen");
        narrator.says(service, "isHeld: " + held + ", for " + remaining + ". So it goes on to order " + LATE_ORDER + ", and ...");
    }

    private void lookAfterTheFreeze() {
        boolean held = service.isHeld(tenure);
        unless(!held, service.name() + " believes that it holds a lease that was taken over");
        narrator.says(service, "isHeld: " + held + ". But it asked before it was frozen, and goes on with order " + LATE_ORDER);
    }

    private void writeGatedTooLate() {
        try {
            service.writeGated(tenure, LATE_ORDER);
        } catch (LeaseNotHeldException e) {
            narrator.says(service, "order " + LATE_ORDER + " with the assertion: refused. " + e.getMessage());
            return;
        }
        throw new StoryFailedException("a transaction committed under token " + tenure.token() + " after that was over");
    }
}
