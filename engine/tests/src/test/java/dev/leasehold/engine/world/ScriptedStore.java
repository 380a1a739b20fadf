package dev.leasehold.engine.world;

import dev.leasehold.assertions.OccurrenceRecord;
import dev.leasehold.engine.LeaseContentionException;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.store.ClockDocument;
import dev.leasehold.engine.internal.store.ClockStamps;
import dev.leasehold.engine.internal.store.ClockSurvey;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.ForwardingStore;
import dev.leasehold.engine.internal.store.GuardedTransaction;
import dev.leasehold.engine.internal.store.IdleTransaction;
import dev.leasehold.engine.internal.store.LeaseChanges;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.store.Partition;
import dev.leasehold.engine.internal.store.Snapshot;
import dev.leasehold.engine.internal.store.StoredLease;
import dev.leasehold.engine.internal.store.Waiter;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriterEntry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.bson.BsonInt64;
import org.jspecify.annotations.Nullable;

/**
 * The engine's store on a simulated database, in which single answers can be scripted: what was scripted comes first, in its
 * order, and everything after it is as the database answers. It writes down what it was asked.
 *
 * <p>Changes and open transactions are those that the test tells, since a step never waits.
 */
public final class ScriptedStore extends ForwardingStore {

    /** What becomes of one transaction. */
    public interface CommitScript {
        WriteOutcome run(GuardedTransaction transaction, BooleanSupplier mayCommit);
    }

    /** What becomes of single writes of leases. */
    public interface LeaseWritesScript {
        WriteOutcome run(List<? extends LeaseWrite.Alone> writes);
    }

    /** What becomes of the next writes of leases, in whichever way they are sent. */
    public interface WriteScript {
        WriteOutcome run(Write write);
    }

    /** A write as it should be. */
    public interface Write {
        WriteOutcome send();
    }

    private final SteppedDatabase database;
    /** Looks at the database for the test. */
    private final LeaseStore observer;

    private String lastWriter = "";

    private final Deque<CommitScript> commitScripts = new ArrayDeque<>();
    private final Deque<Supplier<WriteOutcome>> commitAgainScripts = new ArrayDeque<>();
    private final Deque<Supplier<WriteOutcome>> clockWriteScripts = new ArrayDeque<>();
    private final Deque<LeaseWritesScript> leaseWritesScripts = new ArrayDeque<>();
    private final Deque<Runnable> readScripts = new ArrayDeque<>();
    private final Deque<WriteScript> writeScripts = new ArrayDeque<>();
    private Runnable openScript = () -> {};
    private @Nullable LeaseException outage;
    /** Whether the outcome of the last transaction was not told, and whether it has landed. */
    private boolean commitOpen;

    private boolean landed;

    private final Map<UUID, LongSupplier> rests = new LinkedHashMap<>();
    private Runnable idleScript = () -> {};
    private Runnable removedScript = () -> {};
    private final List<UUID> ended = new ArrayList<>();

    private final ScriptedChanges changes = new ScriptedChanges();
    private final List<List<LeaseWrite.Replace>> leaseWrites = new ArrayList<>();
    private final List<GuardedTransaction> commits = new ArrayList<>();
    private final List<ClockWrite> clockWrites = new ArrayList<>();
    private final List<Set<String>> reads = new ArrayList<>();
    private final List<Integer> tidied = new ArrayList<>();
    private int opens;
    private int pages;
    private int surveys;
    private int looks;
    private final Deque<Runnable> lookScripts = new ArrayDeque<>();
    private int commitsAgain;
    private int closes;

    public ScriptedStore() {
        this(Partition.whole("billing"));
    }

    public ScriptedStore(Partition partition) {
        this(new SteppedDatabase(partition));
    }

    private ScriptedStore(SteppedDatabase database) {
        super(database.connect());
        this.database = database;
        observer = database.connect();
        observer.open();
    }

    // ---- the script ----

    /** The next transactions end like this. */
    public void onCommit(CommitScript... scripts) {
        commitScripts.addAll(List.of(scripts));
    }

    @SafeVarargs
    @SuppressWarnings("varargs")
    public final void onCommitAgain(Supplier<WriteOutcome>... scripts) {
        commitAgainScripts.addAll(List.of(scripts));
    }

    @SafeVarargs
    @SuppressWarnings("varargs")
    public final void onClockWrite(Supplier<WriteOutcome>... scripts) {
        clockWriteScripts.addAll(List.of(scripts));
    }

    /** The next single writes of leases end like this. */
    public void onLeaseWrites(LeaseWritesScript... scripts) {
        leaseWritesScripts.addAll(List.of(scripts));
    }

    /** The next writes of leases, alone or in a transaction, end like this. */
    public void onWrite(WriteScript... scripts) {
        writeScripts.addAll(List.of(scripts));
    }

    /** From now on reads and writes of leases end as they should. */
    public void forgetScripts() {
        readScripts.clear();
        writeScripts.clear();
    }

    /** From now on each call fails so, and writes nothing. */
    public void fail(LeaseException failure) {
        outage = failure;
    }

    /** From now on none does. */
    public void failNoMore() {
        outage = null;
    }

    private void throwIfOut() {
        LeaseException failure = outage;
        if (failure != null) {
            throw failure;
        }
    }

    /** From now on writes of the clock document end as they should. */
    public void forgetClockWriteScripts() {
        clockWriteScripts.clear();
    }

    /** Before the next reads this happens; it may throw. */
    public void onRead(Runnable... scripts) {
        readScripts.addAll(List.of(scripts));
    }

    /** The next reads of all writers' stamps, which no other read is: an engine looks at them from time to time. */
    public void onLook(Runnable... scripts) {
        lookScripts.addAll(List.of(scripts));
    }

    public void onOpen(Runnable script) {
        openScript = script;
    }

    /** Before idle transactions are listed this happens; it may throw. */
    public void onIdleTransactions(Runnable script) {
        idleScript = script;
    }

    /** Behind the removal of a record, before its answer. */
    public void onRecordRemoved(Runnable script) {
        removedScript = script;
    }

    /** What happens before a read or a listing: it fails so. */
    public static Runnable failing(Throwable failure) {
        return () -> Thrown.asItIs(failure);
    }

    public static WriteOutcome conflict() {
        return WriteOutcome.conflict(new LeaseContentionException("scripted conflict", null));
    }

    /** The server's answer while another's transaction is open on one of the leases. */
    public static WriteOutcome leaseConflict(GuardedTransaction transaction) {
        return transaction.clockApart()
                ? WriteOutcome.leaseConflict(new LeaseContentionException("scripted conflict on a lease", null))
                : conflict();
    }

    public static WriteOutcome unavailable() {
        return WriteOutcome.unavailable(new LeaseUnavailableException("scripted outage", null));
    }

    public static WriteOutcome unknown() {
        return WriteOutcome.unknown(new LeaseUnavailableException("scripted loss of the answer", null));
    }

    /** The commit was sent, and its answer never came. */
    public static WriteOutcome sentInVain(GuardedTransaction transaction, BooleanSupplier mayCommit) {
        return mayCommit.getAsBoolean() ? unknown() : WriteOutcome.WITHHELD;
    }

    /** The commit landed, and its answer never came. */
    public WriteOutcome landUnheard(GuardedTransaction transaction, BooleanSupplier mayCommit) {
        return apply(transaction, mayCommit).verdict() == WriteOutcome.Verdict.APPLIED
                ? unknown()
                : WriteOutcome.WITHHELD;
    }

    // ---- what is stored ----

    public void put(LeaseDocument document) {
        put(new StoredLease.Sound(document));
    }

    public void put(StoredLease lease) {
        database.put(lease);
    }

    public void put(OccurrenceRecord record) {
        database.put(record);
    }

    public void put(WriterEntry entry) {
        database.put(entry);
    }

    /** As if the ticket's engine had sent it. */
    public void enqueue(String lease, Waiter ticket) {
        observer.writeLeases(ticket.writer(), List.of(new LeaseWrite.Enqueue(lease, ticket)));
    }

    /** A transaction that is open and rests for as long as this says at each listing. */
    public void rests(UUID driverSession, LongSupplier inactiveNanos) {
        rests.put(driverSession, inactiveNanos);
    }

    /** As if another engine had written the clock document. */
    public void tick() {
        database.editClock(clock -> clock.put("ticks", new BsonInt64(ticks() + 1)));
    }

    public void removeWriter(String writer) {
        database.editClock(clock -> clock.getDocument("writers").remove(writer));
    }

    public void tokenFloor(long floor) {
        database.editClock(clock -> clock.put("tokenFloor", new BsonInt64(floor)));
    }

    public long tokenFloor() {
        return clock().tokenFloor();
    }

    public long ticks() {
        return clock().ticks();
    }

    private ClockDocument clock() {
        return observer.survey().clock();
    }

    /** The entry of a writer, which must be there and sound. */
    public WriterEntry.Sound entry(String writer) {
        return (WriterEntry.Sound) Objects.requireNonNull(clock().writers().get(writer), writer);
    }

    public Set<String> writerNames() {
        return Set.copyOf(clock().writers().keySet());
    }

    private StoredLease lease(String name) {
        return observer.read(Set.of(name), "absent").leases().get(0);
    }

    /** The document of a lease, which must be there and sound. */
    public LeaseDocument document(String name) {
        return ((StoredLease.Sound) lease(name)).document();
    }

    public boolean has(String name) {
        return !(lease(name) instanceof StoredLease.Absent);
    }

    // ---- what was asked ----

    public List<GuardedTransaction> commits() {
        return commits;
    }

    /** Single writes of leases, those of one command together. */
    public List<List<LeaseWrite.Replace>> leaseWrites() {
        return leaseWrites;
    }

    public List<ClockWrite> clockWrites() {
        return clockWrites;
    }

    public List<Set<String>> reads() {
        return reads;
    }

    /** How many empty queues each tidying has removed. */
    public List<Integer> tidied() {
        return tidied;
    }

    /** The driver sessions whose transactions were ended. */
    public List<UUID> ended() {
        return ended;
    }

    public int commitsAgain() {
        return commitsAgain;
    }

    public int closes() {
        return closes;
    }

    /** All calls but opening and closing. */
    public int calls() {
        return commits.size() + leaseWrites.size() + clockWrites.size() + reads.size() + pages + commitsAgain;
    }

    public int looks() {
        return looks;
    }

    public int surveys() {
        return surveys;
    }

    public int opens() {
        return opens;
    }

    // ---- the store ----

    @Override
    public void open() {
        opens++;
        openScript.run();
        super.open();
    }

    @Override
    public Snapshot read(Set<String> names, String writer) {
        reads.add(Set.copyOf(names));
        runNextReadScript();
        return super.read(names, writer);
    }

    @Override
    public Page page(@Nullable String belowId, int limit, String writer) {
        pages++;
        runNextReadScript();
        return super.page(belowId, limit, writer);
    }

    @Override
    public @Nullable OccurrenceRecord occurrence(String lease, String occurrence) {
        runNextReadScript();
        return super.occurrence(lease, occurrence);
    }

    @Override
    public List<OccurrenceRecord> occurrences(String lease, int limit) {
        runNextReadScript();
        return super.occurrences(lease, limit);
    }

    @Override
    public boolean forgetOccurrence(OccurrenceRecord record) {
        runNextReadScript();
        boolean removed = super.forgetOccurrence(record);
        removedScript.run();
        return removed;
    }

    @Override
    public Removal tidyQueues(@Nullable String belowId, int limit) {
        Removal removal = super.tidyQueues(belowId, limit);
        tidied.add(removal.removed());
        return removal;
    }

    @Override
    public ClockSurvey survey() {
        surveys++;
        runNextReadScript();
        return super.survey();
    }

    @Override
    public ClockStamps stamps(String writer) {
        looks++;
        throwIfOut();
        Runnable script = lookScripts.poll();
        if (script != null) {
            script.run();
        }
        return super.stamps(writer);
    }

    @Override
    public WriteOutcome commit(GuardedTransaction transaction, BooleanSupplier mayCommit) {
        commits.add(transaction);
        CommitScript script = commitScripts.poll();
        if (script != null) {
            return script.run(transaction, mayCommit);
        }
        landed = false;
        AtomicReference<@Nullable Boolean> allowed = new AtomicReference<>();
        // A commit is allowed once.
        BooleanSupplier once = () -> Objects.requireNonNull(
                allowed.updateAndGet(before -> before == null ? Boolean.valueOf(mayCommit.getAsBoolean()) : before));
        WriteOutcome outcome = write(
                () -> {
                    WriteOutcome applied = apply(transaction, once);
                    landed = applied.verdict() == WriteOutcome.Verdict.APPLIED;
                    return applied;
                },
                once);
        commitOpen = outcome.verdict() == WriteOutcome.Verdict.UNKNOWN;
        return outcome;
    }

    /** A write of leases, as it is scripted or as it should be. */
    private WriteOutcome write(Write write, BooleanSupplier mayCommit) {
        WriteScript script = writeScripts.poll();
        return orOutage(() -> {
            WriteOutcome outcome = script == null ? write.send() : script.run(write);
            // What may have landed was sent.
            return outcome.verdict() != WriteOutcome.Verdict.UNKNOWN || mayCommit.getAsBoolean()
                    ? outcome
                    : WriteOutcome.WITHHELD;
        });
    }

    private WriteOutcome orOutage(Supplier<WriteOutcome> write) {
        try {
            throwIfOut();
            return write.get();
        } catch (LeaseUnavailableException e) {
            return WriteOutcome.unavailable(e);
        } catch (LeaseException e) {
            return WriteOutcome.failed(e);
        }
    }

    /** A transaction as it should be. */
    public WriteOutcome apply(GuardedTransaction transaction, BooleanSupplier mayCommit) {
        return super.commit(transaction, mayCommit);
    }

    @Override
    public WriteOutcome commitAgain() {
        commitsAgain++;
        if (commitAgainScripts.isEmpty() && commitOpen) {
            return orOutage(() -> landed ? WriteOutcome.APPLIED : unavailable());
        }
        if (commitAgainScripts.isEmpty()) {
            throw new AssertionError("a commit was repeated whose outcome was known");
        }
        return commitAgainScripts.remove().get();
    }

    @Override
    public WriteOutcome writeClock(ClockWrite write) {
        clockWrites.add(write);
        Supplier<WriteOutcome> script = clockWriteScripts.poll();
        return script == null ? orOutage(() -> applyClock(write)) : script.get();
    }

    /** A write of the clock document as it should be. */
    public WriteOutcome applyClock(ClockWrite write) {
        return super.writeClock(write);
    }

    @Override
    public WriteOutcome writeLeases(String writer, List<? extends LeaseWrite.Alone> writes) {
        lastWriter = writer;
        List<LeaseWrite.Replace> ofLeases = ofLeases(writes);
        if (ofLeases.isEmpty() && !writes.isEmpty()) {
            return orOutage(() -> applyAlone(writes));
        }
        leaseWrites.add(ofLeases);
        LeaseWritesScript script = leaseWritesScripts.poll();
        return script == null ? write(() -> applyAlone(writes), () -> true) : script.run(writes);
    }

    private static List<LeaseWrite.Replace> ofLeases(List<? extends LeaseWrite.Alone> writes) {
        return writes.stream()
                .filter(write -> write instanceof LeaseWrite.Replace)
                .map(write -> (LeaseWrite.Replace) write)
                .toList();
    }

    /** Single writes that landed, and whose answer never came. */
    public WriteOutcome landAloneUnheard(List<? extends LeaseWrite.Alone> writes) {
        applyAlone(writes);
        return unknown();
    }

    /** Single writes as they should be: a guard that does not hold stops none of the others. */
    public WriteOutcome applyAlone(List<? extends LeaseWrite.Alone> writes) {
        return writes.isEmpty() ? WriteOutcome.APPLIED : super.writeLeases(lastWriter, writes);
    }

    @Override
    public LeaseChanges changes(boolean observing) {
        return changes.open(observing);
    }

    /** The stream of changes, as the test fills it. */
    public ScriptedChanges stream() {
        return changes;
    }

    @Override
    public List<IdleTransaction> idleTransactions() {
        idleScript.run();
        return rests.entrySet().stream()
                .map(each ->
                        new IdleTransaction(each.getKey(), 1, 0, each.getValue().getAsLong()))
                .toList();
    }

    @Override
    public void endTransactions(Collection<UUID> driverSessions) {
        ended.addAll(driverSessions);
        rests.keySet().removeAll(driverSessions);
    }

    @Override
    public void close() {
        closes++;
        super.close();
    }

    private void runNextReadScript() {
        throwIfOut();
        Runnable script = readScripts.poll();
        if (script != null) {
            script.run();
        }
    }
}
