package dev.leasehold.spring;

import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.engine.LeaderElection;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseRequest;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.SmartLifecycle;

/**
 * The elections in which this application takes part: those of {@code leasehold.elections}, and those that a {@link LeaderOnly} names. It
 * campaigns from the start of the application on. When the application stops it steps down after schedulers and web servers have stopped and
 * no method with {@link LeaderOnly} runs any more, so that the next leader runs none beside one of these.
 *
 * <p>Safe for use by many threads.
 */
public class LeaderElections implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(LeaderElections.class);

    private final Supplier<LeaseEngine> engine;
    private final ApplicationEventPublisher events;
    private final Set<String> names = new LinkedHashSet<>();
    private final Map<String, LeaderElection> running = new LinkedHashMap<>();
    private final int priority;
    private final boolean yields;
    private boolean isRunning;

    /**
     * Nothing is sent yet.
     *
     * @param priority of this process in all of them
     * @param yields whether it steps down for a process with a higher one
     */
    LeaderElections(
            Supplier<LeaseEngine> engine,
            ApplicationEventPublisher events,
            Collection<String> names,
            int priority,
            boolean yields) {
        this.engine = engine;
        this.events = events;
        this.names.addAll(names);
        this.priority = priority;
        this.yields = yields;
    }

    /**
     * Whether this process leads. Never blocks on the database.
     *
     * @param election its name
     * @return false also for an election in which this application takes no part
     */
    public boolean isLeader(String election) {
        return lease(election).isPresent();
    }

    /**
     * The lease under which this process leads.
     *
     * @param election its name
     * @return empty if it does not lead now
     */
    public Optional<Lease> lease(String election) {
        return Optional.ofNullable(running().get(election)).flatMap(LeaderElection::lease);
    }

    /**
     * Steps down for another process, if that takes part and waits for the lead, as {@link LeaderElection#stepDownTo} does. Never blocks.
     *
     * @param election its name
     * @param instance the {@code leasehold.instance} of the process that is to lead
     * @return completes with true if that process was granted the lead; with false if it does not wait, or if this process does not lead
     * @throws IllegalArgumentException if the instance breaks its rule
     * @throws IllegalStateException if the engine takes no part in the wait queue
     */
    public CompletionStage<Boolean> stepDownTo(String election, String instance) {
        LeaderElection running = running().get(election);
        return running == null ? CompletableFuture.completedFuture(false) : running.stepDownTo(instance);
    }

    private Map<String, LeaderElection> running() {
        synchronized (names) {
            return Map.copyOf(running);
        }
    }

    /**
     * The name of the election of a method.
     *
     * @throws IllegalArgumentException if no election can have it, with the rule
     */
    static String name(LeaderOnly only, LeasedCall.PlaceholderResolver placeholders) {
        if (only.value().contains("#{")) {
            throw new IllegalArgumentException(
                    "name " + LeaseNames.quote(only.value())
                            + " is refused: an election is that of all calls, so its name may have ${...}, but #{...} is not evaluated");
        }
        return LeaseNames.checkName(TextTemplate.resolved("name", only.value(), placeholders));
    }

    /** {@return whether this application takes part in that election, now or from its start on} */
    boolean isPartOf(String election) {
        synchronized (names) {
            return names.contains(election);
        }
    }

    /** Takes part in one more election; called for all methods before the application starts, and for beans that are defined late. */
    void join(String election) {
        boolean isLate;
        synchronized (names) {
            isLate = names.add(election) && isRunning;
        }
        if (isLate) {
            begin(election);
        }
    }

    /** At once, but for an engine that waits for its database. Without the lock: a lazy engine is made here, under the lock of its context. */
    private void begin(String election) {
        LateEngine.whenReady(engine.get(), ready -> {
            synchronized (names) {
                if (isRunning && !running.containsKey(election)) {
                    elect(ready, election);
                }
            }
        });
    }

    /** A test that has mocked the engine runs nothing on a leader, and needs no more for that. */
    private void elect(LeaseEngine ready, String election) {
        LeaderElection.@Nullable Builder builder =
                ready.elect(LeaseRequest.of(election).priority(priority));
        if (builder == null) {
            LOG.warn(
                    "this process takes no part in election {}, whose methods do not run: {}",
                    LeaseNames.quote(election),
                    Answered.refusal("elect"));
            return;
        }
        if (yields) {
            builder.yieldToHigherPriority();
        }
        running.put(
                election,
                builder.onGranted(lease -> events.publishEvent(new LeaderGranted(election, lease)))
                        .onLost(loss -> events.publishEvent(new LeaderLost(election, loss)))
                        .start());
    }

    /** Starts no I/O on this thread. */
    @Override
    public void start() {
        List<String> begun;
        synchronized (names) {
            isRunning = true;
            begun = List.copyOf(names);
        }
        begun.forEach(this::begin);
    }

    @Override
    public void stop() {
        List<LeaderElection> ended;
        synchronized (names) {
            ended = List.copyOf(running.values());
            running.clear();
            isRunning = false;
        }
        ended.forEach(LeaderElection::close);
    }

    @Override
    public int getPhase() {
        return RunningMethods.PHASE - 1;
    }

    @Override
    public boolean isRunning() {
        synchronized (names) {
            return isRunning;
        }
    }
}
