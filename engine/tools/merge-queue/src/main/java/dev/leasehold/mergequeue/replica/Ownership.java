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
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One provider's lease, as this replica sees it. Until it is ended it stands for the lease, so that it serves the provider as soon as no
 * other replica does, and otherwise knows which one does. The lease is kept by the engine's session; its comment is the address of the
 * replica. Safe for use by many threads. Never blocks.
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

    private final Executor looking;

    private volatile @Nullable Serving serving;
    private volatile @Nullable KnownAddress address;
    private volatile long touchedNanos;
    private volatile boolean ended;
    /** The candidacy that waits now. */
    private volatile @Nullable CompletableFuture<Acquisition> candidacy;
    /** One look at a time answers all that ask for it. */
    private final AtomicReference<@Nullable CompletableFuture<Route>> look = new AtomicReference<>();

    Ownership(
            String provider,
            LeaseEngine engine,
            String holder,
            URI ownAddress,
            Function<Lease, ProviderQueue> queues,
            ScheduledExecutorService scheduler,
            Executor looking,
            LongSupplier nanoTime) {
        this.provider = provider;
        this.engine = engine;
        this.holder = holder;
        this.request = LeaseRequest.of(provider).holder(holder).comment(ownAddress.toString());
        this.queues = queues;
        this.scheduler = scheduler;
        this.looking = looking;
        this.nanoTime = nanoTime;
        this.touchedNanos = nanoTime.getAsLong();
    }

    private record KnownAddress(URI address, long atNanos) {}

    private record Serving(Lease lease, ProviderQueue queue, ScheduledFuture<?> ticks) {}

    /** Stands for the lease from now on, until this is ended or the engine is closed. */
    void campaign() {
        if (ended) {
            return;
        }
        CompletableFuture<Acquisition> standing =
                engine.tryAcquireAsync(request.waitAtMost(CANDIDACY)).toCompletableFuture();
        candidacy = standing;
        standing.whenComplete((answer, failure) -> {
            if (failure != null) {
                retry(failure);
            } else if (answer instanceof Acquisition.Acquired acquired) {
                serve(acquired.lease());
            } else {
                campaign();
            }
        });
        if (ended) {
            standing.cancel(false);
        }
    }

    private void retry(Throwable failure) {
        if (!ended && !isClosed(failure)) {
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
        // Writes what has passed, so that not much is lost to the replica that takes over, and so that a run that died
        // is noticed
        // without any poll. While no request holds or waits there is nothing to be noticed.
        ScheduledFuture<?> ticks = scheduler.scheduleWithFixedDelay(() -> tick(own), 0, TICK_SECONDS, TimeUnit.SECONDS);
        Serving present = new Serving(lease, own, ticks);
        serving = present;
        lease.onLost(loss -> {
            if (ended) {
                LOG.debug("Provider '{}': not served by this replica any more: {}", provider, loss);
            } else {
                LOG.warn("Provider '{}': not served by this replica any more: {}", provider, loss);
            }
            leave(present);
            campaign();
        });
        if (ended) {
            leave(present);
        }
    }

    private void tick(ProviderQueue own) {
        if (own.isLive()) {
            own.submit(new QueueEvent.Tick());
        }
        Serving present = serving;
        if (own.isWornOut() && present != null && present.queue() == own) {
            LOG.info("Provider '{}': many tokens were given, so the next tenure of its lease begins", provider);
            leave(present);
            campaign();
        }
    }

    private void leave(Serving present) {
        present.ticks().cancel(false);
        if (serving == present) {
            serving = null;
            present.queue().leave();
        }
        present.lease().closeAsync();
    }

    /** A run asks for the provider. */
    void touch() {
        touchedNanos = nanoTime.getAsLong();
    }

    /** Whether nothing was asked for so long, and no request holds or waits here. */
    boolean isIdleFor(long nanos) {
        Serving present = serving;
        return nanoTime.getAsLong() - touchedNanos > nanos
                && (present == null || !present.queue().isLive());
    }

    /** Stands for the lease no more, and gives it back if it is held. */
    void end() {
        ended = true;
        CompletableFuture<Acquisition> standing = candidacy;
        if (standing != null) {
            standing.cancel(false);
        }
        Serving present = serving;
        if (present != null) {
            leave(present);
        }
    }

    /** The engine is about to be closed, which is no reason for a warning. */
    void engineEnds() {
        ended = true;
    }

    /** Where the provider is served. Completes at once if that is known, otherwise after one read. */
    CompletionStage<Route> place() {
        Serving present = serving;
        if (present != null && present.queue().isServing()) {
            return CompletableFuture.completedFuture(new Route.Here(present.queue()));
        }
        KnownAddress known = address;
        if (known != null && nanoTime.getAsLong() - known.atNanos() < ADDRESS_LIFE_NANOS) {
            return CompletableFuture.completedFuture(new Route.Elsewhere(known.address()));
        }
        return look();
    }

    private CompletionStage<Route> look() {
        CompletableFuture<Route> own = new CompletableFuture<>();
        CompletableFuture<Route> other = look.compareAndExchange(null, own);
        if (other != null) {
            return other;
        }
        try {
            looking.execute(() -> {
                Route found = found();
                look.set(null);
                own.complete(found);
            });
        } catch (RejectedExecutionException e) {
            look.set(null);
            own.complete(new Route.Nowhere());
        }
        return own;
    }

    private Route found() {
        LeaseState state;
        try {
            state = engine.refresh(List.of(provider)).get(0);
        } catch (LeaseException e) {
            return new Route.Nowhere();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Route.Nowhere();
        }
        if (!(state instanceof LeaseState.Held held)
                || held.tenure().holder().equals(holder)
                || held.comment() == null) {
            return new Route.Nowhere();
        }
        Optional<URI> found = ReplicaAddress.parse(held.comment());
        if (found.isEmpty()) {
            LOG.warn("Provider '{}': its lease shows no address of a replica: '{}'", provider, held.comment());
            return new Route.Nowhere();
        }
        address = new KnownAddress(found.get(), nanoTime.getAsLong());
        return new Route.Elsewhere(found.get());
    }

    /** The replica that was thought to serve the provider does not. */
    void forgetAddress() {
        address = null;
    }
}
