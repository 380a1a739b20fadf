package dev.leasehold.examples.quickstart;

import static dev.leasehold.examples.quickstart.ServiceThreads.await;
import static dev.leasehold.examples.quickstart.StoryFailedException.unless;

import dev.leasehold.assertions.Tenure;
import java.util.concurrent.CompletableFuture;
import org.bson.Document;

/** What happens between two services. Every line is told after it happened, and says what happened. */
final class Story {

    private static final int ORDER_OF_THE_HEIR = 101;

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
        Contest contest = compete();
        Freeze freeze = new Freeze();
        CompletableFuture<Integer> shift = workUntilFrozen(contest, freeze);
        Tenure heirs = inherit(contest);
        narrator.chapter("4. " + contest.winner().name() + " wakes up where it stopped.");
        freeze.end();
        conclude(contest.tenure(), heirs, await(shift));
        showDocuments();
    }

    private void introduce() {
        narrator.chapter("Two services share one MongoDB. Each line starts with the service's own time (UTC).");
        narrator.says(one, "its clock is " + skewOf(one));
        narrator.says(other, "its clock is " + skewOf(other) + ": "
                + Narrator.minutes(one.skew().minus(other.skew()).abs()) + " away from " + one.name() + "'s");
    }

    private static String skewOf(OrderService service) {
        return Narrator.minutes(service.skew().abs()) + (service.skew().isNegative() ? " slow" : " fast");
    }

    private Contest compete() {
        narrator.chapter("1. Both claim the lease '" + OrderService.LEASE + "' for "
                + OrderService.TERM.toSeconds() + "s, at the same time.");
        Contest contest = Contest.between(one, other, threads);
        narrator.says(contest.winner(), "granted, token " + contest.tenure().token());
        narrator.says(contest.loser(), contest.refusal().message());
        return contest;
    }

    private CompletableFuture<Integer> workUntilFrozen(Contest contest, Freeze freeze) {
        narrator.chapter("2. " + contest.winner().name()
                + " writes orders, each in a transaction of its own with the assertion.");
        CompletableFuture<Integer> shift =
                threads.start(new Shift(contest.winner(), contest.tenure(), freeze, narrator)::work);
        await(CompletableFuture.anyOf(freeze.begun(), shift));
        return shift;
    }

    private Tenure inherit(Contest contest) throws InterruptedException {
        OrderService service = contest.loser();
        narrator.chapter("3. " + contest.winner().name()
                + " is frozen: its thread stops, as in a long pause, and time goes on. " + service.name() + " asks.");
        Heir heir = new Heir(service, narrator);
        heir.misread(stored.expiry());
        Tenure tenure = heir.takeOver();
        service.writeGated(tenure, ORDER_OF_THE_HEIR);
        narrator.says(service, "order " + ORDER_OF_THE_HEIR + " committed under token " + tenure.token());
        return tenure;
    }

    private void conclude(Tenure first, Tenure second, int lateOrder) {
        Document late = stored.order(lateOrder);
        unless(second.token() == first.token() + 1, "token " + first.token() + " was followed by " + second.token());
        unless(!late.getBoolean("gated"), "the late order was written with the assertion: " + late.toJson());
        narrator.chapter("5. Token " + first.token() + " has become token " + second.token()
                + ". Order " + lateOrder + " came in late, because it was not gated:");
        stored.orders().forEach(narrator::show);
    }

    private void showDocuments() {
        narrator.chapter("The clock document: what each service acknowledged last, in nanoseconds of its own clock.");
        narrator.showIndented(stored.clock());
        narrator.chapter("The lease document: the expiry is on its writer's clock, and gates counts the assertions.");
        narrator.showIndented(stored.lease());
    }
}
