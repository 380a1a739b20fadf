package dev.leasehold.mergequeue.replica;

import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseEngineClosedException;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.mergequeue.queue.QueueEvent;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One provider's lease, as this replica sees it. It always stands for it, so that it serves the provider as soon as nobody else does, and
 * otherwise knows who does. The lease is kept by the engine's session; its comment is the address of the replica. Safe for use by many
 * threads.
 */
final class Ownership {

    private static final Logger LOG = LoggerFactory.getLogger(Ownership.class);
    private static final Duration CANDIDACY = Duration.ofHours(1);
    private static final long RETRY_MILLIS = 1_000;
    private static final long TICK_SECONDS = 5;
    private static final long ADDRESS_LIFE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final String provider;
    private final LeaseEngine engine;
    private final LeaseRequest request;
    private final String holder;
    private final Function<Lease, ProviderQueue> queues;
    private final ScheduledExecutorService scheduler;
    private final LongSupplier nanoTime;
    private final DecisionListener listener;

    private volatile @Nullable ProviderQueue queue;
    private volatile @Nullable KnownAddress address;

    Ownership(
            String provider,
            LeaseEngine engine,
            String holder,
            URI ownAddress,
            Function<Lease, ProviderQueue> queues,
            ScheduledExecutorService scheduler,
            LongSupplier nanoTime,
            DecisionListener listener) {
        this.provider = provider;
        this.engine = engine;
        this.holder = holder;
        this.request = LeaseRequest.of(provider).holder(holder).comment(ownAddress.toString());
        this.queues = queues;
        this.scheduler = scheduler;
        this.nanoTime = nanoTime;
        this.listener = listener;
    }

    private record KnownAddress(URI address, long atNanos) {}

    /** Stands for the lease from now on, until the engine is closed. */
    void campaign() {
        engine.tryAcquireAsync(request, CANDIDACY).whenComplete((answer, failure) -> {
            if (failure != null) {
                retry(failure);
            } else if (answer instanceof Acquisition.Acquired acquired) {
                serve(acquired.lease());
            } else {
                campaign();
            }
        });
    }

    private void retry(Throwable failure) {
        if (!isClosed(failure)) {
            LOG.warn("Provider '{}': standing for its lease failed, trying again: {}", provider, failure.getMessage());
            schedule(this::campaign);
        }
    }

    private static boolean isClosed(Throwable failure) {
        return failure instanceof LeaseEngineClosedException
                || failure.getCause() instanceof LeaseEngineClosedException;
    }

    private void schedule(Runnable task) {
        if (!scheduler.isShutdown()) {
            scheduler.schedule(task, RETRY_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void serve(Lease lease) {
        LOG.info("Provider '{}': served by this replica, lease token {}", provider, lease.token());
        ProviderQueue own = queues.apply(lease);
        queue = own;
        // Writes what has passed, so that not much is lost to who takes over, and so that who died is noticed without
        // any poll.
        ScheduledFuture<?> ticks = scheduler.scheduleWithFixedDelay(
                () -> own.submit(new QueueEvent.Tick()), 0, TICK_SECONDS, TimeUnit.SECONDS);
        lease.onLost(loss -> {
            LOG.warn("Provider '{}': not served by this replica any more: {}", provider, loss);
            ticks.cancel(false);
            queue = null;
            listener.left(provider);
            lease.close();
            campaign();
        });
    }

    /** Where the provider is served. May block for one read, for at most the engine's operation budget. */
    Place place() throws InterruptedException {
        ProviderQueue own = queue;
        if (own != null && own.isServing()) {
            return new Place.Here(own);
        }
        KnownAddress known = address;
        if (known != null && nanoTime.getAsLong() - known.atNanos() < ADDRESS_LIFE_NANOS) {
            return new Place.Elsewhere(known.address());
        }
        return look();
    }

    private Place look() throws InterruptedException {
        LeaseState state;
        try {
            state = engine.refresh(List.of(provider)).get(0);
        } catch (LeaseException e) {
            return new Place.Nowhere();
        }
        if (!(state instanceof LeaseState.Held held)
                || held.tenure().holder().equals(holder)
                || held.comment() == null) {
            return new Place.Nowhere();
        }
        URI found = URI.create(held.comment());
        address = new KnownAddress(found, nanoTime.getAsLong());
        return new Place.Elsewhere(found);
    }

    /** The replica that was thought to serve the provider does not. */
    void forgetAddress() {
        address = null;
    }
}
