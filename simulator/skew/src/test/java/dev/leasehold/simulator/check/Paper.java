package dev.leasehold.simulator.check;

import dev.leasehold.simulator.clock.Machine;
import dev.leasehold.simulator.clock.MachineClock;
import dev.leasehold.simulator.conditions.DatabaseConditions;
import dev.leasehold.simulator.conditions.NetworkConditions;
import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Change;
import dev.leasehold.simulator.history.Change.ClockRow;
import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.Change.WriterRow;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Event.Author;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Operation;
import dev.leasehold.simulator.history.Operation.Kind;
import dev.leasehold.simulator.history.WriterName;
import dev.leasehold.simulator.plan.Action;
import dev.leasehold.simulator.plan.Command;
import dev.leasehold.simulator.plan.History;
import dev.leasehold.simulator.plan.Plan;
import dev.leasehold.simulator.plan.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A history made by hand: it says what happens, one thing after the other, and keeps the documents as they would be. Three machines
 * run engines from the beginning on; the last one is the observer.
 */
final class Paper {

    static final long S = 1_000_000_000;
    static final long SESSION = 10 * S;
    static final String LEASE = "lease-0";

    /** No round number, and in a year of its own. */
    private static final long WALL = 3_255_759_600_000_000_007L;

    private final boolean inside;
    private NetworkConditions network = NetworkConditions.PERFECT;
    private final List<MachineClock> clocks = new ArrayList<>();
    private final List<Machine> machines = new ArrayList<>();
    private final List<Event> events = new ArrayList<>();
    private final List<Command> commands = new ArrayList<>();
    private @Nullable Long threadLateNanos;
    private long closeNanos = 2 * S;
    private final int[] incarnations = new int[3];
    private final int[] writerNumbers = new int[3];
    private final long[] startedNanos = new long[3];
    private final long[] writtenNanos = new long[3];
    private final Map<String, LeaseRow> leases = new TreeMap<>();
    private SortedMap<String, WriterRow> writers = new TreeMap<>();
    private boolean replicates = true;
    private long tokenFloor;
    private long nowNanos;
    private long version;
    private int calls;

    Paper() {
        this(true, 0, 0, 0);
    }

    /** Clocks that run at these rates, in parts of a billion beside true time. */
    Paper(boolean inside, long... ppb) {
        this.inside = inside;
        for (int i = 0; i < 3; i++) {
            machines.add(new Machine(i * 1000L - 5, WALL + i * S, 1, List.of(new Machine.Rate(0, ppb[i]))));
            clocks.add(new MachineClock(machines.get(i)));
            tell(new Event.Started(0, i, 0, clocks.get(i).wallNanos(0)));
        }
    }

    // ---- time and machines ----

    Paper at(long trueNanos) {
        nowNanos = trueNanos;
        return this;
    }

    /** What the clock of a machine's engine shows now. */
    long stamp(int machine) {
        return clocks.get(machine).wallNanos(startedNanos[machine])
                + clocks.get(machine).elapsedNanos(startedNanos[machine], nowNanos);
    }

    /** The same for a write, of which no two have the same. */
    private long written(int machine) {
        writtenNanos[machine] = Math.max(stamp(machine), writtenNanos[machine] + 1);
        return writtenNanos[machine];
    }

    Paper tell(Event event) {
        events.add(event);
        return this;
    }

    Paper fault(int machine, String name, long lengthNanos) {
        return tell(new Event.Fault(nowNanos, machine, name, nowNanos + lengthNanos));
    }

    /** The machine is suspended, and its monotonic clock stands still. */
    Paper suspend(int machine, long lengthNanos) {
        clocks.get(machine).stop(nowNanos, nowNanos + lengthNanos);
        return fault(machine, "SUSPEND", lengthNanos);
    }

    Paper sends(int machine) {
        return tell(new Event.Message(nowNanos, machine, events.size(), Event.Leg.SENT, "update"));
    }

    Paper crash(int machine) {
        return tell(new Event.Stopped(nowNanos, machine, incarnations[machine], true));
    }

    Paper boot(int machine) {
        incarnations[machine]++;
        startedNanos[machine] = nowNanos;
        return tell(new Event.Started(nowNanos, machine, incarnations[machine], stamp(machine)));
    }

    Paper planned(int machine, Action action) {
        commands.add(new Command(nowNanos, machine, 0, null, action));
        return this;
    }

    Paper heal() {
        return tell(new Event.Healed(nowNanos));
    }

    // ---- calls ----

    int call(int machine, Operation operation) {
        tell(new Event.Called(nowNanos, calls, machine, incarnations[machine], operation));
        return calls++;
    }

    int call(int machine, Kind kind, @Nullable String holder, @Nullable HeldTenure tenure, long durationNanos) {
        return call(machine, new Operation(kind, LEASE, holder, tenure, durationNanos, false));
    }

    Paper yes(int call, @Nullable HeldTenure tenure) {
        return tell(new Event.Answered(nowNanos, call, new Answer(Answer.Kind.YES, tenure, null, List.of())));
    }

    Paper no(int call, @Nullable String reason, Answer.Shown... shown) {
        return tell(new Event.Answered(nowNanos, call, new Answer(Answer.Kind.NO, null, reason, List.of(shown))));
    }

    Paper unknown(int call) {
        return tell(new Event.Answered(nowNanos, call, new Answer(Answer.Kind.UNKNOWN, null, "unknown", List.of())));
    }

    Paper resolved(int call, Answer.Kind kind, @Nullable HeldTenure tenure) {
        return tell(new Event.Resolved(nowNanos, call, new Answer(kind, tenure, null, List.of())));
    }

    static Answer.Shown heldBy(@Nullable String holder, long token) {
        return new Answer.Shown(LEASE, holder, token, false, false, Long.MAX_VALUE);
    }

    /** A lease as it is shown to somebody whom it is also told when that is certainly over. */
    static Answer.Shown heldBy(String holder, long token, boolean expired, long safeAfterNanos) {
        return new Answer.Shown(LEASE, holder, token, false, expired, safeAfterNanos);
    }

    // ---- beliefs ----

    Paper believes(int machine, HeldTenure tenure, long untilNanos) {
        return tell(new Event.Believed(nowNanos, machine, incarnations[machine], tenure, untilNanos));
    }

    Paper doubts(int machine, HeldTenure tenure) {
        return tell(new Event.Doubted(nowNanos, machine, incarnations[machine], tenure));
    }

    Paper loses(int machine, HeldTenure tenure) {
        return loses(machine, tenure, "TIME_IS_OVER");
    }

    Paper loses(int machine, HeldTenure tenure, String reason) {
        return tell(new Event.Lost(nowNanos, machine, incarnations[machine], tenure, reason));
    }

    // ---- the database ----

    /** From now on no write reaches a majority by itself. */
    Paper lag() {
        replicates = false;
        return this;
    }

    Paper majority(long upTo) {
        return tell(new Event.Majority(nowNanos, upTo));
    }

    Paper rollBack(long to) {
        version = to;
        return tell(new Event.RolledBack(nowNanos, to));
    }

    long version() {
        return version;
    }

    Paper commit(Author author, Change... changes) {
        version++;
        tell(new Event.Committed(nowNanos, version, author, List.of(changes)));
        return replicates ? majority(version) : this;
    }

    Author engine(int machine, int call) {
        return new Author(Author.Kind.TRANSACTION, machine, incarnations[machine], call, null, null);
    }

    static Author hand() {
        return new Author(Author.Kind.HAND, -1, 0, -1, null, null);
    }

    String writer(int machine) {
        return WriterName.instance(machine) + "#"
                + new WriterName(machine, incarnations[machine], writerNumbers[machine]).uniqueText();
    }

    LeaseRow row(int machine, @Nullable String holder, long token, long writtenNanos, @Nullable Long expiryNanos) {
        return new LeaseRow(holder, token, writer(machine), writtenNanos, expiryNanos, 0, Set.of(), true);
    }

    /** A write of the lease, as it comes. */
    Paper store(Author author, @Nullable LeaseRow row) {
        return storeOf(LEASE, author, row);
    }

    private Paper storeOf(String lease, Author author, @Nullable LeaseRow row) {
        LeaseRow before = row == null ? leases.remove(lease) : leases.put(lease, row);
        return commit(author, new Change.OfLease(lease, before, row));
    }

    /** The entry of a machine's writer becomes this; null removes it. */
    Paper entry(Author author, int machine, @Nullable Long timeNanos, @Nullable Long sessionNanos) {
        SortedMap<String, WriterRow> after = new TreeMap<>(writers);
        if (timeNanos == null) {
            after.remove(writer(machine));
        } else {
            after.put(writer(machine), new WriterRow(timeNanos, null, sessionNanos));
        }
        ClockRow beforeRow = new ClockRow(version, tokenFloor, writers);
        writers = after;
        return commit(author, new Change.OfClock(beforeRow, new ClockRow(version + 1, tokenFloor, after)));
    }

    /** From now on it writes under another name, as it does in another partition. */
    Paper writesElsewhere(int machine) {
        writerNumbers[machine]++;
        return this;
    }

    /** A heartbeat that carries the present time. */
    Paper beats(int machine) {
        return entry(engine(machine, -1), machine, stamp(machine), SESSION);
    }

    /** A caller's own transaction commits. */
    Paper gate(int machine, int call, HeldTenure meant, @Nullable HeldTenure asserted) {
        return commit(
                new Author(Author.Kind.CALLER, machine, incarnations[machine], call, asserted, meant),
                new Change.OfCaller("document", version));
    }

    // ---- whole operations, all within one instant ----

    /** A claim that is granted, and stored for another time than was asked. */
    HeldTenure claims(int machine, String holder, long token, long durationNanos, long storedNanos) {
        int call = call(machine, Kind.CLAIM, holder, null, durationNanos);
        store(engine(machine, call), row(machine, holder, token, written(machine), stamp(machine) + storedNanos));
        HeldTenure tenure = new HeldTenure(LEASE, holder, token);
        yes(call, tenure);
        return tenure;
    }

    HeldTenure claims(int machine, String holder, long token, long durationNanos) {
        return claims(machine, holder, token, durationNanos, durationNanos);
    }

    /** An acquisition that is granted, and kept by the session, which begins with it. */
    HeldTenure acquires(int machine, String holder, long token) {
        int call = call(machine, new Operation(Kind.ACQUIRE, LEASE, holder, null, SESSION, true));
        beats(machine);
        store(engine(machine, call), row(machine, holder, token, written(machine), null));
        HeldTenure tenure = new HeldTenure(LEASE, holder, token);
        yes(call, tenure);
        return tenure;
    }

    /** Another handle of what its owner has already. */
    Paper acquiresAlso(int machine, HeldTenure tenure) {
        return yes(call(machine, new Operation(Kind.ACQUIRE, LEASE, tenure.holder(), null, SESSION, true)), tenure);
    }

    /** A handle is closed, and that is all. */
    Paper closes(int machine, HeldTenure tenure) {
        return yes(call(machine, Kind.CLOSE_HANDLE, null, tenure, 0), null);
    }

    /** The engine is asked to close. */
    Paper closesEngine(int machine) {
        call(machine, new Operation(Kind.CLOSE_ENGINE, null, null, null, 0, false));
        return this;
    }

    /** The document as it is, and pinned so. */
    Paper pins(Author author, String... pins) {
        LeaseRow row = leases.get(LEASE);
        return store(
                author,
                new LeaseRow(
                        row.holder(),
                        row.token(),
                        row.writer(),
                        row.writtenNanos(),
                        row.expiryNanos(),
                        row.gates(),
                        Set.of(pins),
                        true));
    }

    HeldTenure takesOver(int machine, String holder, long token, long durationNanos) {
        int call = call(machine, Kind.TAKE_OVER, holder, null, durationNanos);
        store(engine(machine, call), row(machine, holder, token, written(machine), stamp(machine) + durationNanos));
        HeldTenure tenure = new HeldTenure(LEASE, holder, token);
        yes(call, tenure);
        return tenure;
    }

    Paper extend(int machine, HeldTenure tenure, long durationNanos, long expiryNanos) {
        int call = call(machine, Kind.EXTEND, null, tenure, durationNanos);
        store(engine(machine, call), row(machine, tenure.holder(), tenure.token(), written(machine), expiryNanos));
        return yes(call, tenure);
    }

    Paper release(int machine, HeldTenure tenure) {
        int call = call(machine, Kind.RELEASE, null, tenure, 0);
        store(engine(machine, call), row(machine, null, tenure.token(), written(machine), null));
        return yes(call, tenure);
    }

    /** Each way takes so long. */
    Paper delay(long nanos) {
        network = new NetworkConditions(nanos, 0, 0, 0, 0, 0, 0, 0, 0);
        return this;
    }

    /** Threads of handles are late by as much. */
    Paper late(long nanos) {
        threadLateNanos = nanos;
        return this;
    }

    /** The sessions of a machine last for so many percent of those of the others. */
    Paper sessions(int machine, int percent) {
        Machine its = machines.get(machine);
        machines.set(
                machine,
                new Machine(its.monotonicNanos(), its.wallNanos(), its.wallPrecisionNanos(), its.rates(), percent));
        return this;
    }

    /** A close has so long. */
    Paper close(long nanos) {
        closeNanos = nanos;
        return this;
    }

    // ---- the judges ----

    History history() {
        Setting setting = new Setting(
                inside,
                1000,
                SESSION,
                3 * S,
                2 * S,
                S,
                closeNanos,
                3600 * S,
                1,
                1,
                60 * S,
                threadLateNanos,
                null,
                network,
                DatabaseConditions.PLAIN);
        return new History(new Plan("by hand", 0, setting, machines, commands), events, clocks, events.size());
    }

    Verdict verdict() {
        return Judge.judge(history());
    }

    /** The promises that were broken, in the order of the instants. */
    List<Promise> broken() {
        return verdict().violations().stream().map(Violation::promise).toList();
    }
}
