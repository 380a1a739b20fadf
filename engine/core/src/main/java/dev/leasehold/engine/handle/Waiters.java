package dev.leasehold.engine.handle;

import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.Refusal;
import dev.leasehold.engine.commit.Subject;
import dev.leasehold.engine.meters.Outcome;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Those who wait for one lease, in the order in which they came, each of them until it is answered: once, and counted. Of the agenda's
 * thread alone.
 */
final class Waiters {

    private static final Logger LOG = LoggerFactory.getLogger(Waiters.class);

    private final Surroundings around;
    private final Runnable went;
    private final Set<Waiter> waiting = new LinkedHashSet<>();
    private long arrived;

    /**
     * Nobody.
     *
     * @param went hears of each who waits no longer
     */
    Waiters(Surroundings around, Runnable went) {
        this.around = around;
        this.went = went;
    }

    void add(Waiter waiter) {
        waiter.takePlace(++arrived);
        waiting.add(waiter);
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    boolean has(Waiter waiter) {
        return waiting.contains(waiter);
    }

    /** As they are now: answering one of them changes nothing in it. */
    List<Waiter> all() {
        return List.copyOf(waiting);
    }

    /** The place of the last who came. */
    long lastPlace() {
        return arrived;
    }

    /** Who makes the next attempt. There must be somebody. */
    Waiter next() {
        for (Waiter waiter : waiting) {
            if (waiter.maySupersede()) {
                return waiter;
            }
        }
        return waiting.iterator().next();
    }

    /** Those who want it for that holder. */
    List<Waiter> of(String holder) {
        return waiting.stream().filter(waiter -> waiter.holder().equals(holder)).toList();
    }

    boolean anybodyWasLookedAt() {
        return waiting.stream().anyMatch(Waiter::wasLookedAt);
    }

    boolean everybodyWasLookedAt() {
        return waiting.stream().allMatch(Waiter::wasLookedAt);
    }

    // ---- answers ----

    void hand(Waiter taker, LeaseHandle handle) {
        answer(taker, Outcome.GRANTED, () -> taker.granted(handle));
    }

    void fail(Waiter waiter, LeaseException failure) {
        answer(waiter, Outcome.of(failure), () -> waiter.result().completeExceptionally(failure));
    }

    /** Its time is over: it is told what it was told last. */
    void end(Waiter waiter) {
        String namespace = around.settings().namespace();
        Refusal refusal = waiter.refusal(namespace);
        if (refusal == null) {
            fail(waiter, waiter.trouble(namespace));
        } else {
            answer(waiter, Outcome.REFUSED, () -> waiter.result().complete(new Acquisition.NotAcquired(refusal)));
            LOG.debug("{}: {}", Subject.of(namespace, waiter.request()), refusal.message());
        }
    }

    /** Those whose alarm has rung while an answer was on its way: it does not ring again. */
    void endOverdue() {
        all().stream()
                .filter(waiter -> around.nowNanos() >= waiter.hardEndNanos())
                .forEach(this::end);
    }

    /** Its caller went. */
    void withdraw(Waiter waiter) {
        answer(waiter, Outcome.INTERRUPTED, () -> waiter.result().cancel(false));
    }

    /** Who was removed must be answered: nobody else would do it any more. */
    private void answer(Waiter waiter, Outcome outcome, Runnable answer) {
        try {
            remove(waiter, outcome);
        } finally {
            answer.run();
        }
    }

    private void remove(Waiter waiter, Outcome outcome) {
        waiting.remove(waiter);
        went.run();
        if (waiter.alarm() != null) {
            around.agenda().cancel(waiter.alarm());
        }
        around.meters()
                .operation(
                        waiter.request().kind(),
                        waiter.name(),
                        outcome,
                        waiter.priorStatus(),
                        around.nowNanos() - waiter.arrivedNanos());
    }
}
