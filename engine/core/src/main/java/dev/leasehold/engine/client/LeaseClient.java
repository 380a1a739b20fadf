package dev.leasehold.engine.client;

import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.EngineHealth;
import dev.leasehold.engine.HeldTask;
import dev.leasehold.engine.Housekeeping;
import dev.leasehold.engine.LeaderElection;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseAdmin;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.RunResult;
import dev.leasehold.engine.Tenures;
import dev.leasehold.engine.commit.CommitPath;
import dev.leasehold.engine.commit.EngineSettings;
import dev.leasehold.engine.handle.HandleSettings;
import dev.leasehold.engine.handle.Leases;
import dev.leasehold.engine.meters.EngineMeters;
import dev.leasehold.engine.meters.Health;
import dev.leasehold.engine.runtime.EngineCallbacks;
import dev.leasehold.engine.runtime.FailStop;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The engine as callers see it. Holds no lock while it waits. */
final class LeaseClient implements LeaseEngine {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseClient.class);

    private final EngineSettings settings;
    private final FailStop runtime;
    private final Partitions partitions;
    private final Calls calls;
    private final TenureOperations tenures;
    private final Listing listing;
    private final Housekeeper housekeeper;
    private final LeaseAdmin admin;
    private final EngineMeters meters;
    private final EngineCallbacks ownCallbacks;
    private final Leases leases;
    private final Health health;
    private final AtomicReference<@Nullable CompletableFuture<Void>> closing = new AtomicReference<>();

    /**
     * An engine on open stores.
     *
     * @param runtime ends this with the first error of one of its threads
     * @param paths one for each partition of the namespace, in their order
     * @param meters closed with this
     * @param callbackExecutor runs code of callers; null for threads of the engine's own
     * @param assertions makes the assertion of a tenure
     */
    public LeaseClient(
            EngineSettings settings,
            FailStop runtime,
            List<CommitPath> paths,
            EngineMeters meters,
            @Nullable Executor callbackExecutor,
            Function<Tenure, LeaseAssertion> assertions) {
        this.settings = settings;
        this.runtime = runtime;
        this.meters = meters;
        this.partitions = new Partitions(settings.namespace(), paths);
        CallerWait wait = new CallerWait(
                settings.namespace(), runtime, partitions.clock(), new OperationMeter(runtime.clock(), meters));
        this.calls = new Calls(partitions, settings.operationBudgetNanos(), wait);
        this.tenures = new TenureOperations(partitions, calls, assertions);
        this.listing = new Listing(calls, partitions);
        this.housekeeper = new Housekeeper(partitions, calls, listing);
        this.admin = new Admin(partitions, calls, listing, tenures);
        this.ownCallbacks = runtime.startCallbacks("leasehold-" + settings.namespace() + "-callback");
        this.leases = new Leases(
                new HandleSettings(
                        settings.namespace(),
                        settings.drift(),
                        settings.operationBudgetNanos(),
                        settings.closeBudgetNanos()),
                new EngineOperations(partitions),
                runtime,
                meters,
                callbackExecutor == null
                        ? ownCallbacks
                        : new CallbackThreads(settings.namespace(), callbackExecutor, ownCallbacks),
                partitions.first()::changes,
                assertions);
        paths.forEach(path -> path.beliefs().tell(leases));
        this.health = new Health(partitions.health(), this::whyClosed, leases::held, leases::waiting);
        runtime.onFailure(this::fail);
    }

    private @Nullable String whyClosed() {
        Error failure = runtime.failure();
        if (failure != null) {
            return "the engine was closed by an error in one of its threads: " + failure;
        }
        return closing.get() == null ? null : "the engine is closed";
    }

    @Override
    public String namespace() {
        return settings.namespace();
    }

    @Override
    public Lease acquire(LeaseRequest request) throws InterruptedException {
        return leases.acquire(request);
    }

    @Override
    public Acquisition tryAcquire(LeaseRequest request, Duration wait) throws InterruptedException {
        return leases.tryAcquire(request, wait);
    }

    @Override
    public CompletionStage<Acquisition> tryAcquireAsync(LeaseRequest request, Duration wait) {
        return leases.tryAcquireAsync(request, wait);
    }

    @Override
    public CompletionStage<Lease> acquireAsync(LeaseRequest request, Duration wait) {
        return leases.acquireAsync(request, wait);
    }

    @Override
    public <T extends @Nullable Object, X extends Exception> RunResult<T> runWhileHeld(
            LeaseRequest request, Duration wait, HeldTask<T, X> task) throws InterruptedException, X {
        return leases.runWhileHeld(request, wait, task);
    }

    @Override
    public LeaderElection.Builder elect(LeaseRequest request) {
        return leases.elect(request);
    }

    @Override
    public EngineHealth health() {
        return health.now();
    }

    @Override
    public LeaseAdmin admin() {
        return admin;
    }

    @Override
    public Tenures tenures() {
        return tenures;
    }

    @Override
    public List<LeaseState> refresh(Collection<String> names) throws InterruptedException {
        return listing.of(Arguments.names(names));
    }

    @Override
    public List<LeaseState> leases() throws InterruptedException {
        return listing.all();
    }

    @Override
    public Housekeeping housekeeping() throws InterruptedException {
        calls.checkOpen();
        return housekeeper.run();
    }

    @Override
    public void close() {
        close(true);
    }

    @Override
    public void closeWithoutRelease() {
        close(false);
    }

    private void close(boolean releasing) {
        CompletableFuture<Void> mine = new CompletableFuture<>();
        if (closing.compareAndSet(null, mine)) {
            calls.close();
            try {
                boolean keeping = !releasing && leases.held() > 0;
                end(leases.close(releasing), keeping).whenComplete((nothing, failure) -> mine.complete(null));
            } catch (RuntimeException | Error e) {
                // Whoever closes it once more is not to wait for what nobody does.
                closing.set(null);
                throw e;
            }
        }
        awaitEnd(Objects.requireNonNullElse(closing.get(), mine));
    }

    /** First what needs hardly any memory, so that nothing is believed any more whatever becomes of the rest. */
    private void fail(Error error) {
        calls.close();
        partitions.closeBeliefs();
        CompletableFuture<Void> mine = new CompletableFuture<>();
        if (closing.compareAndSet(null, mine)) {
            end(leases.fail(error), false).whenComplete((nothing, failure) -> mine.complete(null));
        }
    }

    /**
     * What handles hold is given up first, while the engine can still do so, but not for longer than there is for all of it.
     * What the session keeps goes with the session.
     */
    private CompletableFuture<Void> end(CompletableFuture<Void> given, boolean keeping) {
        return partitions
                .closeAfter(given, settings.closeBudgetNanos() / 2, keeping)
                .whenComplete((nothing, failure) -> {
                    ownCallbacks.stop();
                    meters.close();
                });
    }

    private void awaitEnd(CompletableFuture<Void> ended) {
        try {
            if (!runtime.await(ended, settings.closeBudgetNanos())) {
                LOG.warn(
                        "namespace '{}', writer '{}': closing goes on in the background: the database does not answer",
                        namespace(),
                        partitions.first().writer());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        return "LeaseEngine[namespace=" + namespace() + ", instance=" + settings.instance() + "]";
    }
}
