package dev.leasehold.engine.client;

import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Housekeeping;
import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.EngineHealth;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseOperator;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.LeaseTask;
import dev.leasehold.engine.WhileHeld;
import dev.leasehold.engine.LeaseAnswer;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseEngineClosedException;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.commit.CommitPath;
import dev.leasehold.engine.commit.EngineSettings;
import dev.leasehold.engine.commit.LeaseReader;
import dev.leasehold.engine.commit.PendingOperation;
import dev.leasehold.engine.meters.EngineMeters;
import dev.leasehold.engine.protocol.Request;
import dev.leasehold.engine.protocol.Standing;
import dev.leasehold.engine.runtime.EngineRuntime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The engine as callers see it. Holds no lock while it waits. */
public final class LeaseClient implements LeaseEngine {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseClient.class);

    private final EngineSettings settings;
    private final EngineRuntime runtime;
    private final CommitPath path;
    private final CallerWait wait;
    private final Housekeeper housekeeper;
    private final Function<Tenure, LeaseAssertion> assertions;
    private final AtomicReference<@Nullable CompletableFuture<Void>> closing = new AtomicReference<>();

    /**
     * An engine on an open store.
     *
     * @param meters of this engine
     * @param assertions makes the assertion of a tenure
     */
    public LeaseClient(
            EngineSettings settings,
            EngineRuntime runtime,
            CommitPath path,
            EngineMeters meters,
            Function<Tenure, LeaseAssertion> assertions) {
        this.settings = settings;
        this.runtime = runtime;
        this.path = path;
        this.wait = new CallerWait(
                settings.namespace(), runtime, path.clock(), new OperationMeter(runtime.clock(), meters));
        this.housekeeper = new Housekeeper(namespace(), path, wait, this::deadlineNanos);
        this.assertions = assertions;
    }

    @Override
    public String namespace() {
        return settings.namespace();
    }

    @Override
    public Acquisition tryAcquire(LeaseRequest request) throws InterruptedException {
        throw new IllegalStateException();
    }

    @Override
    public Acquisition tryAcquire(LeaseRequest request, Duration limit) throws InterruptedException {
        throw new IllegalStateException();
    }

    @Override
    public CompletionStage<Acquisition> tryAcquireAsync(LeaseRequest request, Duration limit) {
        throw new IllegalStateException();
    }

    @Override
    public CompletionStage<Lease> acquireAsync(LeaseRequest request, Duration limit) {
        throw new IllegalStateException();
    }

    @Override
    public <T extends @Nullable Object, X extends Exception> WhileHeld<T> runWhileHeld(
            LeaseRequest request, LeaseTask<T, X> task) throws InterruptedException, X {
        throw new IllegalStateException();
    }

    @Override
    public EngineHealth health() {
        throw new IllegalStateException();
    }

    @Override
    public LeaseOperator operator() {
        throw new IllegalStateException();
    }

    @Override
    public LeaseAnswer claim(String name, String holder, Duration duration) throws InterruptedException {
        return claim(name, holder, duration, null);
    }

    @Override
    public LeaseAnswer claim(String name, String holder, Duration duration, @Nullable String comment)
            throws InterruptedException {
        checkNames(name, holder);
        long durationNanos = Arguments.termNanos(duration, path.clock().nowNanos());
        return answer(new Request.Claim(name, holder, durationNanos, checkComment(comment)));
    }

    @Override
    public LeaseAnswer takeOver(String name, String holder, Duration duration) throws InterruptedException {
        return takeOver(name, holder, duration, null);
    }

    @Override
    public LeaseAnswer takeOver(String name, String holder, Duration duration, @Nullable String comment)
            throws InterruptedException {
        checkNames(name, holder);
        long durationNanos = Arguments.termNanos(duration, path.clock().nowNanos());
        return answer(new Request.TakeOver(name, holder, durationNanos, checkComment(comment)));
    }

    @Override
    public LeaseAnswer extend(Tenure tenure, Duration duration) throws InterruptedException {
        Arguments.tenure(tenure, namespace());
        long durationNanos = Arguments.termNanos(duration, path.clock().nowNanos());
        return answer(new Request.Extend(tenure, durationNanos));
    }

    @Override
    public LeaseAnswer release(Tenure tenure) throws InterruptedException {
        Arguments.tenure(tenure, namespace());
        checkOpen();
        path.beliefs().giveUp(tenure);
        LeaseAnswer answer = answer(new Request.Release(tenure));
        // Certainly over, by this call or before it. Had it thrown, the belief would stay given up for good.
        path.beliefs().forget(tenure);
        return answer;
    }

    @Override
    public LeaseAnswer expire(String name) throws InterruptedException {
        return answer(new Request.Expire(LeaseNames.checkName(name)));
    }

    @Override
    public boolean isHeld(Tenure tenure) {
        return path.beliefs().holds(Arguments.tenure(tenure, namespace()));
    }

    @Override
    public Duration remaining(Tenure tenure) {
        return Duration.ofNanos(path.beliefs().remainingNanos(Arguments.tenure(tenure, namespace())));
    }

    @Override
    public LeaseAssertion assertion(Tenure tenure) {
        return assertions.apply(Arguments.tenure(tenure, namespace()));
    }

    @Override
    public List<LeaseState> refresh(Collection<String> names) throws InterruptedException {
        Set<String> checked = Arguments.names(names);
        checkOpen();
        List<LeaseState> states = new ArrayList<>();
        for (Set<String> part : parts(checked)) {
            long untilNanos = deadlineNanos();
            states.addAll(wait.read(path.reads().refresh(part, untilNanos), untilNanos, "refresh"));
        }
        return Collections.unmodifiableList(states);
    }

    private static List<Set<String>> parts(Set<String> names) {
        List<Set<String>> parts = new ArrayList<>();
        Set<String> part = new LinkedHashSet<>();
        for (String name : names) {
            if (part.isEmpty()) {
                parts.add(part);
            }
            part.add(name);
            if (part.size() == LeaseReader.PAGE_SIZE) {
                part = new LinkedHashSet<>();
            }
        }
        return parts;
    }

    @Override
    public List<LeaseState> leases() throws InterruptedException {
        checkOpen();
        List<LeaseState> states = new ArrayList<>();
        String belowId = null;
        do {
            long untilNanos = deadlineNanos();
            LeaseReader.Listed page = wait.read(path.reads().page(belowId, untilNanos), untilNanos, "listing");
            page.sightings().forEach(sighting -> states.add(Standing.of(sighting, page.nowNanos())));
            belowId = page.lastId();
        } while (belowId != null);
        Collections.reverse(states);
        return Collections.unmodifiableList(states);
    }

    @Override
    public Housekeeping housekeeping() throws InterruptedException {
        checkOpen();
        return housekeeper.run();
    }

    @Override
    public void close() {
        CompletableFuture<Void> mine = new CompletableFuture<>();
        if (closing.compareAndSet(null, mine)) {
            path.close().whenComplete((nothing, failure) -> mine.complete(null));
        }
        try {
            if (!runtime.await(Objects.requireNonNull(closing.get()), settings.closeBudgetNanos())) {
                LOG.warn(
                        "namespace '{}', writer '{}': closing goes on in the background: the database does not answer",
                        namespace(), path.writer());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        return "LeaseEngine[namespace=" + namespace() + ", instance=" + settings.instance() + "]";
    }

    private LeaseAnswer answer(Request request) throws InterruptedException {
        checkOpen();
        PendingOperation operation = new PendingOperation(namespace(), request, deadlineNanos());
        path.groupCommit().submit(operation);
        return wait.reply(operation).toAnswer();
    }

    private void checkOpen() {
        if (closing.get() != null) {
            throw new LeaseEngineClosedException("the engine of namespace '" + namespace() + "' is closed", null);
        }
    }

    private long deadlineNanos() {
        return Math.addExact(path.clock().nowNanos(), settings.operationBudgetNanos());
    }

    private static void checkNames(String name, String holder) {
        LeaseNames.checkName(name);
        LeaseNames.checkHolder(holder);
    }

    private static @Nullable String checkComment(@Nullable String comment) {
        return comment == null ? null : LeaseNames.checkComment(comment);
    }
}
