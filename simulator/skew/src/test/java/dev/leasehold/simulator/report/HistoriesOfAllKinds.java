package dev.leasehold.simulator.report;

import dev.leasehold.simulator.clock.Machine;
import dev.leasehold.simulator.clock.MachineClock;
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
import dev.leasehold.simulator.plan.History;
import dev.leasehold.simulator.plan.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Histories with an event of each kind, and variants of them in which one thing is different. */
final class HistoriesOfAllKinds {

    static final HeldTenure TENURE = new HeldTenure("lease-0", "holder-0", 7);
    static final Author AUTHOR = new Author(Author.Kind.CALLER, 0, 0, 1, TENURE, TENURE);
    static final LeaseRow ROW =
            new LeaseRow("holder-0", 7, "m0#0i0n0", 100, 200L, 3, Set.of("entity-1", "entity-2", "entity-3"), true);

    private static final Machine MACHINE = new Machine(0, 0, 1, List.of());

    private HistoriesOfAllKinds() {}

    /** Each kind of event once, each with a time of its own. */
    static List<Event> events() {
        return List.of(
                new Event.Started(1, 0, 0, 1_000),
                new Event.Called(2, 1, 0, 0, operation(Operation.Kind.CLAIM)),
                new Event.Message(3, 0, 1, Leg.SENT, "read"),
                new Event.Committed(4, 9, AUTHOR, List.of(clock(1, 5), lease(ROW), new Change.OfCaller("ledger", 12))),
                new Event.Majority(5, 9),
                answered(Answer.Kind.UNKNOWN, false, false, 99),
                new Event.Resolved(7, 1, new Answer(Answer.Kind.NO, null, "GONE", List.of())),
                new Event.ValidUntil(8, 0, 0, TENURE, 80),
                new Event.ValidityEnded(9, 0, 0, TENURE),
                new Event.Lost(10, 0, 0, 1, TENURE, "TAKEN_OVER"),
                new Event.Fault(11, 0, "PAUSE", 20),
                new Event.RolledBack(12, 8),
                new Event.Reached(13, 0, "BATCH"),
                new Event.Broken(14, 0, "an error"),
                new Event.Healed(15),
                new Event.Exceeded(16, "STEPS"),
                new Event.Stopped(17, 0, 0, true),
                new Event.Finished(18),
                new Event.Revived(19, 0, 0, TENURE),
                new Event.Disagreed(20, 0, 0, TENURE, true));
    }

    /** Events each of which differs in one argument from the one of the same time in {@link #events()}. */
    static List<Event> variants() {
        List<Event> all = new ArrayList<>();
        all.add(new Event.Started(1, 0, 1, 1_000));
        all.add(new Event.Started(1, 0, 0, 1_001));
        all.add(new Event.Called(2, 2, 0, 0, operation(Operation.Kind.CLAIM)));
        all.add(new Event.Called(2, 1, 0, 0, operation(Operation.Kind.EXTEND)));
        all.add(new Event.Called(
                2, 1, 0, 0, new Operation(Operation.Kind.CLAIM, "lease-0", "holder-0", null, 6, false)));
        all.add(new Event.Called(
                2, 1, 0, 0, new Operation(Operation.Kind.CLAIM, "lease-0", "holder-0", null, 5, true)));
        all.add(new Event.Called(
                2, 1, 0, 0, new Operation(Operation.Kind.CLAIM, "lease-0", "holder-0", null, 5, false, 1)));
        all.add(new Event.Called(2, 1, 0, 0, new Operation(Operation.Kind.CLAIM, null, "holder-0", null, 5, false)));
        all.add(new Event.Message(3, 0, 2, Leg.SENT, "read"));
        all.add(new Event.Message(3, 0, 1, Leg.EXECUTED, "read"));
        all.add(new Event.Message(3, 0, 1, Leg.SENT, "write"));
        all.add(new Event.Committed(
                4, 10, AUTHOR, List.of(clock(1, 5), lease(ROW), new Change.OfCaller("ledger", 12))));
        all.add(new Event.Committed(4, 9, AUTHOR, List.of(clock(1, 6), lease(ROW), new Change.OfCaller("ledger", 12))));
        all.add(new Event.Committed(4, 9, AUTHOR, List.of(clock(1, 5), lease(ROW), new Change.OfCaller("ledger", 13))));
        all.add(new Event.Committed(4, 9, AUTHOR, List.of(clock(1, 5), lease(ROW))));
        all.add(new Event.Committed(
                4,
                9,
                new Author(Author.Kind.CALLER, 0, 0, 1, null, TENURE),
                List.of(clock(1, 5), lease(ROW), new Change.OfCaller("ledger", 12))));
        for (LeaseRow row : rows()) {
            all.add(new Event.Committed(
                    4, 9, AUTHOR, List.of(clock(1, 5), lease(row), new Change.OfCaller("ledger", 12))));
        }
        all.add(new Event.Majority(5, 8));
        all.add(answered(Answer.Kind.NO, false, false, 99));
        all.add(answered(Answer.Kind.UNKNOWN, false, false, 98));
        all.add(answered(Answer.Kind.UNKNOWN, false, true, 99));
        all.add(answered(Answer.Kind.UNKNOWN, true, false, 99));
        all.add(new Event.Answered(6, 1, new Answer(Answer.Kind.UNKNOWN, TENURE, "WHY", List.of())));
        all.add(new Event.Resolved(7, 1, new Answer(Answer.Kind.NO, null, null, List.of())));
        all.add(new Event.ValidUntil(8, 0, 0, TENURE, 81));
        all.add(new Event.ValidityEnded(9, 0, 0, new HeldTenure("lease-0", "holder-0", 8)));
        all.add(new Event.Lost(10, 0, 0, 1, TENURE, "RELEASED"));
        all.add(new Event.Fault(11, 0, "PAUSE", 21));
        all.add(new Event.Fault(11, -1, "PAUSE", 20));
        all.add(new Event.RolledBack(12, 7));
        all.add(new Event.Reached(13, 0, "MISSED"));
        all.add(new Event.Broken(14, 0, "another error"));
        all.add(new Event.Finished(15));
        all.add(new Event.Exceeded(16, "WAITS"));
        all.add(new Event.Stopped(17, 0, 0, false));
        all.add(new Event.Healed(18));
        all.add(new Event.Revived(19, 0, 1, TENURE));
        all.add(new Event.Revived(19, 0, 0, new HeldTenure("lease-0", "holder-0", 8)));
        all.add(new Event.Disagreed(20, 0, 1, TENURE, true));
        all.add(new Event.Disagreed(20, 0, 0, new HeldTenure("lease-0", "holder-0", 8), true));
        all.add(new Event.Disagreed(20, 0, 0, TENURE, false));
        return all;
    }

    private static Event answered(Answer.Kind kind, boolean corrupt, boolean expired, long safeAfterNanos) {
        Shown shown = new Shown("lease-0", "holder-0", 7, corrupt, expired, safeAfterNanos);
        return new Event.Answered(6, 1, new Answer(kind, TENURE, "WHY", List.of(shown)));
    }

    private static List<LeaseRow> rows() {
        return List.of(
                new LeaseRow(null, 7, "m0#0i0n0", 100, 200L, 3, ROW.pins(), true),
                new LeaseRow("holder-0", 8, "m0#0i0n0", 100, 200L, 3, ROW.pins(), true),
                new LeaseRow("holder-0", 7, "m0#0i0n1", 100, 200L, 3, ROW.pins(), true),
                new LeaseRow("holder-0", 7, "m0#0i0n0", 101, 200L, 3, ROW.pins(), true),
                new LeaseRow("holder-0", 7, "m0#0i0n0", 100, 201L, 3, ROW.pins(), true),
                new LeaseRow("holder-0", 7, "m0#0i0n0", 100, null, 3, ROW.pins(), true),
                new LeaseRow("holder-0", 7, "m0#0i0n0", 100, 200L, 4, ROW.pins(), true),
                new LeaseRow("holder-0", 7, "m0#0i0n0", 100, 200L, 3, Set.of("entity-1"), true),
                new LeaseRow("holder-0", 7, "m0#0i0n0", 100, 200L, 3, ROW.pins(), false));
    }

    static Change lease(LeaseRow after) {
        return new Change.OfLease("lease-0", null, after);
    }

    static Change clock(long ticks, long stamp) {
        ClockRow before = new ClockRow(ticks - 1, 0, new TreeMap<>());
        return new Change.OfClock(
                before, new ClockRow(ticks, 0, new TreeMap<>(Map.of("m0#0i0n0", new WriterRow(stamp, stamp, null)))));
    }

    private static Operation operation(Operation.Kind kind) {
        return new Operation(kind, "lease-0", "holder-0", null, 5, false);
    }

    static History history(List<Event> events) {
        Plan plan = new Plan("calm", 1, Script.SETTING, List.of(MACHINE), List.of());
        return new History(plan, List.copyOf(events), List.of(new MachineClock(MACHINE)), 1);
    }

    /** The history in which this event stands in the place of the one of its time. */
    static History with(Event variant) {
        List<Event> events = new ArrayList<>(events());
        for (int i = 0; i < events.size(); i++) {
            if (events.get(i).atNanos() == variant.atNanos()) {
                events.set(i, variant);
            }
        }
        return history(events);
    }
}
