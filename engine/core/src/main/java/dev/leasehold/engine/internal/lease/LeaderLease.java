package dev.leasehold.engine.internal.lease;

import com.mongodb.client.ClientSession;
import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseLoss;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The lease as the callbacks of an election see it. For them it ends with the leadership, while it is still held in the database: the lost
 * callback runs before the release.
 */
final class LeaderLease implements Lease {

    private final Lease lease;
    private final BooleanSupplier electionClosed;
    private final Consumer<LeaderLease> stepDown;
    /** Completes after the release: with whether that has certainly ended the tenure. */
    private final CompletableFuture<Boolean> released = new CompletableFuture<>();

    private volatile boolean steppedDown;

    /**
     * Wraps an acquired lease.
     *
     * @param electionClosed called on any thread
     * @param stepDown called on any thread when a callback closes the lease
     */
    LeaderLease(Lease lease, BooleanSupplier electionClosed, Consumer<LeaderLease> stepDown) {
        this.lease = lease;
        this.electionClosed = electionClosed;
        this.stepDown = stepDown;
    }

    @Override
    public Tenure tenure() {
        return lease.tenure();
    }

    @Override
    public @Nullable String comment() {
        return lease.comment();
    }

    private boolean isOver() {
        return steppedDown || electionClosed.getAsBoolean();
    }

    @Override
    public boolean isHeld() {
        return !isOver() && lease.isHeld();
    }

    @Override
    public void requireHeld() {
        if (isOver()) {
            throw new LeaseNotHeldException(
                    tenure(), steppedDown ? "its leader has stepped down" : "the leader election was closed");
        }
        lease.requireHeld();
    }

    @Override
    public Duration remaining() {
        return isOver() ? Duration.ZERO : lease.remaining();
    }

    @Override
    public LeaseAssertion assertion() {
        return lease.assertion();
    }

    @Override
    public <T extends @Nullable Object> T inTransaction(
            ClientSession session, Function<? super ClientSession, ? extends T> body) {
        return lease.inTransaction(session, body);
    }

    @Override
    public void onLost(Consumer<? super LeaseLoss> callback) {
        lease.onLost(callback);
    }

    @Override
    public void close() {
        stepDown.accept(this);
    }

    @Override
    public CompletionStage<Boolean> closeAsync() {
        close();
        return released.copy();
    }

    /** Ends it for the leader. */
    void stepDown() {
        steppedDown = true;
    }

    boolean isSteppedDown() {
        return steppedDown;
    }

    /** Releases it. Blocks for at most the close budget. */
    void release() {
        lease.close();
        lease.closeAsync().thenAccept(released::complete);
    }

    @Override
    public String toString() {
        return lease.toString();
    }
}
