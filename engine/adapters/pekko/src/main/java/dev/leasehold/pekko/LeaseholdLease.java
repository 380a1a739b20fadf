package dev.leasehold.pekko;

import com.typesafe.config.Config;
import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.apache.pekko.actor.ActorPath;
import org.apache.pekko.actor.ClassicActorSystemProvider;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.coordination.lease.LeaseSettings;
import org.apache.pekko.coordination.lease.javadsl.Lease;
import org.apache.pekko.coordination.lease.javadsl.LeaseProvider;
import org.jspecify.annotations.Nullable;

/**
 * A lease of Pekko's coordination module, kept in MongoDB. Pekko makes it where a configuration names this class as {@code lease-class}, as
 * {@code leasehold.pekko} does; it is not to be constructed.
 *
 * <p>It keeps itself held until it is released or lost, whatever the owner does, by one small write per heartbeat interval for all leases
 * of an actor system.
 *
 * <p><b>Owners.</b> An owner is a node: Pekko names it by host and port. The same owner acquires again at once. In the process that holds
 * the lease that changes nothing; after a restart under the same name a new tenure begins, with the next token, and no transaction
 * that asserts the old one commits any more. So two nodes that both live must not have the same name.
 *
 * <p><b>Errors.</b> A stage that fails does so with {@link org.apache.pekko.coordination.lease.LeaseException}, or, where the database gave
 * no answer in time, {@link org.apache.pekko.coordination.lease.LeaseTimeoutException}. The cause is the engine's exception.
 *
 * <p>Safe for use by many threads. No method blocks.
 */
public final class LeaseholdLease extends Lease {

    /** Where all settings have a value. */
    static final String DEFAULTS = "leasehold.pekko";

    private static final Duration FOR_GOOD = Duration.ofDays(36_500);

    private final LeaseSettings settings;
    private final OwnedLease lease;

    /**
     * For Pekko, which constructs it twice and uses the second. The engine starts in the background: a node that may once
     * take the lease watches the clock of the one that has it.
     *
     * @param settings of the lease
     * @param system whose lease it is
     * @throws IllegalArgumentException if a setting breaks its rule, or two do not fit
     */
    public LeaseholdLease(LeaseSettings settings, ExtendedActorSystem system) {
        this.settings = settings;
        Config config =
                settings.leaseConfig().withFallback(system.settings().config().getConfig(DEFAULTS));
        LeaseholdEngines engines = LeaseholdEngines.of(system);
        EngineConfig engine = EngineConfig.of(config, settings.timeoutSettings(), engines.hasClient());
        this.lease = new OwnedLease(
                request(settings, config),
                settings.ownerName(),
                engine.operationTimeout(),
                () -> engines.engine(engine),
                LeaseholdEngines.BLOCKING);
        engines.engine(engine).prepare();
    }

    private static LeaseRequest request(LeaseSettings settings, Config config) {
        LeaseRequest request = LeaseRequest.of(LeaseTexts.name(settings.leaseName()))
                .holder(LeaseTexts.name(settings.ownerName()))
                .supersede(true)
                .gateStripes(config.getInt("gate-stripes"));
        @Nullable String comment = LeaseTexts.comment(settings.leaseName(), settings.ownerName());
        LeaseRequest commented = comment == null ? request : request.comment(comment);
        return config.getBoolean("expires") ? commented : commented.term(FOR_GOOD);
    }

    /**
     * The lease that {@code LeaseProvider} gives for these three, in Java and in Scala.
     *
     * @param system whose lease it is
     * @param leaseName the lease
     * @param configPath where its configuration is, such as {@code leasehold.pekko}
     * @param ownerName the owner that acquires it
     * @return always the same for the same three
     * @throws IllegalArgumentException if the configuration names another {@code lease-class}, or a setting breaks its rule
     */
    public static LeaseholdLease of(
            ClassicActorSystemProvider system, String leaseName, String configPath, String ownerName) {
        Lease found = LeaseProvider.get(system).getLease(leaseName, configPath, ownerName);
        if (found instanceof LeaseholdLease lease) {
            return lease;
        }
        throw new IllegalArgumentException("lease-class of '" + configPath + "' is "
                + found.getSettings().leaseConfig().getString("lease-class") + " and not "
                + LeaseholdLease.class.getName());
    }

    /**
     * The lease under which a singleton of Pekko's Cluster Singleton runs. To be asked by the singleton, when it starts.
     *
     * @param system of this node
     * @param singleton the path of the singleton actor itself: that of its {@code self}
     * @param configPath what {@code use-lease} says
     * @return the lease, held
     */
    public static LeaseholdLease ofSingleton(
            ClassicActorSystemProvider system, ActorPath singleton, String configPath) {
        String name = system.classicSystem().name() + "-singleton-" + singleton.parent();
        return of(system, name, configPath, owner(system));
    }

    /**
     * The lease under which a shard of Pekko's Cluster Sharding runs. To be asked by an entity of the shard, when it starts.
     *
     * @param system of this node
     * @param typeName the name of the entity type
     * @param shardId the shard
     * @param configPath what {@code use-lease} says
     * @return the lease, held
     */
    public static LeaseholdLease ofShard(
            ClassicActorSystemProvider system, String typeName, String shardId, String configPath) {
        String name = system.classicSystem().name() + "-shard-" + typeName + "-" + shardId;
        return of(system, name, configPath, owner(system));
    }

    /** What Pekko's singletons, shards and split brain resolver call the node. */
    private static String owner(ClassicActorSystemProvider system) {
        return ((ExtendedActorSystem) system.classicSystem())
                .provider()
                .getDefaultAddress()
                .hostPort();
    }

    @Override
    public LeaseSettings getSettings() {
        return settings;
    }

    /**
     * Acquires the lease if no other owner holds it. While it is held already that is answered at once, and the tenure stays the same. An
     * acquire while another is on its way shares that one's answer.
     *
     * @return completes with true if it is held, with false if another owner holds it or it is pinned, and fails if that cannot be told;
     *     then it is not held, and what may have been written is taken back in the background. It takes at most {@code
     *     lease-operation-timeout}, and the first of an actor system as long again, in which it connects
     */
    @Override
    public CompletionStage<Boolean> acquire() {
        return lease.acquire();
    }

    /**
     * Acquires the lease as {@link #acquire()} does, and asks to be told when it is lost.
     *
     * @param leaseLostCallback called once if the lease that this call acquired is lost, never before the stage is complete, and not
     *     after a release; always with a cause. If several calls pass the same callback for one tenure, it is still called once. It must
     *     not block for long: four threads serve all leases of an engine
     * @return as of {@link #acquire()}
     * @throws IllegalArgumentException if the callback is null
     */
    @Override
    public CompletionStage<Boolean> acquire(Consumer<Optional<Throwable>> leaseLostCallback) {
        if (leaseLostCallback == null) {
            throw new IllegalArgumentException(
                    "leaseLostCallback null is refused: without a callback there is acquire()");
        }
        return lease.acquire(leaseLostCallback);
    }

    /**
     * Releases the lease. {@link #checkLease()} is false from the start of the call on; one that comes while an acquire is on its way waits
     * for that.
     *
     * @return completes with true if the owner certainly does not hold the lease any more, with false if it certainly does, such as an
     *     earlier incarnation of it, and fails if that is not known within {@code lease-operation-timeout}; it goes on in the background then
     */
    @Override
    public CompletionStage<Boolean> release() {
        return lease.release();
    }

    /**
     * Whether this node may act as the owner of the lease. False until an acquire has completed, and from the instant at which the lease
     * could be another's on. Asks no other node: it is counted on this node's own clock.
     *
     * @return whether it is held
     */
    @Override
    public boolean checkLease() {
        return lease.checkLease();
    }

    /**
     * The tenure that was acquired last. Ask once, when the work begins that it is to protect, and keep it: after a loss the same node may
     * acquire the lease anew, and this then is the new tenure.
     *
     * @return the tenure, which may be over
     * @throws IllegalStateException if the lease was not acquired yet
     */
    public Tenure tenure() {
        return latest().tenure();
    }

    /**
     * The fencing token of {@link #tenure()}, which grows with each tenure of the lease, on whichever node.
     *
     * @return the token
     * @throws IllegalStateException if the lease was not acquired yet
     */
    public long token() {
        return tenure().token();
    }

    /**
     * The assertion of {@link #tenure()}, for MongoDB transactions of one's own: they commit only under that tenure. Ask once, when the
     * work begins, and keep it.
     *
     * <p>The transactions are in sessions of the client that the application has handed over by {@link LeaseholdSetup}. Without that the
     * engine's client is its own, and {@link LeaseAssertion#of} makes the assertion of {@link #tenure()} for another client.
     *
     * @return the assertion
     * @throws IllegalStateException if the lease was not acquired yet
     */
    public LeaseAssertion assertion() {
        return latest().assertion();
    }

    private dev.leasehold.engine.Lease latest() {
        dev.leasehold.engine.Lease latest = lease.latest();
        if (latest == null) {
            throw new IllegalStateException(lease.subject() + " was not acquired yet: its tenure begins with that");
        }
        return latest;
    }

    @Override
    public String toString() {
        return "LeaseholdLease[" + lease.subject() + "]";
    }
}
