package dev.leasehold.simulator.checker;

import dev.leasehold.simulator.clock.Machine;
import dev.leasehold.simulator.clock.MachineClock;
import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Change;
import dev.leasehold.simulator.history.Change.ClockRow;
import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.Change.TicketRow;
import dev.leasehold.simulator.history.Change.WriterRow;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Event.Author;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Operation;
import dev.leasehold.simulator.history.Operation.Kind;
import dev.leasehold.simulator.history.WriterName;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A history made by hand: it says what happens, one thing after the other, and keeps the documents as they would be. Three machines run
 * engines from the beginning on; the last one is the observer.
 */
final class HistoryBuilder {

    static final long S = 1_000_000_000;
    static final long SESSION = 10 * S;
    static final long HEARTBEAT = 3 * S;
    static final long BUDGET = 2 * S;
    static final String LEASE = "lease-0";
    static final int OBSERVER = 2;

    /** No round number, and in a year of its own. */
    private static final long WALL = 3_255_759_600_000_000_007L;

    private final boolean inside;
    private final List<MachineClock> clocks = new ArrayList<>();
    private final List<Event> events = new ArrayList<>();
    private final int[] incarnations = new int[3];
    private final int[] originals = {0, 1, 2};
    private final long[] startedNanos = new long[3];
    private final long[] writtenNanos = new long[3];
    private @Nullable LeaseRow lease;
    private SortedMap<String, WriterRow> writers = new TreeMap<>();
    private boolean replicates = true;
    private boolean watches = true;
    private long answerNanos;
    private long nowNanos;
    private long version;
    private int calls;

    HistoryBuilder() {
        this(true, 0, 0, 0);
    }

    /** Clocks that run at these rates, in parts of a billion beside true time. */
    HistoryBuilder(boolean inside, long... ppb) {
        this.inside = inside;
        for (int i = 0; i < 3; i++) {
            clocks.add(new MachineClock(
                    new Machine(i * 1000L - 5, WALL + i * S, 1, List.of(new Machine.Rate(0, ppb[i])))));
            tell(new Event.Started(0, i, 0, clocks.get(i).wallNanos(0)));
        }
    }

    // ---- time and machines ----

    HistoryBuilder at(long trueNanos) {
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

    HistoryBuilder tell(Event event) {
        events.add(event);
        return this;
    }

    HistoryBuilder fault(int machine, String name, long lengthNanos) {
        return tell(new Event.Fault(nowNanos, machine, name, nowNanos + lengthNanos));
    }

    /** The machine is suspended, and its monotonic clock stands still. */
    HistoryBuilder suspend(int machine, long lengthNanos) {
        clocks.get(machine).stop(nowNanos, nowNanos + lengthNanos);
        return fault(machine, "SUSPEND", lengthNanos);
    }

    HistoryBuilder crash(int machine) {
        return tell(new Event.Stopped(nowNanos, machine, incarnations[machine], true));
    }

    /** Faults are over, and the observer asks for the lease for a long time. */
    int observerAsks() {
        tell(new Event.Healed(nowNanos));
        return call(OBSERVER, new Operation(Kind.ACQUIRE, LEASE, "o", null, SESSION, true, 1_000 * S));
    }

    /** Faults were over a while ago, and the history ends now. */
    HistoryBuilder ends() {
        return tell(new Event.Healed(0)).tell(new Event.Finished(nowNanos));
    }

    /** The history ends now, and was healed before. */
    HistoryBuilder finishes() {
        return tell(new Event.Finished(nowNanos));
    }

    // ---- calls ----

    int call(int machine, Operation operation) {
        tell(new Event.Called(nowNanos, calls, machine, incarnations[machine], operation));
        return calls++;
    }

    int call(int machine, Kind kind, @Nullable String holder, @Nullable HeldTenure tenure, long durationNanos) {
        return call(machine, new Operation(kind, LEASE, holder, tenure, durationNanos, false));
    }

    HistoryBuilder yes(int call, @Nullable HeldTenure tenure) {
        return tell(new Event.Answered(nowNanos, call, new Answer(Answer.Kind.YES, tenure, null, List.of())));
    }

    HistoryBuilder shows(int call, Answer.Shown... shown) {
        return tell(new Event.Answered(nowNanos, call, new Answer(Answer.Kind.YES, null, null, List.of(shown))));
    }

    HistoryBuilder no(int call, @Nullable String reason, Answer.Shown... shown) {
        return tell(new Event.Answered(nowNanos, call, new Answer(Answer.Kind.NO, null, reason, List.of(shown))));
    }

    HistoryBuilder unknown(int call) {
        return tell(new Event.Answered(
                nowNanos, call, new Answer(Answer.Kind.UNKNOWN, null, "LeaseOutcomeUnknownException", List.of())));
    }

    HistoryBuilder resolved(int call, Answer.Kind kind, @Nullable HeldTenure tenure) {
        return tell(new Event.Resolved(nowNanos, call, new Answer(kind, tenure, null, List.of())));
    }

    static Answer.Shown heldBy(@Nullable String holder, long token) {
        return heldBy(holder, token, false, Long.MAX_VALUE);
    }

    /** A lease as it is shown to a caller that is also told when it may be taken. */
    static Answer.Shown heldBy(@Nullable String holder, long token, boolean expired, long safeAfterNanos) {
        return new Answer.Shown(LEASE, holder, token, false, expired, safeAfterNanos);
    }

    static HeldTenure tenure(String holder, long token) {
        return new HeldTenure(LEASE, holder, token);
    }

    // ---- validity ----

    HistoryBuilder holds(int machine, HeldTenure tenure, long untilNanos) {
        return tell(new Event.ValidUntil(nowNanos, machine, incarnations[machine], tenure, untilNanos));
    }

    HistoryBuilder holdsNoMore(int machine, HeldTenure tenure) {
        return tell(new Event.ValidityEnded(nowNanos, machine, incarnations[machine], tenure));
    }

    HistoryBuilder loses(int machine, int handle, HeldTenure tenure, String reason) {
        return tell(new Event.Lost(nowNanos, machine, incarnations[machine], handle, tenure, reason));
    }

    // ---- the database ----

    /** From now on no write reaches a majority by itself. */
    HistoryBuilder lags() {
        replicates = false;
        return this;
    }

    HistoryBuilder majorityHasAll() {
        return tell(new Event.Majority(nowNanos, version));
    }

    HistoryBuilder rollsBack(long to) {
        version = to;
        return tell(new Event.RolledBack(nowNanos, to));
    }

    /** Change streams do not work. */
    HistoryBuilder blind() {
        watches = false;
        return this;
    }

    /** Each command takes so long until it is answered. */
    HistoryBuilder slow(long nanos) {
        answerNanos = nanos;
        return this;
    }

    long version() {
        return version;
    }

    HistoryBuilder commit(Author author, Change... changes) {
        version++;
        tell(new Event.Committed(nowNanos, version, author, List.of(changes)));
        return replicates ? majorityHasAll() : this;
    }

    Author engine(int machine) {
        return new Author(Author.Kind.TRANSACTION, machine, incarnations[machine], -1, null, null);
    }

    static Author hand() {
        return new Author(Author.Kind.HAND, -1, 0, -1, null, null);
    }

    String writer(int machine) {
        int original = originals[machine];
        return WriterName.instance(original) + "#" + new WriterName(original, incarnations[original], 0).uniqueText();
    }

    /** From now on the engine of a machine writes under the name of that of another one, as its clone. */
    HistoryBuilder clones(int machine, int original) {
        originals[machine] = original;
        return this;
    }

    LeaseRow row(int machine, @Nullable String holder, long token, @Nullable Long expiryNanos) {
        Set<String> pins = lease == null ? Set.of() : lease.pins();
        return new LeaseRow(holder, token, writer(machine), written(machine), expiryNanos, 0, pins, true);
    }

    /** A write of the lease, as it comes. */
    HistoryBuilder store(Author author, @Nullable LeaseRow row) {
        LeaseRow before = lease;
        lease = row;
        return commit(author, new Change.OfLease(LEASE, before, row));
    }

    HistoryBuilder damage() {
        return store(hand(), new LeaseRow(null, 1, "?", 0, null, 0, Set.of(), false));
    }

    /** The document as it is, and pinned so. */
    HistoryBuilder pinned(int machine, String... pins) {
        LeaseRow row = lease;
        return row == null
                ? this
                : store(
                        engine(machine),
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

    /** The entry of a machine's writer becomes this; null removes it. */
    HistoryBuilder entry(Author author, int machine, @Nullable Long timeNanos, @Nullable Long sessionNanos) {
        SortedMap<String, WriterRow> after = new TreeMap<>(writers);
        if (timeNanos == null) {
            after.remove(writer(machine));
        } else {
            after.put(writer(machine), new WriterRow(timeNanos, null, sessionNanos));
        }
        ClockRow before = new ClockRow(version, 0, writers);
        writers = after;
        return commit(author, new Change.OfClock(before, new ClockRow(version + 1, 0, after)));
    }

    /** A heartbeat that carries the present time. */
    HistoryBuilder beats(int machine) {
        return entry(
                new Author(Author.Kind.SINGLE_WRITE, machine, incarnations[machine], -1, null, null),
                machine,
                stamp(machine),
                SESSION);
    }

    /** An engine removes the entry of another one. */
    HistoryBuilder evicts(int machine, int victim) {
        return entry(engine(machine), victim, null, null);
    }

    /** A caller's own transaction commits. */
    HistoryBuilder gate(int machine, int call, HeldTenure meant, @Nullable HeldTenure asserted) {
        return commit(
                new Author(Author.Kind.CALLER, machine, incarnations[machine], call, asserted, meant),
                new Change.OfCaller("document", version));
    }

    // ---- the queue ----

    /** A ticket of a machine's engine under its present stamp. */
    TicketRow ticket(int machine, String holder, int priority) {
        return new TicketRow(writer(machine), written(machine), holder, priority);
    }

    /** From now on the queue is this. */
    HistoryBuilder queue(int machine, TicketRow... tickets) {
        Author author = new Author(Author.Kind.SINGLE_WRITE, machine, incarnations[machine], -1, null, null);
        return commit(author, new Change.OfQueue(LEASE, List.of(tickets)));
    }

    /** An acquisition by session that waits. */
    int waits(int machine, @Nullable String holder) {
        return waits(machine, holder, 0);
    }

    int waits(int machine, @Nullable String holder, int priority) {
        return call(
                machine,
                new Operation(
                        Kind.ACQUIRE, LEASE, holder, null, SESSION, true, 1_000 * S, false, 0, null, priority, false));
    }

    /** One write that begins the next tenure for a ticket. */
    HeldTenure grants(int machine, TicketRow ticket, long token) {
        Author author = new Author(Author.Kind.SINGLE_WRITE, machine, incarnations[machine], -1, null, null);
        store(
                author,
                new LeaseRow(ticket.holder(), token, ticket.writer(), ticket.stampNanos(), null, 0, Set.of(), true));
        return tenure(ticket.holder(), token);
    }

    /** The same, with the record of an occurrence; or the removal of one, if no holder did it. */
    HistoryBuilder records(int machine, int call, HeldTenure meant, String occurrence, @Nullable String holder) {
        return commit(
                new Author(Author.Kind.CALLER, machine, incarnations[machine], call, meant, meant),
                new Change.OfCaller("document", version),
                new Change.OfOccurrence(LEASE, occurrence, holder, meant.token()));
    }

    // ---- whole operations, all within one instant ----

    HeldTenure claims(int machine, String holder, long token, long durationNanos) {
        return claims(machine, holder, token, durationNanos, durationNanos);
    }

    /** A claim that is granted, and stored for another time than was asked. */
    HeldTenure claims(int machine, String holder, long token, long durationNanos, long storedNanos) {
        return begins(machine, Kind.CLAIM, holder, token, durationNanos, storedNanos);
    }

    HeldTenure takesOver(int machine, String holder, long token, long durationNanos) {
        return begins(machine, Kind.TAKE_OVER, holder, token, durationNanos, durationNanos);
    }

    private HeldTenure begins(int machine, Kind kind, String holder, long token, long durationNanos, long storedNanos) {
        int call = call(machine, kind, holder, null, durationNanos);
        store(engine(machine), row(machine, holder, token, stamp(machine) + storedNanos));
        yes(call, tenure(holder, token));
        return tenure(holder, token);
    }

    /** An acquisition that is granted, and kept by the session, which begins with it. Returns its handle. */
    int acquires(int machine, String holder, long token) {
        int call = call(machine, new Operation(Kind.ACQUIRE, LEASE, holder, null, SESSION, true));
        beats(machine);
        store(engine(machine), row(machine, holder, token, null));
        yes(call, tenure(holder, token));
        return call;
    }

    /** An acquisition that is given another handle of what its engine holds, without a write. Returns that handle. */
    int joins(int machine, HeldTenure tenure) {
        int call = call(machine, new Operation(Kind.ACQUIRE, LEASE, tenure.holder(), null, SESSION, true));
        yes(call, tenure);
        return call;
    }

    /** The call that closes a handle. */
    int closing(int machine, int handle, HeldTenure tenure) {
        return call(
                machine,
                new Operation(Kind.CLOSE_HANDLE, LEASE, null, tenure, 0, false, 0, false, 0, handle, null, false));
    }

    static Operation closeAsync(int handle, HeldTenure tenure) {
        long waitNanos = Operation.FOR_EVER_NANOS;
        return new Operation(
                Kind.CLOSE_HANDLE, LEASE, null, tenure, 0, false, waitNanos, false, 0, handle, null, false);
    }

    /** The same without a wait for the answer. */
    int closingAsync(int machine, int handle, HeldTenure tenure) {
        return call(machine, closeAsync(handle, tenure));
    }

    HistoryBuilder extend(int machine, HeldTenure tenure, long durationNanos, long expiryNanos) {
        int call = call(machine, Kind.EXTEND, null, tenure, durationNanos);
        store(engine(machine), row(machine, tenure.holder(), tenure.token(), expiryNanos));
        return yes(call, tenure);
    }

    HistoryBuilder release(int machine, HeldTenure tenure) {
        int call = call(machine, Kind.RELEASE, null, tenure, 0);
        return vacates(machine, tenure.token()).yes(call, tenure);
    }

    /** The document shows no holder. */
    HistoryBuilder vacates(int machine, long token) {
        return store(engine(machine), row(machine, null, token, null));
    }

    // ---- the checker ----

    Conditions conditions() {
        return new Conditions(
                inside,
                1000,
                List.of(SESSION, SESSION, SESSION),
                List.of(HEARTBEAT, HEARTBEAT, HEARTBEAT),
                BUDGET,
                S,
                BUDGET,
                3600 * S,
                1,
                0,
                answerNanos,
                answerNanos,
                90 * S,
                watches,
                OBSERVER);
    }

    LivenessBounds bounds() {
        return new LivenessBounds(conditions());
    }

    Verdict verdict() {
        return HistoryChecker.check(new Recording(conditions(), clocks, events, WriterName::isOf));
    }

    /** The guarantees that were broken, in the order of the instants. */
    List<Guarantee> broken() {
        return verdict().violations().stream().map(Violation::guarantee).toList();
    }
}
