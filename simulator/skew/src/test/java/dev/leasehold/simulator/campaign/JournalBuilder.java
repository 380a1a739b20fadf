package dev.leasehold.simulator.campaign;

import dev.leasehold.simulator.checker.HistoryChecker;
import dev.leasehold.simulator.checker.Violation;
import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Answer.Shown;
import dev.leasehold.simulator.history.Change;
import dev.leasehold.simulator.history.Change.ClockRow;
import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.Change.WriterRow;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Event.Author;
import dev.leasehold.simulator.history.Event.Committed;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Operation;
import dev.leasehold.simulator.history.Operation.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The journals of two processes and the commits about one lease, written by hand, at instants in tenths of a second. Every answer comes a
 * tenth after its question. The database tells of everything long afterwards.
 */
final class JournalBuilder {

    static final String LEASE = "red";
    static final int TERM = 100;

    private static final long TENTH = 100_000_000;
    private static final long LOCAL = 3_255_759_600_000_000_005L;
    private static final long TOLD_LATER = 5_000 * TENTH;

    private final List<Event> journal = new ArrayList<>();
    private final List<Committed> commits = new ArrayList<>();
    private SortedMap<String, WriterRow> entries = new TreeMap<>();
    private @Nullable LeaseRow lease;
    private long ticks;
    private int calls;

    JournalBuilder() {
        for (int machine = 0; machine < 2; machine++) {
            journal.add(new Event.Started(0, machine, 0, LOCAL + machine));
        }
    }

    static HeldTenure tenure(String holder, long token) {
        return new HeldTenure(LEASE, holder, token);
    }

    private static long nanos(int at) {
        return (at + 10) * TENTH;
    }

    private static String writer(int machine) {
        return new ProcessName(machine, 0).toString().replace('.', '~') + "#5d0c8e1b";
    }

    // ---- questions and answers ----

    int asked(int machine, Operation operation, int at) {
        journal.add(new Event.Called(nanos(at), calls, machine, 0, operation));
        return calls++;
    }

    int asked(int machine, Kind kind, @Nullable String holder, @Nullable HeldTenure tenure, int at) {
        boolean term = kind == Kind.CLAIM || kind == Kind.TAKE_OVER || kind == Kind.EXTEND;
        return asked(machine, new Operation(kind, LEASE, holder, tenure, term ? TERM * TENTH : 0, false), at);
    }

    int asksSession(int machine, String holder, int at) {
        return asked(machine, new Operation(Kind.ACQUIRE, LEASE, holder, null, TERM * TENTH, true), at);
    }

    private JournalBuilder answered(int call, Answer answer, int at) {
        journal.add(new Event.Answered(nanos(at), call, answer));
        return this;
    }

    JournalBuilder yes(int call, @Nullable HeldTenure tenure, int at) {
        return answered(call, new Answer(Answer.Kind.YES, tenure, null, List.of()), at);
    }

    JournalBuilder no(int call, String reason, int at, Shown... shown) {
        return answered(call, new Answer(Answer.Kind.NO, null, reason, List.of(shown)), at);
    }

    JournalBuilder unknown(int call, int at) {
        return answered(call, new Answer(Answer.Kind.UNKNOWN, null, "LeaseOutcomeUnknownException", List.of()), at);
    }

    JournalBuilder resolved(int call, Answer.Kind kind, @Nullable HeldTenure tenure, int at) {
        journal.add(new Event.Resolved(nanos(at), call, new Answer(kind, tenure, null, List.of())));
        return this;
    }

    static Shown shown(@Nullable String holder, long token) {
        return new Shown(LEASE, holder, token, false, false, Long.MAX_VALUE);
    }

    // ---- what processes show ----

    JournalBuilder valid(int machine, HeldTenure tenure, int fromAt, int untilAt) {
        journal.add(new Event.ValidUntil(nanos(fromAt), machine, 0, tenure, nanos(untilAt)));
        return this;
    }

    JournalBuilder validityEnded(int machine, HeldTenure tenure, int at) {
        journal.add(new Event.ValidityEnded(nanos(at), machine, 0, tenure));
        return this;
    }

    JournalBuilder lost(int machine, int handle, HeldTenure tenure, int at) {
        journal.add(new Event.Lost(nanos(at), machine, 0, handle, tenure, "EXPIRED"));
        return this;
    }

    JournalBuilder slept(int machine, int fromAt, int untilAt) {
        journal.add(new Event.Fault(nanos(fromAt), machine, "PAUSE", nanos(untilAt)));
        return this;
    }

    JournalBuilder killed(int machine, int at) {
        journal.add(new Event.Stopped(nanos(at), machine, 0, true));
        return this;
    }

    // ---- what the database tells ----

    private JournalBuilder commit(Author author, Change... changes) {
        commits.add(new Committed(TOLD_LATER + commits.size(), commits.size() + 1L, author, List.of(changes)));
        return this;
    }

    private static Author engine(int machine, int call) {
        return new Author(Author.Kind.TRANSACTION, machine, 0, call, null, null);
    }

    /** The lease is held, by a write that was sent then; for a session without a term. */
    JournalBuilder landed(int machine, int call, HeldTenure tenure, int at, boolean term) {
        long written = LOCAL + machine + nanos(at);
        Long expiry = term ? written + TERM * TENTH : null;
        return store(
                engine(machine, call),
                new LeaseRow(tenure.holder(), tenure.token(), writer(machine), written, expiry, 0, Set.of(), true));
    }

    JournalBuilder landed(int machine, int call, HeldTenure tenure, int at) {
        return landed(machine, call, tenure, at, true);
    }

    JournalBuilder landedEnd(int machine, long token, int at) {
        long written = LOCAL + machine + nanos(at);
        return store(engine(machine, -1), new LeaseRow(null, token, writer(machine), written, null, 0, Set.of(), true));
    }

    private JournalBuilder store(Author author, LeaseRow row) {
        LeaseRow before = lease;
        lease = row;
        return commit(author, new Change.OfLease(LEASE, before, row));
    }

    /** What the database told last is withdrawn. */
    JournalBuilder notLanded() {
        Change last = commits.remove(commits.size() - 1).changes().get(0);
        lease = last instanceof Change.OfLease ofLease ? ofLease.before() : lease;
        return this;
    }

    /** The entry of a process shows this time; null removes it. */
    JournalBuilder entry(int by, int machine, @Nullable Integer at) {
        SortedMap<String, WriterRow> after = new TreeMap<>(entries);
        if (at == null) {
            after.remove(writer(machine));
        } else {
            after.put(writer(machine), new WriterRow(LOCAL + machine + nanos(at), null, TERM * TENTH));
        }
        ClockRow before = new ClockRow(ticks, 0, entries);
        entries = after;
        return commit(engine(by, -1), new Change.OfClock(before, new ClockRow(++ticks, 0, after)));
    }

    /** The assertion, and the document of the application. */
    JournalBuilder written(int machine, int call, HeldTenure meant) {
        LeaseRow row = Objects.requireNonNull(lease);
        return commit(
                new Author(Author.Kind.CALLER, machine, 0, call, meant, meant),
                new Change.OfLease(LEASE, row, row),
                new Change.OfCaller(LEASE, call));
    }

    // ---- whole calls ----

    JournalBuilder claimed(int machine, String holder, long token, int at) {
        int call = asked(machine, Kind.CLAIM, holder, null, at);
        return landed(machine, call, tenure(holder, token), at).yes(call, tenure(holder, token), at + 1);
    }

    JournalBuilder tookOver(int machine, String holder, long token, int at) {
        int call = asked(machine, Kind.TAKE_OVER, holder, null, at);
        return landed(machine, call, tenure(holder, token), at).yes(call, tenure(holder, token), at + 1);
    }

    /** By a session, which begins with it. Returns the handle. */
    int acquired(int machine, String holder, long token, int at) {
        int call = asksSession(machine, holder, at);
        entry(machine, machine, at).landed(machine, call, tenure(holder, token), at, false);
        yes(call, tenure(holder, token), at + 1);
        return call;
    }

    JournalBuilder closed(int machine, int handle, HeldTenure tenure, int at) {
        Operation close =
                new Operation(Kind.CLOSE_HANDLE, LEASE, null, tenure, 0, false, 0, false, 0, handle, null, false);
        return yes(asked(machine, close, at), null, at + 1);
    }

    JournalBuilder extended(int machine, HeldTenure tenure, int at) {
        int call = asked(machine, Kind.EXTEND, null, tenure, at);
        return landed(machine, -1, tenure, at).yes(call, tenure, at + 1);
    }

    JournalBuilder released(int machine, HeldTenure tenure, int at) {
        int call = asked(machine, Kind.RELEASE, null, tenure, at);
        return landedEnd(machine, tenure.token(), at).yes(call, tenure, at + 1);
    }

    JournalBuilder expired(int machine, HeldTenure tenure, int at) {
        int call = asked(machine, Kind.EXPIRE, null, null, at);
        return landedEnd(machine, tenure.token(), at).yes(call, tenure, at + 1);
    }

    JournalBuilder gated(int machine, HeldTenure tenure, int at) {
        int call = asked(machine, Kind.GATE, null, tenure, at);
        return written(machine, call, tenure).yes(call, null, at + 1);
    }

    JournalBuilder refused(
            int machine,
            Kind kind,
            @Nullable String holder,
            @Nullable HeldTenure tenure,
            String reason,
            int at,
            Shown... shown) {
        return no(asked(machine, kind, holder, tenure, at), reason, at + 1, shown);
    }

    List<Violation> violations() {
        return HistoryChecker.check(new CampaignHistory(journal, commits).recording())
                .violations();
    }
}
