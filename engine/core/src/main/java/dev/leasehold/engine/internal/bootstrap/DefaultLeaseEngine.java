package dev.leasehold.engine.internal.bootstrap;

import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.assertions.OccurrenceRecord;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.EngineHealth;
import dev.leasehold.engine.HeldTask;
import dev.leasehold.engine.Housekeeping;
import dev.leasehold.engine.LeaderElection;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseAdmin;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseObservation;
import dev.leasehold.engine.LeaseOutcomeUnknownException;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.OnceTask;
import dev.leasehold.engine.RunOnceResult;
import dev.leasehold.engine.RunResult;
import dev.leasehold.engine.Tenures;
import dev.leasehold.engine.internal.commit.Operations;
import dev.leasehold.engine.internal.election.Elections;
import dev.leasehold.engine.internal.health.HealthReport;
import dev.leasehold.engine.internal.lease.LeaseManager;
import dev.leasehold.engine.internal.metrics.EngineMetrics;
import dev.leasehold.engine.internal.operations.AdminOperations;
import dev.leasehold.engine.internal.operations.CallbackThreads;
import dev.leasehold.engine.internal.operations.Housekeeper;
import dev.leasehold.engine.internal.operations.LeaseListing;
import dev.leasehold.engine.internal.operations.Occurrences;
import dev.leasehold.engine.internal.operations.TenureOperations;
import dev.leasehold.engine.internal.partition.PartitionEngine;
import dev.leasehold.engine.internal.partition.PartitionRouter;
import dev.leasehold.engine.internal.runtime.EngineCallbacks;
import dev.leasehold.engine.internal.runtime.FailStop;
import dev.leasehold.engine.internal.settings.Arguments;
import dev.leasehold.engine.internal.settings.EngineSettings;
import dev.leasehold.engine.internal.store.OnceRunner;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The engine behind the public interface. Holds no lock while it waits. */
final class DefaultLeaseEngine implements LeaseEngine {

    private static final Logger LOG = LoggerFactory.getLogger(DefaultLeaseEngine.class);

    private final EngineSettings settings;
    private final FailStop runtime;
    private final PartitionRouter router;
    private final Operations operations;
    private final TenureOperations tenures;
    private final LeaseListing listing;
    private final Occurrences occurrences;
    private final Housekeeper housekeeper;
    private final LeaseAdmin admin;
    private final EngineMetrics metrics;
    private final EngineCallbacks ownCallbacks;
    private final LeaseManager leaseManager;
    private final Elections elections;
    private final OnceRunner onceRunner;
    private final AtomicReference<@Nullable CompletableFuture<Void>> closing = new AtomicReference<>();

    /**
     * An engine on open stores.
     *
     * @param runtime closes this engine at the first error of one of its threads
     * @param callbackExecutor runs code of callers; null for threads of the engine's own
     * @param onceRunner runs tasks of callers once per occurrence
     */
    public DefaultLeaseEngine(
            EngineSettings settings,
            FailStop runtime,
            List<PartitionEngine> partitions,
            EngineMetrics metrics,
            @Nullable Executor callbackExecutor,
            Function<Tenure, LeaseAssertion> assertions,
            OnceRunner onceRunner) {
        this.onceRunner = onceRunner;
        this.settings = settings;
        this.runtime = runtime;
        this.metrics = metrics;
        this.router = new PartitionRouter(settings.namespace(), partitions);
        this.operations = new Operations(settings, router, runtime, metrics);
        this.listing = new LeaseListing(router, operations);
        this.occurrences = new Occurrences(router, operations);
        this.housekeeper = new Housekeeper(router, operations, listing, settings.occurrenceRetentionNanos());
        this.ownCallbacks = runtime.startCallbacks("leasehold-" + settings.namespace() + "-callback");
        Executor callbacks = callbackExecutor == null
                ? ownCallbacks
                : new CallbackThreads(settings.namespace(), callbackExecutor, ownCallbacks);
        this.leaseManager = new LeaseManager(
                settings, operations, router, runtime, metrics, callbacks, router.first()::changes, assertions);
        this.elections = new Elections(leaseManager);
        this.tenures = new TenureOperations(
                router, operations, leaseManager::onCallerRelease, assertions, settings.waitQueue());
        this.admin = new AdminOperations(operations, listing, tenures, occurrences);
        partitions.forEach(partition -> partition.validities().listener(leaseManager));
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
        if (request != null && request.waitAtMost().isPresent()) {
            return tryAcquire(request).orElseThrow();
        }
        while (true) {
            try {
                return leaseManager.tryAcquire(request, Arguments.LONGEST).orElseThrow();
            } catch (LeaseOutcomeUnknownException e) {
                LOG.debug("lease {}: acquiring it again after an unknown outcome", LeaseNames.quote(request.name()), e);
            }
        }
    }

    @Override
    public Acquisition tryAcquire(LeaseRequest request) throws InterruptedException {
        return leaseManager.tryAcquire(request, waitOf(request, Duration.ZERO));
    }

    @Override
    public CompletionStage<Lease> acquireAsync(LeaseRequest request) {
        return leaseManager.acquireAsync(request, waitOf(request, Arguments.LONGEST));
    }

    @Override
    public CompletionStage<Acquisition> tryAcquireAsync(LeaseRequest request) {
        return leaseManager.tryAcquireAsync(request, waitOf(request, Duration.ZERO));
    }

    /** The wait that the request asks for; a missing request is refused later, with the other arguments. */
    private static Duration waitOf(@Nullable LeaseRequest request, Duration otherwise) {
        return request == null ? otherwise : request.waitAtMost().orElse(otherwise);
    }

    @Override
    public <T extends @Nullable Object, X extends Exception> RunResult<T> runWhileHeld(
            LeaseRequest request, HeldTask<T, X> task) throws InterruptedException, X {
        Arguments.given("task", task, "it must say what to do while the lease is held");
        Acquisition acquisition = tryAcquire(request);
        if (acquisition instanceof Acquisition.NotAcquired notAcquired) {
            return new RunResult.Skipped<>(notAcquired.refusal());
        }
        try (Lease lease = acquisition.orElseThrow()) {
            T result = task.run(lease);
            return new RunResult.Ran<>(result, lease.isHeld());
        }
    }

    @Override
    public <T extends @Nullable Object, X extends Exception> RunOnceResult<T> runOnce(
            LeaseRequest request, String occurrence, OnceTask<T, X> task) throws InterruptedException, X {
        Arguments.given("request", request, "it must say which lease is wanted");
        Arguments.given("task", task, "it must say what to do once per occurrence");
        LeaseNames.checkOccurrence(occurrence);
        Optional<OccurrenceRecord> known = occurrences.find(request.name(), occurrence);
        if (known.isPresent()) {
            return new RunOnceResult.DoneBefore<>(known.get());
        }
        Acquisition acquisition = tryAcquire(request);
        if (acquisition instanceof Acquisition.NotAcquired notAcquired) {
            return new RunOnceResult.Skipped<>(notAcquired.refusal());
        }
        try (Lease lease = acquisition.orElseThrow()) {
            return LeaseManager.whileAsserting(lease, held -> onceRunner.run(held, occurrence, task));
        }
    }

    @Override
    public Optional<OccurrenceRecord> findOccurrence(String name, String occurrence) throws InterruptedException {
        return occurrences.find(LeaseNames.checkName(name), LeaseNames.checkOccurrence(occurrence));
    }

    @Override
    public LeaderElection.Builder elect(LeaseRequest request) {
        if (request != null && request.waitAtMost().isPresent()) {
            throw new IllegalArgumentException("wait " + request.waitAtMost().get() + " is refused for the election of "
                    + LeaseNames.quote(request.name()) + ": an election waits until it is closed");
        }
        return elections.elect(request);
    }

    @Override
    public LeaseObservation observe(String name, Consumer<? super LeaseState> listener) {
        return leaseManager.observe(name, listener);
    }

    @Override
    public EngineHealth health() {
        return HealthReport.of(router.health(), whyClosed(), leaseManager.held(), leaseManager.waiting());
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
        CompletableFuture<Void> ended = new CompletableFuture<>();
        if (closing.compareAndSet(null, ended)) {
            operations.close();
            try {
                boolean keeping = !releasing && leaseManager.held() > 0;
                end(leaseManager.close(releasing), keeping).whenComplete((nothing, failure) -> ended.complete(null));
            } catch (RuntimeException | Error e) {
                // A second close must not wait for a closing that has failed.
                closing.set(null);
                throw e;
            }
        }
        awaitEnd(Objects.requireNonNullElse(closing.get(), ended));
    }

    /** First the steps that need hardly any memory, so that all validities end even if the rest fails. */
    private void fail(Error error) {
        operations.close();
        router.endAllValidity();
        CompletableFuture<Void> ended = new CompletableFuture<>();
        try {
            if (closing.compareAndSet(null, ended)) {
                end(leaseManager.fail(error), false).whenComplete((nothing, failure) -> ended.complete(null));
            }
        } finally {
            router.fail();
        }
    }

    /**
     * Closes the partitions once the leases are released, or after half of the close budget. The end of the session releases the session
     * leases.
     */
    private CompletableFuture<Void> end(CompletableFuture<Void> released, boolean keeping) {
        return router.closeAfter(released, settings.closeBudgetNanos() / 2, keeping)
                .whenComplete((nothing, failure) -> {
                    if (runtime.hasFailed()) {
                        leaseManager.endThreads();
                    }
                    ownCallbacks.stop();
                    metrics.close();
                });
    }

    private void awaitEnd(CompletableFuture<Void> ended) {
        if (!runtime.awaitUnlessInterrupted(ended, settings.closeBudgetNanos())) {
            LOG.warn(
                    "namespace '{}', writer '{}': closing goes on in the background: the database does not answer",
                    namespace(),
                    router.first().writer());
        }
    }

    @Override
    public String toString() {
        return "LeaseEngine[namespace=" + namespace() + ", instance=" + settings.instance() + "]";
    }
}
