package dev.leasehold.simulator.report;

import dev.leasehold.simulator.clock.Machine;
import dev.leasehold.simulator.clock.MachineClock;
import dev.leasehold.simulator.conditions.DatabaseConditions;
import dev.leasehold.simulator.conditions.NetworkConditions;
import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Answer.Shown;
import dev.leasehold.simulator.history.Change;
import dev.leasehold.simulator.history.Change.ClockRow;
import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.Change.WriterRow;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Event.Author;
import dev.leasehold.simulator.history.Event.Leg;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Operation;
import dev.leasehold.simulator.history.WriterName;
import dev.leasehold.simulator.plan.Command;
import dev.leasehold.simulator.plan.History;
import dev.leasehold.simulator.plan.Plan;
import dev.leasehold.simulator.plan.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Writes a history by hand, with the events that a real one would have. */
final class Script {

    static final long MS = 1_000_000;
    static final long SECOND = 1_000_000_000;

    static final Setting SETTING = new Setting(
            true,
            1_000,
            30 * SECOND,
            10 * SECOND,
            10 * SECOND,
            2 * SECOND,
            SECOND,
            3_600 * SECOND,
            2,
            1,
            60 * SECOND,
            null,
            null,
            new NetworkConditions(MS / 2, MS, 20_000, 200 * MS, 10_000, 10_000, 0, 0, 5_000),
            new DatabaseConditions(MS, MS, 60 * SECOND, 30 * SECOND, true));

    private static final long WALL = 1_795_000_000L * SECOND;

    private final Setting setting;
    private final List<Machine> machines = new ArrayList<>();
    private final List<Command> commands = new ArrayList<>();
    private final List<MachineClock> clocks = new ArrayList<>();
    private final List<Event> events = new ArrayList<>();
    private final Map<String, LeaseRow> leases = new TreeMap<>();
    private ClockRow clock = new ClockRow(0, 0, new TreeMap<>());
    private long nowNanos;
    private long version;
    private final Map<Integer, Integer> incarnations = new TreeMap<>();
    private final Map<Integer, Long> madeNanos = new TreeMap<>();
    private int calls;
    private int messages;

    Script(Setting setting) {
        this.setting = setting;
    }

    /** Adds a machine whose monotonic clock runs at these rates. */
    Script machine(Machine.Rate... rates) {
        Machine machine = new Machine(-5 * SECOND, WALL + machines.size() * 86_400 * SECOND, MS, List.of(rates));
        machines.add(machine);
        clocks.add(new MachineClock(machine));
        return this;
    }

    Script command(Command command) {
        commands.add(command);
        return this;
    }

    MachineClock clock(int machine) {
        return clocks.get(machine);
    }

    Script at(long nanos) {
        nowNanos = nanos;
        return this;
    }

    Script after(long nanos) {
        nowNanos += nanos;
        return this;
    }

    Script add(Event event) {
        events.add(event);
        return this;
    }

    long now() {
        return nowNanos;
    }

    Script starts(int machine) {
        incarnations.merge(machine, 0, (before, first) -> before + 1);
        madeNanos.put(machine, nowNanos);
        message(machine, "connect");
        return add(new Event.Started(nowNanos, machine, incarnation(machine), stamp(machine)));
    }

    Script crashes(int machine, long downNanos) {
        add(new Event.Fault(nowNanos, machine, "CRASH", nowNanos + downNanos));
        return add(new Event.Stopped(nowNanos, machine, incarnation(machine), true));
    }

    int incarnation(int machine) {
        return incarnations.get(machine);
    }

    int calls(int machine, Operation operation) {
        add(new Event.Called(nowNanos, calls, machine, incarnation(machine), operation));
        return calls++;
    }

    Script isValid(int machine, HeldTenure tenure, long untilNanos) {
        return add(new Event.ValidUntil(nowNanos, machine, incarnation(machine), tenure, untilNanos));
    }

    Script answers(int call, Answer.Kind kind, @Nullable HeldTenure tenure, @Nullable String reason, Shown... shown) {
        return add(new Event.Answered(nowNanos, call, new Answer(kind, tenure, reason, List.of(shown))));
    }

    /** A message there and back, in half a millisecond each way. */
    Script message(int machine, String what) {
        int number = messages++;
        add(new Event.Message(nowNanos, machine, number, Leg.SENT, what));
        after(MS / 2).add(new Event.Message(nowNanos, machine, number, Leg.EXECUTED, what));
        add(new Event.Message(nowNanos, machine, number, Leg.ANSWERED, what));
        return after(MS / 2).add(new Event.Message(nowNanos, machine, number, Leg.RECEIVED, what));
    }

    Script loses(int machine, String what, Leg leg) {
        int number = messages++;
        add(new Event.Message(nowNanos, machine, number, Leg.SENT, what));
        return after(MS / 2).add(new Event.Message(nowNanos, machine, number, leg, what));
    }

    /** What the engine of a machine would write now. */
    long stamp(int machine) {
        MachineClock clock = clocks.get(machine);
        long made = madeNanos.get(machine);
        return clock.wallNanos(made) + clock.elapsedNanos(made, nowNanos);
    }

    String writer(int machine) {
        return WriterName.instance(machine) + "#" + new WriterName(machine, incarnation(machine), 0).uniqueText();
    }

    /** A transaction of an engine that writes a lease document; the majority has it a millisecond later. */
    Script writes(
            int machine, int call, String lease, @Nullable String holder, long token, @Nullable Long durationNanos) {
        LeaseRow row = new LeaseRow(
                holder,
                token,
                writer(machine),
                stamp(machine),
                durationNanos == null ? null : stamp(machine) + durationNanos,
                0,
                Set.of(),
                true);
        Change change = new Change.OfLease(lease, leases.put(lease, row), row);
        commits(Author.Kind.TRANSACTION, machine, call, List.of(ticks(machine), change));
        return after(MS).add(new Event.Majority(nowNanos, version));
    }

    Change ticks(int machine) {
        TreeMap<String, WriterRow> writers = new TreeMap<>(clock.writers());
        writers.put(writer(machine), new WriterRow(stamp(machine), stamp(machine), null));
        ClockRow before = clock;
        clock = new ClockRow(before.ticks() + 1, before.tokenFloor(), writers);
        return new Change.OfClock(before, clock);
    }

    Script commits(Author.Kind kind, int machine, int call, List<Change> changes) {
        return add(new Event.Committed(
                nowNanos, ++version, new Author(kind, machine, incarnation(machine), call, null, null), changes));
    }

    long version() {
        return version;
    }

    History history() {
        return new History(new Plan("boundary", 4711, setting, machines, commands), List.copyOf(events), clocks, 1_234);
    }
}
