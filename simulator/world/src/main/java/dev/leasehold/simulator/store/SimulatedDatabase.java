package dev.leasehold.simulator.store;

import com.mongodb.client.MongoCollection;
import dev.leasehold.assertions.LeaseIds;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.Partition;
import dev.leasehold.simulator.conditions.DamageKind;
import dev.leasehold.simulator.conditions.DatabaseConditions;
import dev.leasehold.simulator.conditions.SeededRandom;
import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.Event.Author;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.world.SimulatedNetwork;
import dev.leasehold.simulator.world.SimulatedProcess;
import dev.leasehold.simulator.world.Simulation;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/** A replica set with the documents of a namespace in all its partitions, and the faults that befall it. */
public final class SimulatedDatabase {

    private static final long WATCH_NANOS = 500_000_000;
    private static final Author HAND = new Author(Author.Kind.HAND, -1, -1, -1, null, null);
    private static final LeaseCollection CALLERS_COLLECTION = new LeaseCollection(null);
    /** Until one whose transaction could not begin tries again. */
    private static final long RETRY_NANOS = 5_000_000;

    private final Simulation simulation;
    private final SimulatedNetwork network;
    private final Oplog oplog;
    private final Primary primary;
    private final long commandNanos;
    private final long watchNanos;
    private final boolean watches;
    private final LogicalSession hand;
    private final Set<String> damaged = new LinkedHashSet<>();
    private final SortedMap<String, BsonDocument> deletedClocks = new TreeMap<>();
    /** The ids of the partitions; without a client there are no documents that a fault could befall. */
    private List<String> partitions = List.of();

    private int clients;
    private long faultSessions;
    private int storms;
    private boolean down;
    private boolean healed;

    /** One that asks its change streams again as often as the engine's contract says. */
    public SimulatedDatabase(
            Simulation simulation, SimulatedNetwork network, DatabaseConditions conditions, long commandNanos) {
        this(simulation, network, conditions, commandNanos, 0, WATCH_NANOS);
    }

    /**
     * An empty database.
     *
     * @param commandNanos for how long a client waits for an answer
     * @param seed of what is drawn for it
     * @param watchNanos for how long a change stream waits for changes at a time
     */
    public SimulatedDatabase(
            Simulation simulation,
            SimulatedNetwork network,
            DatabaseConditions conditions,
            long commandNanos,
            long seed,
            long watchNanos) {
        this.simulation = simulation;
        this.network = network;
        this.oplog = new Oplog(simulation, conditions, new SeededRandom(seed));
        this.primary = new Primary(simulation, oplog, conditions);
        this.commandNanos = commandNanos;
        this.watchNanos = watchNanos;
        this.watches = conditions.watches();
        this.hand = faultSession(true);
    }

    SimulatedNetwork network() {
        return network;
    }

    Primary primary() {
        return primary;
    }

    long commandNanos() {
        return commandNanos;
    }

    long watchNanos() {
        return watchNanos;
    }

    boolean watches() {
        return watches;
    }

    // ---- clients ----

    /** The store of the engine that runs in this process, for one partition of its namespace. */
    public LeaseStore connect(SimulatedProcess process, Partition partition, long driftPpm) {
        if (partitions.isEmpty()) {
            partitions = partition.idsOfAll();
        }
        return new SimulatedStore(this, process, partition, driftPpm);
    }

    /**
     * A driver session for a caller's own transactions.
     *
     * @param call on behalf of which call of the history
     * @param meant the tenure that the caller means to assert
     */
    public CallerSession callerSession(SimulatedProcess process, int call, HeldTenure meant) {
        return callerSession(process, call, meant, ThreadBoundary.NONE);
    }

    /**
     * The same, for callers on threads that are none of the simulation's.
     *
     * @param boundary how they come in
     */
    public CallerSession callerSession(SimulatedProcess process, int call, HeldTenure meant, ThreadBoundary boundary) {
        return new CallerSession(this, process, newSession(), call, meant, boundary);
    }

    /** The collection of the leases, for assertions in transactions of callers. */
    public static MongoCollection<BsonDocument> leases() {
        return CALLERS_COLLECTION.documents();
    }

    /** Its id tells the order in which sessions came. */
    UUID newSession() {
        clients++;
        return new UUID(0x4000L, 0x8000_0000_0000_0000L | clients);
    }

    // ---- faults; none of these waits ----

    /** The primary is gone, and another one is elected after a while. */
    public void failOver(long durationNanos, boolean losesUnreplicated) {
        if (!down) {
            down = true;
            primary.lose(losesUnreplicated ? oplog.majorityPoint() : oplog.newestPoint());
            oplog.losePrimary(losesUnreplicated);
            network.losePrimary();
            simulation.after(durationNanos, this::elect);
        }
    }

    /** Ends a fail-over before its time. */
    public void elect() {
        if (down) {
            down = false;
            oplog.gainPrimary();
            network.gainPrimary();
        }
    }

    /** The server ends the transaction that is open in a driver session, if there is one. */
    public void endTransaction(UUID driverSession) {
        primary.kill(List.of(driverSession), transaction -> {});
    }

    /** No write reaches a majority for a while. */
    public void lag(long durationNanos) {
        oplog.lagUntil(simulation.nowNanos() + durationNanos);
    }

    /** A caller dies in the middle of a transaction that asserted whatever tenure the lease has. Where the document is locked, it dies before. */
    public void stray(String lease) {
        if (partitions.isEmpty() || down) {
            return;
        }
        LogicalSession session = faultSession(false);
        String id = idOf(lease);
        WriteResult result = begin(session, List.of(inc(stripesOf(id) == 0 ? id : Ids.stripeOf(id, 1), "gates")));
        if (result.kind() == WriteResult.Kind.DONE && result.matched() == 0) {
            primary.end(open(session));
        }
    }

    /** The clock document is written again and again, in transactions that take their time to commit. */
    public void storm(int times, long holdNanos) {
        if (!partitions.isEmpty()) {
            String clock = partitions.get(storms++ % partitions.size());
            storm(faultSession(true), inc(clock, "ticks"), times, holdNanos);
        }
    }

    private void storm(LogicalSession session, Statement write, int times, long holdNanos) {
        if (times == 0 || healed || down) {
            return;
        }
        if (begin(session, List.of(write)).kind() != WriteResult.Kind.DONE) {
            simulation.after(RETRY_NANOS, () -> storm(session, write, times - 1, holdNanos));
            return;
        }
        ServerTransaction transaction = open(session);
        simulation.after(holdNanos, () -> {
            if (session.open() == transaction) {
                primary.commit(transaction, HAND);
            }
            // In between there is room for what has waited.
            simulation.after(1, () -> storm(session, write, times - 1, holdNanos));
        });
    }

    /** A lease is damaged by hand. */
    public void damage(DamageKind kind, String lease) {
        if (partitions.isEmpty()) {
            return;
        }
        String id = idOf(lease);
        if (kind == DamageKind.CORRUPT_LEASE) {
            damaged.add(id);
            writeByHand(new Statement.ByHand(id, Document::damaged));
        } else if (stripesOf(id) == 0) {
            writeByHand(removal(id));
        } else {
            removeWithStripes(faultSession(true), id);
        }
    }

    /** The queue of a lease is damaged by hand, and no engine repairs it. */
    void damageQueue(String lease) {
        BsonDocument id = new BsonDocument("_id", new BsonString(idOf(lease).replaceFirst("#", "&")));
        writeByHand(new Statement.OfUpdate(
                id, new BsonDocument("$set", new BsonDocument("waiters", new BsonString("none"))), false));
    }

    /** A lease is deleted by hand, and the token floor is raised to its token, as the manual says. */
    public void deleteLease(String lease) {
        Document found = document(idOf(lease));
        if (found != null) {
            long token = found.leaseRow().token();
            damage(DamageKind.REMOVE_LEASE, lease);
            partitions.forEach(partition ->
                    writeByHand(new Statement.ByHand(partition, clock -> withTokenFloorOfAtLeast(token, clock))));
        }
    }

    /** All clock documents are deleted by hand. */
    public void deleteClocks() {
        for (String partition : partitions) {
            Document clock = document(partition);
            if (clock != null) {
                deletedClocks.put(partition, clock.bson());
                writeByHand(removal(partition));
            }
        }
    }

    /** Clock documents without writers take the place of the deleted ones, above every token, as the manual says. */
    public void makeClocksAnew() {
        long token = oplog.newest().documents().entrySet().stream()
                .filter(entry -> Ids.isOfLease(entry.getKey()))
                .mapToLong(entry -> entry.getValue().leaseRow().token())
                .max()
                .orElse(0);
        deletedClocks.forEach((partition, deleted) -> {
            BsonDocument anew = withTokenFloorOfAtLeast(token, deleted);
            anew.remove("_id");
            anew.put("writers", new BsonDocument());
            writeByHand(new Statement.OfUpdate(
                    new BsonDocument("_id", new BsonString(partition)), new BsonDocument("$setOnInsert", anew), true));
        });
        deletedClocks.clear();
    }

    private static BsonDocument withTokenFloorOfAtLeast(long token, BsonDocument clock) {
        BsonDocument changed = new BsonDocument();
        changed.putAll(clock);
        changed.put(
                "tokenFloor",
                new BsonInt64(Math.max(token, clock.getInt64("tokenFloor").getValue())));
        return changed;
    }

    /** In a transaction, as the manual says: a stripe that is left behind would let its tenure pass for ever. */
    private void removeWithStripes(LogicalSession session, String id) {
        if (healed || down) {
            return;
        }
        List<Statement> removals = new ArrayList<>();
        for (int stripe = stripesOf(id); stripe > 0; stripe--) {
            removals.add(removal(Ids.stripeOf(id, stripe)));
        }
        removals.add(removal(id));
        if (begin(session, removals).kind() == WriteResult.Kind.DONE) {
            primary.commit(open(session), HAND);
        } else {
            simulation.after(RETRY_NANOS, () -> removeWithStripes(session, id));
        }
    }

    /** There is a primary, no lag, no damage, no storm, and no transaction without a client, apart from those that engines can end. */
    public void heal() {
        healed = true;
        elect();
        oplog.catchUp();
        primary.endAbandoned();
        // Damage that still waits behind a transaction is to be repaired after that.
        damaged.forEach(id -> writeByHand(new Statement.ByHand(id, Document::repaired)));
    }

    /** Puts a document into its place by hand, whatever is there. It need not be sound, apart from what the history shows. */
    public void put(BsonDocument document) {
        writeByHand(new Statement.Put(document));
    }

    /** Changes a document by hand, if it is there. */
    public void edit(String id, UnaryOperator<BsonDocument> change) {
        writeByHand(new Statement.ByHand(id, change));
    }

    private LogicalSession faultSession(boolean endsWhatItBegins) {
        faultSessions++;
        UUID id = new UUID(0x4001L, 0x8000_0000_0000_0000L | faultSessions);
        return primary.session(id, -1, false, number -> endsWhatItBegins);
    }

    private WriteResult begin(LogicalSession session, List<Statement> statements) {
        return primary.write(session, session.number() + 1, 0, statements);
    }

    private static ServerTransaction open(LogicalSession session) {
        return Objects.requireNonNull(session.open());
    }

    /** A write by hand waits for as long as it has to. */
    private void writeByHand(Statement statement) {
        if (!down) {
            long number = hand.number() + 1;
            SingleWrite write = new SingleWrite(List.of(statement), false, Long.MAX_VALUE, Long.MAX_VALUE, HAND);
            hand.execute(() -> primary.write(hand, number, write, false, result -> {}));
        }
    }

    private static Statement inc(String id, String field) {
        BsonDocument one = new BsonDocument("$inc", new BsonDocument(field, new BsonInt64(1)));
        return new Statement.OfUpdate(new BsonDocument("_id", new BsonString(id)), one, false);
    }

    private static Statement removal(String id) {
        return new Statement.OfRemoval(new BsonDocument("_id", new BsonString(id)));
    }

    // ---- what it has ----

    /**
     * The document of a lease, or where the first partition would have it. In which partition engines put it is found by looking, so that
     * faults befall the document that there is, also when engines do not agree where it belongs.
     */
    private String idOf(String lease) {
        return partitions.stream()
                .map(partition -> LeaseIds.leaseId(partition, lease))
                .filter(oplog.newest().documents()::containsKey)
                .findFirst()
                .orElse(LeaseIds.leaseId(partitions.get(0), lease));
    }

    private @Nullable Document document(String id) {
        return oplog.newest().documents().get(id);
    }

    private int stripesOf(String id) {
        Document lease = document(id);
        return lease == null ? 0 : lease.stripes();
    }

    /** The newest version, which counts back when writes are rolled back. */
    public long version() {
        return oplog.newest().number();
    }

    /** How many gate stripes show a tenure; 0 for none, and for a tenure that is over. */
    public int stripes(Tenure tenure) {
        Document lease = document(tenure.leaseId());
        return lease != null && lease.leaseRow().token() == tenure.token() ? lease.stripes() : 0;
    }

    /** A lease as it is on the primary; null if there is no document. */
    public @Nullable LeaseRow lease(String name) {
        if (partitions.isEmpty()) {
            throw new IllegalStateException("no engine was connected to the database yet, so it has no namespace");
        }
        Document lease = document(idOf(name));
        return lease == null ? null : lease.leaseRow();
    }
}
