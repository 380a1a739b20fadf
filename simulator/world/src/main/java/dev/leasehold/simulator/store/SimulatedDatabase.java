package dev.leasehold.simulator.store;

import com.mongodb.client.MongoCollection;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.Partition;
import dev.leasehold.simulator.conditions.DamageKind;
import dev.leasehold.simulator.conditions.DatabaseConditions;
import dev.leasehold.simulator.conditions.SeededRandom;
import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.world.SimulatedNetwork;
import dev.leasehold.simulator.world.SimulatedProcess;
import dev.leasehold.simulator.world.Simulation;
import java.util.List;
import java.util.UUID;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** A replica set with the documents of a namespace in all its partitions, and what befalls it. */
public final class SimulatedDatabase {

    private static final long WATCH_NANOS = 500_000_000;

    private final Server server;
    private final DatabaseTroubles troubles;
    private @Nullable Places places;
    private int clients;

    /** One that asks its change streams again as often as the engine's contract says. */
    public SimulatedDatabase(
            Simulation simulation,
            SimulatedNetwork simulatedNetwork,
            DatabaseConditions conditions,
            long commandNanos) {
        this(simulation, simulatedNetwork, conditions, commandNanos, 0, WATCH_NANOS);
    }

    /**
     * An empty database.
     *
     * @param simulation in which it lives
     * @param simulatedNetwork on which its clients reach it
     * @param conditions how it fares
     * @param commandNanos for how long a client waits for an answer
     * @param seed of what is drawn for it
     * @param watchNanos for how long a change stream waits for changes at a time
     */
    public SimulatedDatabase(
            Simulation simulation,
            SimulatedNetwork simulatedNetwork,
            DatabaseConditions conditions,
            long commandNanos,
            long seed,
            long watchNanos) {
        Versions versions = new Versions(simulation, conditions, new SeededRandom(seed));
        Primary primary = new Primary(simulation, versions, conditions.lifetimeNanos(), conditions.sweepNanos());
        this.server = new Server(
                simulation, simulatedNetwork, primary, versions, commandNanos, watchNanos, conditions.watches());
        this.troubles = new DatabaseTroubles(server);
    }

    /**
     * The store of the engine that runs in this program, for one partition of its namespace.
     *
     * @param driftPpm the engine's maximum drift
     */
    public LeaseStore connect(SimulatedProcess simulatedProcess, Partition partition, long driftPpm) {
        use(partition);
        return new SimulatedStore(server, simulatedProcess, partition, driftPpm, this::newSession);
    }

    /**
     * A driver session for a caller's own transactions.
     *
     * @param simulatedProcess the caller's process
     * @param call on behalf of which call of the history
     * @param meant the tenure that the caller means to assert
     */
    public CallerSession callerSession(SimulatedProcess simulatedProcess, int call, HeldTenure meant) {
        return callerSession(simulatedProcess, call, meant, Visits.NONE);
    }

    /**
     * The same, for callers that are none of this world's threads.
     *
     * @param visits how they come in
     */
    public CallerSession callerSession(SimulatedProcess simulatedProcess, int call, HeldTenure meant, Visits visits) {
        return new CallerSession(server, simulatedProcess, newSession(), call, meant, visits);
    }

    /** The collection of the leases, for assertions in transactions of callers. */
    public static MongoCollection<BsonDocument> leases() {
        return CallerProxies.leases();
    }

    /** Its id tells the order in which clients came. */
    private UUID newSession() {
        clients++;
        return new UUID(0x4000L, 0x8000_0000_0000_0000L | clients);
    }

    /** Those of its first client, where several share it. */
    private void use(Partition ofClient) {
        if (places == null) {
            places = Places.of(ofClient);
            troubles.befall(places);
        }
    }

    private Places placesInUse() {
        if (places == null) {
            throw new IllegalStateException("no engine was connected to the database yet, so it has no namespace");
        }
        return places;
    }

    // ---- what befalls it; nothing of that waits ----

    /** The primary is gone, and another one comes after a while. */
    public void failOver(long durationNanos, boolean losesUnreplicated) {
        troubles.failOver(durationNanos, losesUnreplicated);
    }

    /** A fail-over is over before its time: there is a primary now. */
    public void elect() {
        troubles.elect();
    }

    /** The server ends the transaction that is open in a driver session, if there is one. */
    public void endTransaction(UUID driverSession) {
        server.primary().kill(List.of(driverSession), transaction -> {});
    }

    /** No write reaches a majority for a while. */
    public void lag(long durationNanos) {
        troubles.lag(durationNanos);
    }

    /** A caller dies in the middle of a transaction that asserted whatever tenure the lease has. */
    public void stray(String lease) {
        troubles.stray(lease);
    }

    /** Somebody writes the clock document again and again, and takes his time to commit. */
    public void storm(int times, long holdNanos) {
        troubles.storm(times, holdNanos);
    }

    /** Somebody damages a lease by hand. */
    public void damage(DamageKind kind, String lease) {
        troubles.damage(kind, lease);
    }

    /** There is a primary, no lag, no damage, no storm, and no transaction of somebody who is no more, apart from those that engines can end. */
    public void heal() {
        troubles.heal();
    }

    // ---- what it has ----

    /** The newest version, which counts back when writes are lost. */
    public long version() {
        return server.versions().newest().number();
    }

    /** How many gate stripes show a tenure; 0 for none, and for a tenure that is over. */
    public int stripes(Tenure tenure) {
        Document lease = server.versions().newest().documents().get(tenure.leaseId());
        return lease != null && lease.leaseRow().token() == tenure.token() ? lease.stripes() : 0;
    }

    /** A lease as it is on the primary; null if there is no document. */
    public @Nullable LeaseRow lease(String name) {
        Version newest = server.versions().newest();
        Document lease = newest.documents().get(placesInUse().lease(name, newest));
        return lease == null ? null : lease.leaseRow();
    }
}
