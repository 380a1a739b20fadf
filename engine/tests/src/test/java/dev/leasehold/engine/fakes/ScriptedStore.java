package dev.leasehold.engine.fakes;

import dev.leasehold.assertions.OccurrenceRecord;
import dev.leasehold.engine.LeaseContentionException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.rules.WriterSights;
import dev.leasehold.engine.internal.store.ClockDocument;
import dev.leasehold.engine.internal.store.ClockStamps;
import dev.leasehold.engine.internal.store.ClockStatement;
import dev.leasehold.engine.internal.store.ClockSurvey;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.GuardedTransaction;
import dev.leasehold.engine.internal.store.IdleTransaction;
import dev.leasehold.engine.internal.store.LeaseChange;
import dev.leasehold.engine.internal.store.LeaseChanges;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.LeaseStore;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.store.Snapshot;
import dev.leasehold.engine.internal.store.StoredLease;
import dev.leasehold.engine.internal.store.StoredQueue;
import dev.leasehold.engine.internal.store.Waiter;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriterEntry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store in memory that keeps the guards, and in which single answers can be scripted: what was scripted comes first, in
 * its order, and everything after it behaves. It writes down what it was asked.
 */
public final class ScriptedStore implements LeaseStore {

    /** What becomes of one transaction. */
    public interface CommitScript {
        WriteOutcome run(GuardedTransaction transaction, BooleanSupplier mayCommit);
    }

    /** What becomes of single writes of leases. */
    public interface LeaseWritesScript {
        WriteOutcome run(List<? extends LeaseWrite.Alone> writes);
    }

    private final Map<String, StoredLease> leases = new TreeMap<>();
    private final Map<String, List<Waiter>> queues = new HashMap<>();
    private final Map<String, WriterEntry> writers = new TreeMap<>();
    private long ticks;
    private long tokenFloor;

    private final Deque<CommitScript> commitScripts = new ArrayDeque<>();
    private final Deque<Supplier<WriteOutcome>> commitAgainScripts = new ArrayDeque<>();
    private final Deque<Supplier<WriteOutcome>> clockWriteScripts = new ArrayDeque<>();
    private final Deque<LeaseWritesScript> leaseWritesScripts = new ArrayDeque<>();
    private final Deque<Runnable> readScripts = new ArrayDeque<>();
    private Runnable openScript = () -> {};

    private final Map<UUID, LongSupplier> rests = new LinkedHashMap<>();
    private final Map<UUID, Long> activeNanos = new HashMap<>();
    private Runnable idleScript = () -> {};
    private Runnable endScript = () -> {};
    private final List<UUID> ended = new ArrayList<>();

    private final ScriptedChanges changes = new ScriptedChanges();
    private final List<List<LeaseWrite.Replace>> leaseWrites = new ArrayList<>();
    private final List<GuardedTransaction> commits = new ArrayList<>();
    private final List<ClockWrite> clockWrites = new ArrayList<>();
    private final List<Set<String>> reads = new ArrayList<>();
    private int opens;
    private int pages;
    private int surveys;
    private int looks;
    private final Deque<Runnable> lookScripts = new ArrayDeque<>();
    private int commitsAgain;
    private int closes;

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

    /** Before transactions are ended this happens. */
    public void onEndTransactions(Runnable script) {
        endScript = script;
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
        leases.put(document.name(), new StoredLease.Sound(document));
    }

    public void put(StoredLease lease) {
        leases.put(lease.name(), lease);
    }

    public void put(WriterEntry entry) {
        writers.put(entry.writer(), entry);
    }

    /** A transaction that is open and rests for as long as this says at each listing. */
    public void rests(UUID driverSession, LongSupplier inactiveNanos) {
        rests.put(driverSession, inactiveNanos);
    }

    /** A command comes to such a transaction. */
    public void isActive(UUID driverSession) {
        activeNanos.merge(driverSession, 1_000L, Long::sum);
    }

    /** As if another engine had written the clock document. */
    public void tick() {
        ticks++;
    }

    public void removeWriter(String writer) {
        writers.remove(writer);
    }

    public void tokenFloor(long floor) {
        tokenFloor = floor;
    }

    public long tokenFloor() {
        return tokenFloor;
    }

    public long ticks() {
        return ticks;
    }

    /** The entry of a writer, which must be there and sound. */
    public WriterEntry.Sound entry(String writer) {
        return (WriterEntry.Sound) Objects.requireNonNull(writers.get(writer), writer);
    }

    public Set<String> writerNames() {
        return Set.copyOf(writers.keySet());
    }

    /** The document of a lease, which must be there and sound. */
    public LeaseDocument document(String name) {
        return ((StoredLease.Sound) lease(name)).document();
    }

    public boolean has(String name) {
        return leases.containsKey(name);
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
    }

    @Override
    public UUID driverSession() {
        return new UUID(1, 2);
    }

    @Override
    public Snapshot read(Set<String> names, String writer) {
        reads.add(Set.copyOf(names));
        runNextReadScript();
        Map<String, StoredQueue> read = new HashMap<>();
        names.forEach(name -> read.put(name, new StoredQueue(name, queues.getOrDefault(name, List.of()), null)));
        return new Snapshot(names.stream().map(this::lease).toList(), read, clock());
    }

    @Override
    public Page page(@Nullable String belowId, int limit, String writer) {
        pages++;
        runNextReadScript();
        List<StoredLease> all = new ArrayList<>(leases.values());
        all.sort((one, other) -> other.name().compareTo(one.name()));
        List<StoredLease> rest = all.stream()
                .filter(lease -> belowId == null || lease.name().compareTo(belowId) < 0)
                .toList();
        List<StoredLease> page = rest.stream().limit(limit).toList();
        return new Page(
                new Snapshot(page, clock()),
                page.size() < rest.size() ? page.get(limit - 1).name() : null);
    }

    /** No test of it records an occurrence. */
    @Override
    public @Nullable OccurrenceRecord occurrence(String lease, String occurrence) {
        runNextReadScript();
        return null;
    }

    @Override
    public List<OccurrenceRecord> occurrences(String lease, int limit) {
        runNextReadScript();
        return List.of();
    }

    @Override
    public void forgetOccurrence(String lease, String occurrence) {
        runNextReadScript();
    }

    @Override
    public Removal removeOldOccurrences(@Nullable String belowId, int limit, long retentionNanos) {
        return new Removal(0, null);
    }

    @Override
    public QueuePage queues(@Nullable String belowId, int limit) {
        return new QueuePage(List.of(), null);
    }

    @Override
    public Removal tidyQueues(@Nullable String belowId, int limit) {
        return new Removal(0, null);
    }

    @Override
    public ClockSurvey survey() {
        surveys++;
        runNextReadScript();
        return new ClockSurvey(clock(), 100L + 50L * writers.size(), Map.of());
    }

    @Override
    public ClockStamps stamps(String writer) {
        looks++;
        Runnable script = lookScripts.poll();
        if (script != null) {
            script.run();
        }
        ClockDocument all = clock();
        return new ClockStamps(all, WriterSights.stampsNanos(all.writers().values()));
    }

    @Override
    public WriteOutcome commit(GuardedTransaction transaction, BooleanSupplier mayCommit) {
        commits.add(transaction);
        CommitScript script = commitScripts.poll();
        return script == null ? apply(transaction, mayCommit) : script.run(transaction, mayCommit);
    }

    /** A transaction as it should be. */
    public WriteOutcome apply(GuardedTransaction transaction, BooleanSupplier mayCommit) {
        boolean guarded =
                matches(transaction.clock()) && transaction.writes().stream().allMatch(this::matches);
        if (!guarded) {
            return WriteOutcome.MISSED;
        }
        if (!mayCommit.getAsBoolean()) {
            return WriteOutcome.WITHHELD;
        }
        land(transaction);
        return WriteOutcome.APPLIED;
    }

    @Override
    public WriteOutcome commitAgain() {
        commitsAgain++;
        if (commitAgainScripts.isEmpty()) {
            throw new AssertionError("a commit was repeated whose outcome was known");
        }
        return commitAgainScripts.remove().get();
    }

    @Override
    public WriteOutcome writeClock(ClockWrite write) {
        clockWrites.add(write);
        Supplier<WriteOutcome> script = clockWriteScripts.poll();
        return script == null ? applyClock(write) : script.get();
    }

    /** A write of the clock document as it should be. */
    public WriteOutcome applyClock(ClockWrite write) {
        WriterEntry entry = writers.get(write.writer());
        if (write instanceof ClockWrite.Register register) {
            if (entry != null) {
                return WriteOutcome.MISSED;
            }
            put(new WriterEntry.Sound(
                    register.writer(), register.timeNanos(), null, register.sessionNanos(), register.driverSession()));
        } else if (write instanceof ClockWrite.Join join) {
            if (!mayAcknowledge(entry, join.acknowledgedNanos(), join.stampNanos())) {
                return WriteOutcome.MISSED;
            }
            acknowledge((WriterEntry.Sound) entry, join.stampNanos(), join.sessionNanos());
        } else if (write instanceof ClockWrite.Heartbeat heartbeat) {
            if (!mayAcknowledge(entry, heartbeat.acknowledgedNanos(), heartbeat.stampNanos())) {
                return WriteOutcome.MISSED;
            }
            WriterEntry.Sound sound = (WriterEntry.Sound) entry;
            acknowledge(sound, heartbeat.stampNanos(), sound.sessionNanos());
        } else if (write instanceof ClockWrite.Leave leave) {
            if (entry == null) {
                return WriteOutcome.MISSED;
            }
            removeWriter(leave.writer());
        } else if (write instanceof ClockWrite.Evict evict) {
            if (!(entry instanceof WriterEntry.Sound sound) || sound.timeNanos() != evict.timeNanos()) {
                return WriteOutcome.MISSED;
            }
            removeWriter(evict.writer());
        } else if (write instanceof ClockWrite.Prune prune) {
            if (!(entry instanceof WriterEntry.Sound sound) || sound.timeNanos() != prune.timeNanos()) {
                return WriteOutcome.MISSED;
            }
            removeWriter(prune.writer());
        } else if (write instanceof ClockWrite.Clear clear) {
            if (!areAt(clear.prunings()) || !areAt(clear.evictions())) {
                return WriteOutcome.MISSED;
            }
            clear.writers().forEach(this::removeWriter);
        } else if (write instanceof ClockWrite.Unlist && entry instanceof WriterEntry.Sound sound) {
            put(new WriterEntry.Sound(
                    sound.writer(), sound.timeNanos(), sound.transactionNanos(), sound.sessionNanos(), null));
        }
        ticks++;
        return WriteOutcome.APPLIED;
    }

    private boolean areAt(Map<String, Long> times) {
        return times.entrySet().stream()
                .allMatch(each -> writers.get(each.getKey()) instanceof WriterEntry.Sound sound
                        && sound.timeNanos() == each.getValue());
    }

    private static boolean mayAcknowledge(@Nullable WriterEntry entry, long acknowledgedNanos, long stampNanos) {
        return entry instanceof WriterEntry.Sound sound
                && sound.timeNanos() >= acknowledgedNanos
                && sound.timeNanos() < stampNanos;
    }

    private void acknowledge(WriterEntry.Sound entry, long stampNanos, @Nullable Long sessionNanos) {
        put(new WriterEntry.Sound(
                entry.writer(), stampNanos, entry.transactionNanos(), sessionNanos, entry.driverSession()));
    }

    @Override
    public WriteOutcome writeLeases(String writer, List<? extends LeaseWrite.Alone> writes) {
        List<LeaseWrite.Replace> ofLeases = ofLeases(writes);
        if (ofLeases.isEmpty() && !writes.isEmpty()) {
            return applyAlone(writes);
        }
        leaseWrites.add(ofLeases);
        LeaseWritesScript script = leaseWritesScripts.poll();
        return script == null ? applyAlone(writes) : script.run(writes);
    }

    private static List<LeaseWrite.Replace> ofLeases(List<? extends LeaseWrite.Alone> writes) {
        return writes.stream()
                .filter(write -> write instanceof LeaseWrite.Replace)
                .map(write -> (LeaseWrite.Replace) write)
                .toList();
    }

    private void land(LeaseWrite.OfQueue write) {
        List<Waiter> waiters = queues.computeIfAbsent(write.name(), name -> new ArrayList<>());
        if (write instanceof LeaseWrite.Enqueue enqueue) {
            waiters.add(enqueue.waiter());
        } else if (write instanceof LeaseWrite.Withdraw withdraw) {
            waiters.removeIf(waiter -> waiter.writer().equals(withdraw.writer())
                    && withdraw.stampsNanos().contains(waiter.stampNanos()));
        } else if (write instanceof LeaseWrite.DropAbsent drop) {
            waiters.removeIf(waiter -> drop.writers().contains(waiter.writer()));
        }
    }

    /** Single writes as they should be: a guard that does not hold stops none of the others. */
    public WriteOutcome applyAlone(List<? extends LeaseWrite.Alone> writes) {
        for (LeaseWrite.Alone write : writes) {
            LeaseWrite.OfQueue ofQueue =
                    write instanceof LeaseWrite.Replace replace ? replace.withdrawn() : (LeaseWrite.OfQueue) write;
            if (ofQueue != null) {
                land(ofQueue);
            }
        }
        List<LeaseWrite.Replace> ofLeases = ofLeases(writes);
        List<LeaseWrite.Replace> guarded =
                ofLeases.stream().filter(this::matches).toList();
        guarded.forEach(this::land);
        return guarded.size() == ofLeases.size() ? WriteOutcome.APPLIED : WriteOutcome.MISSED;
    }

    @Override
    public LeaseChanges changes(boolean observing) {
        return changes;
    }

    /** Hands a change out to whoever watches. */
    public void changed(LeaseChange change) {
        changes.pending.add(change);
    }

    /** Changes as the test tells them. */
    private static final class ScriptedChanges implements LeaseChanges {
        private final Deque<LeaseChange> pending = new ArrayDeque<>();

        @Override
        public List<LeaseChange> await() {
            List<LeaseChange> all = List.copyOf(pending);
            pending.clear();
            return all;
        }

        @Override
        public void close() {
            pending.clear();
        }
    }

    @Override
    public List<IdleTransaction> idleTransactions() {
        idleScript.run();
        return rests.entrySet().stream()
                .map(each -> new IdleTransaction(
                        each.getKey(),
                        1,
                        activeNanos.getOrDefault(each.getKey(), 0L),
                        each.getValue().getAsLong()))
                .toList();
    }

    @Override
    public void endTransactions(Collection<UUID> driverSessions) {
        endScript.run();
        ended.addAll(driverSessions);
        rests.keySet().removeAll(driverSessions);
    }

    @Override
    public void close() {
        closes++;
    }

    private void runNextReadScript() {
        Runnable script = readScripts.poll();
        if (script != null) {
            script.run();
        }
    }

    private StoredLease lease(String name) {
        return leases.getOrDefault(name, new StoredLease.Absent(name));
    }

    private ClockDocument clock() {
        return new ClockDocument(ticks, tokenFloor, writers);
    }

    private boolean matches(ClockStatement statement) {
        return writers.get(statement.writer()) instanceof WriterEntry.Sound entry
                && entry.timeNanos() >= statement.acknowledgedNanos()
                && entry.timeNanos() < statement.stampNanos()
                && (statement.tokenFloor() == null || statement.tokenFloor() == tokenFloor)
                && statement.absentWriters().stream().noneMatch(writers::containsKey)
                && statement.evictedWriters().entrySet().stream().allMatch(this::mayEvict);
    }

    private boolean mayEvict(Map.Entry<String, Long> evicted) {
        return writers.get(evicted.getKey()) instanceof WriterEntry.Sound entry
                && entry.timeNanos() == evicted.getValue();
    }

    private boolean matches(LeaseWrite write) {
        if (write instanceof LeaseWrite.Insert insert) {
            return !leases.containsKey(insert.name());
        }
        return lease(write.name()) instanceof StoredLease.Sound sound && matches(write, sound.document());
    }

    private static boolean matches(LeaseWrite write, LeaseDocument document) {
        if (write instanceof LeaseWrite.Replace replace) {
            return document.guard().equals(replace.guard())
                    && !(replace.unlessPinned() && !document.pins().isEmpty());
        }
        if (write instanceof LeaseWrite.Remove remove) {
            return document.guard().equals(remove.guard()) && document.pins().isEmpty();
        }
        return document.guard().equals(((LeaseWrite.Pin) write).guard());
    }

    private void land(GuardedTransaction transaction) {
        ClockStatement statement = transaction.clock();
        WriterEntry.Sound entry = (WriterEntry.Sound) writers.get(statement.writer());
        put(new WriterEntry.Sound(
                entry.writer(),
                statement.stampNanos(),
                statement.stampNanos(),
                entry.sessionNanos(),
                entry.driverSession()));
        ticks++;
        if (statement.raiseTokenFloorTo() != null) {
            tokenFloor = Math.max(tokenFloor, statement.raiseTokenFloorTo());
        }
        statement.evictedWriters().keySet().forEach(this::removeWriter);
        transaction.writes().forEach(this::land);
    }

    private void land(LeaseWrite write) {
        if (write instanceof LeaseWrite.Insert insert) {
            put(insert.document());
        } else if (write instanceof LeaseWrite.Replace replace) {
            put(withPins(replace.document(), document(write.name()).pins()));
        } else if (write instanceof LeaseWrite.Pin pin) {
            Set<String> pins = new HashSet<>(document(pin.name()).pins());
            if (pin.pinned()) {
                pins.add(pin.entity());
            } else {
                pins.remove(pin.entity());
            }
            put(withPins(document(pin.name()), pins));
        } else {
            leases.remove(write.name());
        }
    }

    private static LeaseDocument withPins(LeaseDocument document, Set<String> pins) {
        return new LeaseDocument(
                document.namespace(),
                document.name(),
                document.holder(),
                document.token(),
                document.writer(),
                document.writtenNanos(),
                document.expiryNanos(),
                document.gates(),
                document.comment(),
                document.since(),
                pins,
                0,
                null);
    }
}
