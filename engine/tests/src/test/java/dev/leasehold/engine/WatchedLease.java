package dev.leasehold.engine;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A lease whose holder asks again and again whether it is held, and listens. Times are of the monotonic clock. */
final class WatchedLease {

    private static final long PATIENCE_SECONDS = 60;

    private final long acquiredAtNanos = System.nanoTime();
    private final Lease lease;
    private final List<LeaseLoss.Reason> losses = new CopyOnWriteArrayList<>();
    private final CountDownLatch lost = new CountDownLatch(1);
    private volatile long lostAtNanos;
    private volatile long lastHeldNanos;
    private volatile boolean closed;

    WatchedLease(Lease lease) {
        this.lease = lease;
        lease.onLost(this::lost);
        Thread watch = new Thread(this::watch, "watch of " + lease.name());
        watch.setDaemon(true);
        watch.start();
    }

    private void lost(LeaseLoss loss) {
        lostAtNanos = System.nanoTime();
        losses.add(loss.reason());
        lost.countDown();
    }

    /** A validity that was lost does not come back; that is seen to by going on until the holder closes. */
    private void watch() {
        while (!closed) {
            long beforeNanos = System.nanoTime();
            if (lease.isHeld()) {
                lastHeldNanos = beforeNanos;
            }
            pause();
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(1);
        } catch (InterruptedException e) {
            throw new AssertionError("nothing interrupts a watch", e);
        }
    }

    Lease lease() {
        return lease;
    }

    /** Gives it up, and looks no further. */
    void close() {
        closed = true;
        lease.close();
    }

    long acquiredAtNanos() {
        return acquiredAtNanos;
    }

    /** Before the last question that was answered with yes. */
    long lastHeldNanos() {
        return lastHeldNanos;
    }

    /** When its holder was told. */
    long lostAtNanos() {
        return lostAtNanos;
    }

    /** Waits until its holder was told, and says why it was lost. */
    String awaitLoss() throws InterruptedException {
        return lost.await(PATIENCE_SECONDS, TimeUnit.SECONDS) ? losses.get(0).name() : "not lost";
    }

    /** All that its holder was told. */
    List<LeaseLoss.Reason> losses() {
        return losses;
    }

    /** Name, token, and when it was acquired. */
    @Override
    public String toString() {
        return lease.name() + ":" + lease.token() + ":" + acquiredAtNanos;
    }
}
