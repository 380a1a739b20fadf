package dev.leasehold.examples.quickstart;

import static dev.leasehold.examples.quickstart.ServiceThreads.await;
import static dev.leasehold.examples.quickstart.StoryFailedException.unless;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseAnswer;
import dev.leasehold.engine.Refusal;
import java.util.concurrent.CompletableFuture;

/**
 * Two services that claimed one lease at the same time.
 *
 * @param winner who got it
 * @param tenure the winner's
 * @param loser who was refused
 * @param refusal what the loser was told
 */
record Contest(OrderService winner, Tenure tenure, OrderService loser, Refusal refusal) {

    static Contest between(OrderService one, OrderService other, ServiceThreads threads) {
        CompletableFuture<LeaseAnswer> toOne = threads.start(one::claim);
        CompletableFuture<LeaseAnswer> toOther = threads.start(other::claim);
        return await(toOne).isGranted()
                ? decided(one, await(toOne), other, await(toOther))
                : decided(other, await(toOther), one, await(toOne));
    }

    private static Contest decided(OrderService winner, LeaseAnswer first, OrderService loser, LeaseAnswer second) {
        unless(first.isGranted(), "a free lease was refused to both: " + first);
        unless(!second.isGranted(), "one lease was granted to both: " + first + " and " + second);
        return new Contest(winner, first.orElseThrow(), loser, (Refusal) second);
    }
}
