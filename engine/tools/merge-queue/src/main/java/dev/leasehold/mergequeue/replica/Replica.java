package dev.leasehold.mergequeue.replica;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import dev.leasehold.engine.EngineHealth;
import dev.leasehold.engine.Housekeeping;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseMeters;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.LeaseStatus;
import dev.leasehold.mergequeue.queue.QueueAnswer;
import dev.leasehold.mergequeue.queue.QueueEvent;
import dev.leasehold.mergequeue.queue.QueueRules;
import dev.leasehold.mergequeue.queue.QueueSettings;
import dev.leasehold.mergequeue.store.ProviderStore;
import dev.leasehold.mergequeue.store.ReadState;
import dev.leasehold.mergequeue.store.Revision;
import dev.leasehold.mergequeue.store.StoredState;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the providers whose leases it holds, and knows which replica serves the others. Safe for use by many threads. No time of day decides
 * anything here.
 */
public final class Replica implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Replica.class);
    /** In which the leases of the providers are, in the database of the service. */
    public static final String NAMESPACE = "merge-queue";

    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);
    private static final long LOOK_PERIOD_MILLIS = 50;
    private static final long LOOK_LIMIT_MILLIS = 2_000;
    private static final int WRITERS = 32;
    private static final int LOOKERS = 8;
    private static final int LOOKS_MAX = 1_000;
    private static final long IDLE_NANOS = TimeUnit.MINUTES.toNanos(10);
    private static final long FORGET_PERIOD_SECONDS = 5;
    /** Of the looks for queues that no caller may ask for any more. */
    private static final long LIVE_PERIOD_SECONDS = 60;
    /** Of the looks for writes that other replicas left open. */
    private static final long LEFT_PERIOD_SECONDS = 5;
    /** For which outcomes stay in the database beyond the retention, whatever the clocks of servers do meanwhile. */
    private static final Duration SPARE = Duration.ofDays(1);

    private static final long HOUSEKEEPING_FIRST_SECONDS = TimeUnit.MINUTES.toSeconds(2);
    private static final long HOUSEKEEPING_PERIOD_SECONDS = TimeUnit.HOURS.toSeconds(1);

    private final ReplicaSettings settings;
    private final ProviderStore store;
    private final LeaseEngine engine;
    private final String holder = UUID.randomUUID().toString();
    private final LongSupplier nanoTime;
    private final DecisionListener listener;
    private final int providersMax;
    /** So many that a frozen database cannot make threads without end. */
    private final ExecutorService executor = Executors.newFixedThreadPool(WRITERS, task -> daemon(task, "merge-queue"));

    private final ThreadPoolExecutor looking = new ThreadPoolExecutor(
            LOOKERS,
            LOOKERS,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(LOOKS_MAX),
            task -> daemon(task, "merge-queue-look"));
    private final ScheduledExecutorService scheduler =
            Executors.newSingleThreadScheduledExecutor(task -> daemon(task, "merge-queue-timer"));
    private final Map<String, Ownership> ownerships = new ConcurrentHashMap<>();
    private volatile long retentionNanos;
    private final Set<String> kept = ConcurrentHashMap.newKeySet();

    /**
     * Starts a replica.
     *
     * @param client stays open when the replica is closed
     * @param settings what it is told about itself
     * @param providersMax how many providers it stands for at most
     * @param listener is told what was decided
     * @param meters of the lease engine
     * @param nanoTime monotonic, in nanoseconds: the clock that counts windows while this replica serves
     */
    public Replica(
            MongoClient client,
            ReplicaSettings settings,
            int providersMax,
            DecisionListener listener,
            LeaseMeters meters,
            LongSupplier nanoTime) {
        this.settings = settings;
        this.providersMax = providersMax;
        this.listener = listener;
        this.nanoTime = nanoTime;
        this.store = new ProviderStore(client, settings.database());
        this.engine = LeaseEngine.builder(client)
                .database(settings.database())
                .namespace(NAMESPACE)
                .sessionLength(settings.sessionLength())
                .operationBudget(settings.commandBudget().multipliedBy(2))
                .commandBudget(settings.commandBudget())
                .meters(meters)
                .build();
        scheduler.scheduleWithFixedDelay(
                this::forgetIdle, FORGET_PERIOD_SECONDS, FORGET_PERIOD_SECONDS, TimeUnit.SECONDS);
        scheduler.scheduleWithFixedDelay(
                () -> beginToLook(this::endLeftWrites), LEFT_PERIOD_SECONDS, LEFT_PERIOD_SECONDS, TimeUnit.SECONDS);
        scheduler.scheduleWithFixedDelay(
                () -> beginToLook(this::housekeep),
                HOUSEKEEPING_FIRST_SECONDS,
                HOUSEKEEPING_PERIOD_SECONDS,
                TimeUnit.SECONDS);
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    /** {@return under which address other replicas reach this one} */
    public URI address() {
        return settings.address();
    }

    /**
     * Stands for the lease of a provider from now on, so that this replica takes over as soon as it may, and does not forget it when it is
     * idle. Does not block.
     *
     * @param key which provider
     * @param queueSettings of the provider
     */
    public void stand(ProviderKey key, QueueSettings queueSettings) {
        kept.add(key.id());
        ownership(key, queueSettings);
    }

    /**
     * Stands, from now on, for the leases of all providers of which a request holds or waits: no caller may ever ask for them again, and a
     * hold must still end at its maximum, and be warned of when it is long. They are looked for now and every minute. Does not block.
     *
     * @param settingsOf finds the settings of a provider; empty if it is not served
     */
    public void standForLive(Function<ProviderKey, Optional<QueueSettings>> settingsOf) {
        scheduler.scheduleWithFixedDelay(
                () -> beginToLook(() -> lookForLive(settingsOf)), 0, LIVE_PERIOD_SECONDS, TimeUnit.SECONDS);
    }

    private void lookForLive(Function<ProviderKey, Optional<QueueSettings>> settingsOf) {
        int withoutPlace = 0;
        try {
            for (String id : store.live()) {
                Optional<ProviderKey> key = ProviderKey.parse(id);
                Optional<QueueSettings> found = key.flatMap(settingsOf);
                if (found.isPresent() && !standForLive(key.get(), found.get())) {
                    withoutPlace++;
                }
            }
        } catch (MongoException e) {
            LOG.warn("Queues with a hold or waiters could not be looked for, and will be again: {}", e.getMessage());
        }
        if (withoutPlace > 0) {
            LOG.warn(
                    "{} queues with a hold or waiters have no place in this replica: limits.providers is {}",
                    withoutPlace,
                    providersMax);
        }
    }

    private boolean standForLive(ProviderKey key, QueueSettings queueSettings) {
        try {
            ownership(key, queueSettings).touch();
            return true;
        } catch (TooManyProvidersException e) {
            return false;
        }
    }

    /**
     * Where a provider is to be served, and by which queue if it is here. Stands for its lease from the first call on. Does not block.
     *
     * @param key which provider
     * @param queueSettings of the provider
     * @return completes with how to go on, within two seconds while no replica serves it
     * @throws TooManyProvidersException if this replica serves as many as it may
     */
    public CompletionStage<Served> serve(ProviderKey key, QueueSettings queueSettings) {
        Ownership ownership = ownership(key, queueSettings);
        ownership.touch();
        CompletableFuture<Served> result = new CompletableFuture<>();
        look(ownership, result);
        return result.completeOnTimeout(
                new Served.Here(event -> noReplica(key)), LOOK_LIMIT_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void look(Ownership ownership, CompletableFuture<Served> result) {
        ownership.place().whenComplete((place, failure) -> {
            if (place instanceof Route.Here here) {
                result.complete(new Served.Here(here.queue()::submit));
            } else if (place instanceof Route.Elsewhere elsewhere) {
                result.complete(new Served.Elsewhere(elsewhere.address(), ownership::forgetAddress));
            } else if (!result.isDone() && !scheduler.isShutdown()) {
                scheduler.schedule(() -> look(ownership, result), LOOK_PERIOD_MILLIS, TimeUnit.MILLISECONDS);
            }
        });
    }

    /** Providers of a pattern come and go; what no run asks for costs neither a lease nor a place. */
    private void forgetIdle() {
        ownerships.forEach((id, ownership) -> {
            if (!kept.contains(id) && ownership.isIdleFor(IDLE_NANOS) && ownerships.remove(id, ownership)) {
                LOG.info("Provider '{}': idle, and forgotten until it is asked for", id);
                ownership.end();
            }
        });
    }

    private void beginToLook(Runnable work) {
        try {
            looking.execute(work);
        } catch (RejectedExecutionException e) {
            LOG.debug("Housekeeping waits for its next turn: the database is busy, or this replica ends");
        }
    }

    /** Removes what dead replicas and idle providers leave in the database. */
    void housekeep() {
        try {
            Housekeeping done = engine.housekeeping();
            long removed = retentionNanos == 0
                    ? 0
                    : store.removeIdle(Duration.ofNanos(retentionNanos).plus(SPARE));
            LOG.debug("Housekeeping: {}, and {} documents of idle providers removed", done, removed);
        } catch (LeaseException | MongoException e) {
            LOG.warn("Housekeeping failed, and will be tried again: {}", e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Not all databases allow it, and then the server ends them in its own time. */
    private void endLeftWrites() {
        try {
            int ended = store.endLeftWrites();
            if (ended > 0) {
                LOG.warn(
                        "{} writes that replicas left open were ended: they were killed or frozen in the middle",
                        ended);
            }
        } catch (MongoException e) {
            LOG.debug("Writes that replicas may have left open could not be looked for: {}", e.getMessage());
        }
    }

    private static CompletionStage<QueueAnswer> noReplica(ProviderKey key) {
        return CompletableFuture.failedFuture(
                new NoOwnerException("no replica serves provider '" + key.id() + "' at the moment", null));
    }

    private Ownership ownership(ProviderKey key, QueueSettings queueSettings) {
        if (ownerships.size() >= providersMax && !ownerships.containsKey(key.id())) {
            throw new TooManyProvidersException(providersMax);
        }
        return ownerships.computeIfAbsent(key.id(), id -> {
            Ownership made = new Ownership(
                    id,
                    engine,
                    holder,
                    settings.address(),
                    lease -> queue(id, lease, queueSettings),
                    scheduler,
                    looking,
                    nanoTime);
            retentionNanos = queueSettings.retentionNanos(); // the same of all providers
            made.campaign();
            return made;
        });
    }

    private ProviderQueue queue(String provider, Lease lease, QueueSettings queueSettings) {
        return new ProviderQueue(provider, lease, new QueueRules(queueSettings), store, nanoTime, executor, listener);
    }

    /**
     * Reads how the documents of the providers stand, whichever replica serves them. Blocks for a read. As {@link ProviderStore#revisions}.
     *
     * @return by the ids of the providers, in their order
     */
    public SortedMap<String, Revision> revisions() {
        return store.revisions();
    }

    /**
     * Reads providers, whichever replica serves them, as of their last writes. Blocks for a read. As {@link ProviderStore#readAll}.
     *
     * @param ids of the providers
     * @param each gets the id and the state of each
     */
    public void readAll(List<String> ids, BiConsumer<String, ReadState> each) {
        store.readAll(ids, each);
    }

    /**
     * Reads one provider, whichever replica serves it, as of its last write. Blocks for a read.
     *
     * @param key which
     * @return empty if it was never asked
     * @throws dev.leasehold.mergequeue.store.DamagedStateException if its document is not what this service writes
     */
    public StoredState state(ProviderKey key) {
        return store.read(key.id());
    }

    /**
     * Reads which replica serves what. Blocks for a read.
     *
     * @return the addresses of the replicas, by the ids of the providers that they serve
     * @throws InterruptedException if the thread was interrupted
     */
    public Map<String, String> owners() throws InterruptedException {
        Map<String, String> owners = new HashMap<>();
        for (LeaseState state : engine.leases()) {
            if (state instanceof LeaseState.Held held
                    && held.status() == LeaseStatus.ACTIVE
                    && held.comment() != null) {
                owners.put(held.name(), held.comment());
            }
        }
        return owners;
    }

    /** {@return how the lease engine is; never blocks} */
    public EngineHealth health() {
        return engine.health();
    }

    /** Gives the providers back, so that other replicas serve them at once. Blocks for a few seconds at most. */
    @Override
    public void close() {
        ownerships.values().forEach(Ownership::engineEnds);
        engine.close();
        scheduler.shutdownNow();
        looking.shutdownNow();
        executor.shutdown();
        try {
            executor.awaitTermination(CLOSE_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** How to go on with a request. */
    public sealed interface Served {

        /**
         * It is served here, or nowhere, which its answer says.
         *
         * @param queue takes the event
         */
        record Here(EventSink queue) implements Served {}

        /**
         * Another replica serves it.
         *
         * @param address of that
         * @param forget to be run if it turns out that it does not
         */
        record Elsewhere(URI address, Runnable forget) implements Served {}
    }

    /** Takes events. */
    @FunctionalInterface
    public interface EventSink {

        /**
         * Lets an event happen. Does not block.
         *
         * @param event what happens
         * @return completes with the answer, or with {@link NoOwnerException}
         */
        CompletionStage<QueueAnswer> submit(QueueEvent event);
    }
}
