package dev.leasehold.simulator.report;

import static dev.leasehold.simulator.report.Script.MS;
import static dev.leasehold.simulator.report.Script.SECOND;

import dev.leasehold.simulator.checker.Guarantee;
import dev.leasehold.simulator.checker.Verdict;
import dev.leasehold.simulator.checker.Violation;
import dev.leasehold.simulator.clock.Machine;
import dev.leasehold.simulator.conditions.MessageFault;
import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Answer.Shown;
import dev.leasehold.simulator.history.Change;
import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Event.Author;
import dev.leasehold.simulator.history.Event.Leg;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Operation;
import dev.leasehold.simulator.plan.Action;
import dev.leasehold.simulator.plan.Command;
import dev.leasehold.simulator.plan.History;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/** Reports whose histories are written by hand. */
final class Reports {

    static final String LEASE = "lease-0";

    private Reports() {}

    /** A term that is taken over before its holder ceases to be valid, by an engine that forgets the margin; holders as named. */
    static Report overlap(String first, String second) {
        Script script = new Script(Script.SETTING)
                .machine(new Machine.Rate(0, -900_000), new Machine.Rate(9 * SECOND, -1_000_000))
                .machine(new Machine.Rate(0, 1_000_000))
                .command(new Command(
                        2 * SECOND,
                        0,
                        11,
                        new MessageFault(MessageFault.Kind.DELAY_REPLY, 1, 300 * MS),
                        new Action.Claim(0, 0, 10 * SECOND)))
                .command(new Command(2_500 * MS, 1, 12, null, new Action.Refresh()))
                .command(new Command(5 * SECOND, 0, 14, null, new Action.Suspend(2 * SECOND, false)))
                .command(new Command(
                        6 * SECOND, 1, 13, null, new Action.Aim(Action.Move.TAKE_OVER, 0, 1, 1, 20 * SECOND)));
        script.at(0).starts(0);
        script.at(0).starts(1);
        HeldTenure tenure = new HeldTenure(LEASE, first, 1);
        script.at(2 * SECOND);
        int claim = script.calls(0, new Operation(Operation.Kind.CLAIM, LEASE, first, null, 10 * SECOND, false));
        script.message(0, "read").message(0, "update").writes(0, claim, LEASE, first, 1, 10 * SECOND);
        script.after(300 * MS).answers(claim, Answer.Kind.YES, tenure, null);
        long endNanos = script.clock(0).afterElapsedNanos(2 * SECOND, 10 * SECOND);
        script.isValid(0, tenure, endNanos);
        script.at(2_500 * MS);
        int refresh = script.calls(1, new Operation(Operation.Kind.REFRESH, null, null, null, 0, false));
        long safeNanos = endNanos - 18 * MS;
        script.message(1, "read")
                .answers(refresh, Answer.Kind.YES, null, null, new Shown(LEASE, first, 1, false, false, safeNanos));
        script.at(5 * SECOND).add(new Event.Fault(5 * SECOND, 0, "SUSPEND", 7 * SECOND));
        script.at(8 * SECOND);
        int lost = script.calls(0, new Operation(Operation.Kind.LIST, null, null, null, 0, false));
        script.loses(0, "read", Leg.REPLY_LOST);
        script.after(2 * SECOND).answers(lost, Answer.Kind.NO, null, "LeaseUnavailableException");
        script.at(safeNanos + 1);
        int take = script.calls(1, new Operation(Operation.Kind.TAKE_OVER, LEASE, second, null, 20 * SECOND, false));
        HeldTenure taken = new HeldTenure(LEASE, second, 2);
        script.message(1, "update").writes(1, take, LEASE, second, 2, 20 * SECOND);
        script.after(MS / 2).answers(take, Answer.Kind.YES, taken, null);
        long brokenNanos = script.now();
        script.isValid(1, taken, script.clock(1).afterElapsedNanos(safeNanos, 20 * SECOND));
        script.at(endNanos).add(new Event.ValidityEnded(endNanos, 0, 0, tenure));
        script.at(60 * SECOND).add(new Event.Healed(60 * SECOND));
        script.at(100 * SECOND).message(0, "read").add(new Event.Finished(script.now()));
        Violation violation = new Violation(
                Guarantee.T2,
                brokenNanos,
                LEASE,
                first + " on m0 is valid until " + TimeText.instant(endNanos) + " that it holds " + LEASE
                        + " #1, and " + second + " on m1 is valid since " + TimeText.instant(brokenNanos)
                        + " that it holds #2.");
        return finding(script.history(), violation);
    }

    /** All kinds of faults and of ends of calls, some thousands of events, and a violation late in it. */
    static Report busy(int rounds) {
        Script script = new Script(Script.SETTING)
                .machine(new Machine.Rate(0, 400_000))
                .machine()
                .machine(new Machine.Rate(0, -1_000_000));
        for (int i = 0; i < 3; i++) {
            script.at(i * MS).starts(i);
        }
        script.at(SECOND);
        for (int round = 0; round < rounds; round++) {
            round(script, round);
        }
        long brokenNanos = script.now();
        script.at(brokenNanos + SECOND).add(new Event.Healed(script.now()));
        script.after(5 * SECOND).add(new Event.Finished(script.now()));
        return finding(
                script.history(),
                new Violation(Guarantee.G3, brokenNanos, LEASE, "m1 took lease-0 away before its time."));
    }

    private static void round(Script script, int round) {
        int machine = round % 3;
        String lease = "lease-" + round % 2;
        String holder = "holder-" + round % 4;
        HeldTenure tenure = new HeldTenure(lease, holder, round + 1);
        int call =
                script.calls(machine, new Operation(Operation.Kind.CLAIM, lease, holder, null, SECOND, round % 5 == 0));
        switch (round % 8) {
            case 3 -> {
                script.loses(machine, "update", Leg.REQUEST_LOST).after(200 * MS);
                script.answers(call, Answer.Kind.UNKNOWN, null, "LeaseOutcomeUnknownException");
                script.after(90 * MS)
                        .add(new Event.Resolved(
                                script.now(), call, new Answer(Answer.Kind.NO, null, "GONE", List.of())));
            }
            case 5 -> {
                script.crashes(machine, 300 * MS).after(300 * MS).starts(machine);
            }
            case 6 -> {
                script.message(machine, "update");
                List<Change> changes = List.of(script.ticks(machine), vacant(script, machine, lease, round));
                script.commits(Author.Kind.TRANSACTION, machine, call, changes);
                script.add(new Event.Fault(script.now(), -1, "FAIL_OVER", script.now() + 400 * MS));
                script.after(100 * MS).add(new Event.RolledBack(script.now(), script.version() - 1));
                Shown shown = new Shown(
                        lease,
                        holder,
                        round,
                        false,
                        false,
                        script.after(300 * MS).now() + 200 * MS);
                script.answers(call, Answer.Kind.NO, null, "HELD", shown);
            }
            default -> {
                script.message(machine, "update")
                        .writes(machine, call, lease, holder, round + 1, round % 5 == 0 ? null : SECOND);
                script.answers(call, Answer.Kind.YES, tenure, null);
                script.isValid(machine, tenure, script.now() + SECOND);
            }
        }
        if (round % 11 == 0) {
            script.add(new Event.Fault(
                    script.now(), (machine + 1) % 3, round % 2 == 0 ? "CUT_OFF" : "PAUSE", script.now() + 250 * MS));
        }
        script.after(round % 7 == 0 ? 900 * MS : 20 * MS);
    }

    private static Change vacant(Script script, int machine, String lease, long token) {
        LeaseRow row =
                new LeaseRow(null, token, script.writer(machine), script.stamp(machine), null, 0, Set.of(), true);
        return new Change.OfLease(lease, null, row);
    }

    /** A finding about nothing bad. */
    static Report good() {
        History history = new Script(Script.SETTING)
                .machine()
                .starts(0)
                .add(new Event.Finished(SECOND))
                .history();
        Verdict verdict = new Verdict(List.of(), new TreeMap<>());
        return Report.ofKeptPlan(null, null, history, verdict, "replay plan.json");
    }

    private static Report finding(History history, Violation violation) {
        Verdict verdict = new Verdict(List.of(violation), new TreeMap<>(java.util.Map.of("CONFLICT", 3L)));
        Statistics statistics = new Statistics();
        statistics.add(history, verdict);
        return new Report(
                violation,
                null,
                history.plan(),
                true,
                history,
                verdict,
                statistics,
                "java -jar leasehold-simulator.jar replay minimal.json");
    }
}
