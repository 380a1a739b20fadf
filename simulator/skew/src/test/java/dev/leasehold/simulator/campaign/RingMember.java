package dev.leasehold.simulator.campaign;

import dev.leasehold.simulator.campaign.Questions.Handle;
import dev.leasehold.simulator.campaign.Worker.ProcessContext;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * One thread of each process: it waits for one lease that no other thread wants, holds it for a moment and waits again. So the processes hand
 * it over in turn, by the tickets that they send, and one that was killed or cut off stands in the queue like the others.
 */
final class RingMember implements Runnable {

    /** The lease of the ring. */
    static final String LEASE = "ring";

    /** Long enough for many hand-overs, and for the end of a dead holder's session. */
    private static final Duration WAIT = Duration.ofSeconds(10);

    /** Mostly longer than it takes to send a ticket: one that comes later finds the lease vacant, and its process claims it. */
    private static final int HELD_MILLIS_END = 250;

    private final ProcessContext process;
    private final String holder;
    private final SplittableRandom random;
    private int acquisitions;
    private volatile boolean stopped;

    RingMember(ProcessContext process, String holder, SplittableRandom random) {
        this.process = process;
        this.holder = holder;
        this.random = random;
    }

    /** Lets it release what it holds, and ends a wait at its end. */
    void stop() {
        stopped = true;
    }

    @Override
    public void run() {
        try {
            while (!stopped) {
                Optional<Handle> acquired =
                        process.questions().acquire(LEASE, holder + "-" + acquisitions++, null, WAIT);
                if (acquired.isPresent()) {
                    hold(acquired.get());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void hold(Handle handle) throws InterruptedException {
        handle.lease().onLost(loss -> process.journal().lost(handle.call(), loss));
        process.validities().watch(handle.lease());
        if (random.nextInt(100) < 20) {
            process.work()
                    .carryOut(process.client(), handle.lease().assertion(), random.nextBoolean(), process.journal());
        }
        Thread.sleep(random.nextInt(HELD_MILLIS_END));
        process.questions().close(handle);
    }
}
