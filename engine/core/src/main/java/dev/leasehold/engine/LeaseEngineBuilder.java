package dev.leasehold.engine;

import com.mongodb.MongoNamespace;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.LeaseIds;
import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.engine.internal.bootstrap.EngineBuilders;
import dev.leasehold.engine.internal.bootstrap.EngineDeployment;
import dev.leasehold.engine.internal.bootstrap.EngineStarter;
import dev.leasehold.engine.internal.metrics.EngineMetrics;
import dev.leasehold.engine.internal.mongo.InspectedCollection;
import dev.leasehold.engine.internal.mongo.MongoLeaseStore;
import dev.leasehold.engine.internal.mongo.OnceTransaction;
import dev.leasehold.engine.internal.operations.Inspector;
import dev.leasehold.engine.internal.runtime.EngineRuntime;
import dev.leasehold.engine.internal.runtime.SystemRuntime;
import dev.leasehold.engine.internal.settings.Arguments;
import dev.leasehold.engine.internal.settings.EngineSettings;
import dev.leasehold.engine.internal.settings.InstanceName;
import dev.leasehold.engine.internal.settings.TimingSettings;
import dev.leasehold.engine.internal.time.Drift;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a {@link LeaseEngine}. Everything is checked by {@link #build()}, before anything is sent. For use by
 * one thread.
 */
public final class LeaseEngineBuilder {

    static {
        EngineBuilders.registerFactory(deployment -> new LeaseEngineBuilder(deployment));
    }

    private final @Nullable MongoClient client;
    /** What the engine is put on instead of the client and this machine; null for these. */
    private final @Nullable EngineDeployment elsewhere;

    private @Nullable String database;
    private @Nullable String collection = "leases";
    private @Nullable String namespace;
    private int partitions = 1;
    private @Nullable String instance;
    private long maximumDriftPpm = 1_000;
    private @Nullable Duration operationBudget;
    private @Nullable Duration commandBudget;
    private @Nullable Duration closeBudget = Duration.ofSeconds(5);
    private @Nullable Duration retention = Duration.ofHours(1);
    private @Nullable Duration occurrenceRetention = Duration.ofDays(90);
    private @Nullable Duration sessionLength;
    private boolean waitQueue = EngineSettings.WAIT_QUEUE;
    private @Nullable Duration heartbeatPeriod;
    private @Nullable Executor callbackExecutor;
    private @Nullable LeaseMeters meters;
    private EngineRuntime runtime = new SystemRuntime();

    /** The timings that were set to null, which is not the same as not to set them. */
    private final Set<String> nulls = new TreeSet<>();

    LeaseEngineBuilder(@Nullable MongoClient client) {
        this.client = client;
        this.elsewhere = null;
    }

    private LeaseEngineBuilder(EngineDeployment elsewhere) {
        this.client = null;
        this.elsewhere = elsewhere;
    }

    /**
     * The database of the lease documents. No default.
     *
     * @param name a database name, not {@code local} or {@code config}, without {@code $}
     * @return this
     */
    public LeaseEngineBuilder database(String name) {
        this.database = name;
        return this;
    }

    /**
     * The collection of the lease documents. Default {@code leases}. Any number of namespaces may share it. It needs the
     * simple collation, and is created when it does not exist.
     *
     * @param name a collection name without {@code $} and U+0000 that does not begin with {@code system.}
     * @return this
     */
    public LeaseEngineBuilder collection(String name) {
        this.collection = name;
        return this;
    }

    /**
     * The namespace: leases of the same name in two namespaces have nothing to do with each other. No default.
     *
     * @param name 1 to 64 characters of {@code A-Z a-z 0-9 . _ : / -}
     * @return this
     */
    public LeaseEngineBuilder namespace(String name) {
        this.namespace = name;
        return this;
    }

    /**
     * The number of clock documents over which the leases of the namespace are spread. Default 1; 1 to 64.
     *
     * <p>Transactions of one clock document run one after the other, which limits all engines of a namespace together;
     * with partitions the limit is that many times as high. Guarantees do not change, since a lease stays in its
     * partition. A partition costs a thread and a connection, and a heartbeat if this engine's session holds leases in it.
     *
     * <p><strong>All engines of a namespace must be built with the same number.</strong> The first engine stores it; an
     * engine with another number does not start. To change it, stop all engines; the runbook says how.
     *
     * @param count how many
     * @return this
     */
    public LeaseEngineBuilder partitions(int count) {
        this.partitions = count;
        return this;
    }

    /**
     * The name of this process in documents and log lines, for people. It need not be unique. Default: host name and
     * process id.
     *
     * @param name 1 to 64 characters of {@code A-Z a-z 0-9 . _ : / -}
     * @return this
     */
    public LeaseEngineBuilder instance(String name) {
        this.instance = name;
        return this;
    }

    /**
     * By how much the rate of any clock that takes part may be wrong. Give all engines of a namespace the same value:
     * the smallest one holds for all, and an engine warns of another that differs. Other engines wait longer before they
     * take a lease, by about twice this share of its term. Default 1000 ppm, far more than a disciplined clock shows.
     *
     * @param ppm parts per million, 0 to 999,999
     * @return this
     */
    public LeaseEngineBuilder maximumDriftPpm(long ppm) {
        this.maximumDriftPpm = ppm;
        return this;
    }

    /**
     * The longest time that one operation may take, retries included. Default: a third of the {@linkplain #sessionLength session length}
     * if that is set, at most 10 s and not below the command budget; 100 ms to 1 h.
     *
     * @param budget at least the command budget
     * @return this
     */
    public LeaseEngineBuilder operationBudget(Duration budget) {
        this.operationBudget = given("operation budget", budget);
        return this;
    }

    /**
     * The longest time that the server may spend on a read or a commit (plus a second), and that a single write may
     * wait for a majority. Default: half of the operation budget, at most 5 s; 100 ms to 1 h. Where the client
     * has a timeout, each command has the shorter limit of both.
     *
     * <p>Without one it does not limit how long the driver looks for a server, which is a setting of the client: an operation's
     * caller leaves in time, but the operations behind it are delayed. A single write of the clock document, such as the
     * registration of an engine, waits for less than two seconds behind an open transaction, and is tried again.
     *
     * @param budget at most the operation budget
     * @return this
     */
    public LeaseEngineBuilder commandBudget(Duration budget) {
        this.commandBudget = given("command budget", budget);
        return this;
    }

    /**
     * The longest time for which {@link LeaseEngine#close()} and {@link Lease#close()} block. The rest is done in the
     * background. Default 5 s; 100 ms to 1 h.
     *
     * @param budget the bound
     * @return this
     */
    public LeaseEngineBuilder closeBudget(Duration budget) {
        this.closeBudget = budget;
        return this;
    }

    /**
     * How long the document of a vacant lease stays before {@link LeaseEngine#housekeeping()} may remove it. Default 1 h;
     * 1 ms to 36,500 days.
     *
     * @param retention counted on the clock of the engine that made it vacant
     * @return this
     */
    public LeaseEngineBuilder retention(Duration retention) {
        this.retention = retention;
        return this;
    }

    /**
     * How long the record of an {@linkplain LeaseEngine#runOnce(LeaseRequest, String, OnceTask) occurrence} stays before {@link
     * LeaseEngine#housekeeping()} may remove it. After that the occurrence counts as not done, so set it longer than the time after which
     * an occurrence could still be asked for. Default 90 days; 1 ms to 36,500 days.
     *
     * @param retention counted on the clock of the database server
     * @return this
     */
    public LeaseEngineBuilder occurrenceRetention(Duration retention) {
        this.occurrenceRetention = retention;
        return this;
    }

    /**
     * How long the leases of the engine's session stay held without a heartbeat. When their holder's process has died
     * they are free this long, and a margin for drift, after the last heartbeat that another engine saw. Default 30 s, or
     * three times the operation budget or the heartbeat period where one of these needs more; at most one day. If it is
     * set alone, the heartbeat period and the budgets follow from it. Each engine has a length of its own.
     *
     * @param length longer than the operation budget, more than twice the heartbeat period
     * @return this
     */
    public LeaseEngineBuilder sessionLength(Duration length) {
        this.sessionLength = given("session length", length);
        return this;
    }

    /**
     * Whether this engine takes part in the wait queue that all engines of a lease share: then its waiters stand there, and the write that releases a
     * session lease makes the first waiter its holder. Default true. Without it this engine leaves released leases vacant, and its waiters
     * compete for vacant ones. Engines of one namespace may differ.
     *
     * @param waitQueue whether it takes part
     * @return this
     */
    public LeaseEngineBuilder waitQueue(boolean waitQueue) {
        this.waitQueue = waitQueue;
        return this;
    }

    /**
     * The time between heartbeats of the session, counted from the newest that was acknowledged. One that fails is sent
     * again sooner, until the session is over. Default: a third of the session length; 10 ms to below half of it.
     *
     * <p>Once per period the engine also looks at the stamps of all other engines, even if it is idle: so it knows how long a
     * dead one has been dead when it first asks for a lease of it. It looks less often in a namespace with many engines or
     * partitions, and once a minute at least.
     *
     * @param period less than half of the session length
     * @return this
     */
    public LeaseEngineBuilder heartbeatPeriod(Duration period) {
        this.heartbeatPeriod = given("heartbeat period", period);
        return this;
    }

    /**
     * The executor of {@link Lease#onLost} callbacks and of completions of asynchronous acquisitions. Default: up to
     * four threads of the engine, which end with it, and inherit no thread-locals and no context class loader. A task
     * that the executor rejects, by throwing anything, is logged and runs on these. No callback is dropped.
     *
     * @param executor runs its tasks on other threads than the caller's; {@link #build()} checks that with a task that
     *     does nothing. The engine never shuts it down. If its threads are few or blocked, holders hear late of a loss.
     *     A callback that waits for the end of an asynchronous acquisition or close needs another thread of it: on the
     *     only one it would wait without end
     * @return this
     */
    public LeaseEngineBuilder callbackExecutor(Executor executor) {
        this.callbackExecutor = executor;
        return this;
    }

    /**
     * The registry for the engine's metrics. Default: none, and Micrometer need not be on the class path.
     *
     * @param meters {@link LeaseMeters} says what is measured
     * @return this
     */
    public LeaseEngineBuilder meters(LeaseMeters meters) {
        this.meters = meters;
        return this;
    }

    LeaseEngineBuilder runtime(EngineRuntime runtime) {
        this.runtime = runtime;
        return this;
    }

    /**
     * Checks the settings and the deployment, creates the clock document of each partition that has none, and starts the engine.
     *
     * <p>Blocks for at most the operation budget, and for as long as the machine takes to find its own host name, unless
     * {@link #instance} is set. An interrupted thread keeps its flag. After an exception nothing needs to be closed. May
     * be called again, for another engine with the same settings.
     *
     * @return an open engine
     * @throws IllegalArgumentException if a setting breaks its rule, or two settings do not fit; nothing was sent
     * @throws UnsupportedDeploymentException if the driver, the server or the collection cannot carry leases
     * @throws CorruptDocumentException if a clock document is foreign, corrupt, of a newer schema, or was made for another number
     *     of partitions
     * @throws LeaseStoreException if the database refused, for lack of rights for instance
     * @throws LeaseUnavailableException if the database could not be reached in time, or the thread was interrupted
     */
    public LeaseEngine build() {
        return elsewhere == null ? buildHere() : buildThere(elsewhere);
    }

    private LeaseEngine buildHere() {
        MongoClient client = requireClient();
        MongoNamespace place = place();
        TimingSettings timingSettings = timingSettings();
        EngineSettings settings = settings(timingSettings);
        if (callbackExecutor != null) {
            ExecutorProbe.refuseInPlace(callbackExecutor);
        }
        MongoCollection<BsonDocument> leases = client.getDatabase(place.getDatabaseName())
                .getCollection(place.getCollectionName(), BsonDocument.class);
        return EngineStarter.start(
                settings,
                runtime,
                metersOf(settings),
                callbackExecutor,
                partition -> new MongoLeaseStore(
                        client,
                        place.getDatabaseName(),
                        place.getCollectionName(),
                        partition,
                        timingSettings.command().toNanos(),
                        settings.instance(),
                        settings.drift().ppm()),
                tenure -> LeaseAssertion.of(tenure, leases),
                new OnceTransaction(client::startSession));
    }

    /**
     * Checks the settings and makes an inspector, which is no engine. It uses client, database, collection, namespace,
     * drift, command budget and retention alone. Sends one read, for the number of partitions, and blocks for it.
     *
     * @return an open inspector
     * @throws IllegalArgumentException if a setting breaks its rule; nothing was sent
     * @throws CorruptDocumentException if the namespace has no clock document, or it does not say for how many partitions it is
     * @throws UnsupportedDeploymentException if the server cannot carry leases
     * @throws LeaseStoreException if the database refused, for lack of the right {@code find} for instance
     * @throws LeaseUnavailableException if the database could not be reached in time
     */
    public LeaseInspector buildInspector() {
        MongoClient open = requireClient();
        MongoNamespace place = place();
        TimingSettings timingSettings = timingSettings();
        EngineSettings settings = settings(timingSettings);
        long commandNanos = timingSettings.command().toNanos();
        InspectedCollection collection = new InspectedCollection(open, place, commandNanos);
        return new Inspector(
                settings, runtime, collection.partitions(settings.namespace()), collection::store, collection::events);
    }

    private MongoClient requireClient() {
        return Arguments.given("client", client, "an engine needs a MongoClient");
    }

    private LeaseEngine buildThere(EngineDeployment deployment) {
        EngineSettings settings = settings(timingSettings());
        return EngineStarter.start(
                settings,
                deployment.runtime(),
                metersOf(settings),
                callbackExecutor,
                partition -> deployment.store(settings, partition),
                deployment::assertion,
                deployment.onceRunner());
    }

    private EngineMetrics metersOf(EngineSettings settings) {
        return meters == null ? EngineMetrics.NONE : meters.forNamespace(settings.namespace());
    }

    private MongoNamespace place() {
        String inDatabase = Arguments.given("database", database, "name the database of the leases");
        String inCollection = Arguments.given("collection", collection, "name the collection of the leases");
        try {
            return plain(new MongoNamespace(inDatabase, inCollection));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "database '" + database + "' with collection '" + collection + "' is refused: " + e.getMessage(),
                    e);
        }
    }

    /** The driver lets these pass, and the server would refuse them only once it is asked, or not before the first transaction. */
    private static MongoNamespace plain(MongoNamespace place) {
        String collection = place.getCollectionName();
        if (place.getFullName().indexOf('$') >= 0
                || collection.indexOf('\0') >= 0
                || collection.startsWith("system.")) {
            throw new IllegalArgumentException("neither name may contain '$' or U+0000, and a collection of one's own"
                    + " must not begin with 'system.'");
        }
        if (place.getDatabaseName().equals("local") || place.getDatabaseName().equals("config")) {
            throw new IllegalArgumentException("the server runs no transactions in databases of its own");
        }
        return place;
    }

    private TimingSettings timingSettings() {
        if (!nulls.isEmpty()) {
            throw new IllegalArgumentException(
                    String.join(", ", nulls) + " null is refused: it must be a duration, or not be set at all");
        }
        return TimingSettings.of(sessionLength, heartbeatPeriod, operationBudget, commandBudget);
    }

    private EngineSettings settings(TimingSettings timingSettings) {
        return new EngineSettings(
                LeaseNames.checkNamespace(namespace),
                partitions(),
                LeaseNames.checkInstance(instance == null ? InstanceName.ofThisProcess() : instance),
                new Drift(maximumDriftPpm),
                timingSettings.operation().toNanos(),
                Arguments.durationNanos(
                        "close budget", closeBudget, TimingSettings.SHORTEST_BUDGET, TimingSettings.LONGEST_BUDGET),
                Arguments.durationNanos("retention", retention),
                Arguments.durationNanos("occurrence retention", occurrenceRetention),
                timingSettings.session().toNanos(),
                timingSettings.heartbeat().toNanos(),
                EngineSettings.SINGLE_WRITES_MAX,
                waitQueue);
    }

    private int partitions() {
        if (partitions < 1 || partitions > LeaseIds.PARTITIONS_MAX) {
            throw new IllegalArgumentException(
                    "partitions " + partitions + " is refused: it must be 1 to " + LeaseIds.PARTITIONS_MAX);
        }
        return partitions;
    }

    private @Nullable Duration given(String what, @Nullable Duration value) {
        if (value == null) {
            nulls.add(what);
        } else {
            nulls.remove(what);
        }
        return value;
    }
}
