package dev.leasehold.simulator.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.checker.HistoryChecker;
import dev.leasehold.simulator.clock.Machine;
import dev.leasehold.simulator.conditions.MessageFault;
import dev.leasehold.simulator.conditions.NetworkConditions;
import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Operation;
import dev.leasehold.simulator.plan.Action;
import dev.leasehold.simulator.plan.Command;
import dev.leasehold.simulator.plan.Components;
import dev.leasehold.simulator.plan.History;
import dev.leasehold.simulator.plan.Plan;
import dev.leasehold.simulator.plan.Setting;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EngineRunnerTest {

    private static final long SECOND = 1_000_000_000;
    private static final long MILLI = 1_000_000;

    private final EngineRunner runner = new EngineRunner();

    @AfterEach
    void close() {
        runner.close();
    }

    private static Plan plan(Command... commands) {
        return plan(4 * SECOND, commands);
    }

    private static Plan plan(long sessionNanos, Command... commands) {
        Setting setting = Setting.PLAIN
                .with("sessionNanos", sessionNanos)
                .with("heartbeatNanos", sessionNanos / 3)
                .with("operationNanos", SECOND)
                .with("commandNanos", SECOND)
                .with("lengthNanos", 8 * sessionNanos)
                .with("network", new NetworkConditions(MILLI, MILLI, 0, 0, 0, 0, 0, 0, 0));
        Machine machine = new Machine(0, 1_700_000_000 * SECOND, 1, List.of(new Machine.Rate(0, 0)));
        return new Plan("test", 1, setting, List.of(machine, machine, machine), List.of(commands));
    }

    private static Command at(long nanos, int machine, Action action) {
        return new Command(nanos, machine, nanos, null, action);
    }

    private static List<Answer> answers(History history) {
        List<Answer> answers = new ArrayList<>();
        for (Event event : history.events()) {
            if (event instanceof Event.Answered answered) {
                answers.add(answered.answer());
            }
        }
        return answers;
    }

    @Test
    void aClaimIsGrantedAndAnotherRefused() {
        History history = runner.run(plan(
                at(SECOND, 0, new Action.Claim(0, 1, 5 * SECOND)),
                at(2 * SECOND, 1, new Action.Claim(0, 2, 5 * SECOND))));

        assertThat(answers(history)).extracting(Answer::kind).startsWith(Answer.Kind.YES, Answer.Kind.NO);
    }

    @Test
    void theSamePlanMakesTheSameHistory() {
        Plan plan = plan(
                at(SECOND, 0, new Action.Acquire(0, 1, null, 0, 10 * SECOND)),
                at(2 * SECOND, 1, new Action.Acquire(0, 2, null, 20 * SECOND, 10 * SECOND)),
                at(5 * SECOND, 0, new Action.Crash(SECOND, 7)));

        assertThat(runner.run(plan).events()).isEqualTo(runner.run(plan).events());
    }

    @Test
    void whatIsFoundToHaveLandedOthersGoOnWith() {
        MessageFault unheard = new MessageFault(MessageFault.Kind.LOSE_REPLY, 4, 0);
        List<Event> events = runner.run(plan(
                        new Command(SECOND, 0, 1, unheard, new Action.Claim(0, 1, 20 * SECOND)),
                        at(5 * SECOND, 1, new Action.Extend(new Action.Choice(0, 0), SECOND))))
                .events();

        assertThat(events)
                .anyMatch(event ->
                        event instanceof Event.Answered it && it.answer().kind() == Answer.Kind.UNKNOWN)
                .anyMatch(event ->
                        event instanceof Event.Resolved it && it.answer().kind() == Answer.Kind.YES)
                .anyMatch(event ->
                        event instanceof Event.Called it && it.operation().kind() == Operation.Kind.EXTEND);
    }

    /** Others wait for it, and it is given back to them whether it was cancelled in the line or while it was granted. */
    @ParameterizedTest
    @ValueSource(longs = {0, 2 * MILLI, 12 * MILLI, 14 * MILLI, SECOND})
    void whatWasCancelledIsNotKept(long cancelNanos) {
        Action.Acquire waiting = new Action.Acquire(0, null, null, 10 * SECOND, 100 * SECOND);
        History history = runner.run(plan(
                at(SECOND, 0, new Action.Acquire(0, null, null, 0, 3 * SECOND)),
                at(2 * SECOND, 1, Components.with(waiting, "cancelNanos", cancelNanos)),
                at(3 * SECOND, 1, Components.with(waiting, "cancelNanos", SECOND + cancelNanos))));

        assertThat(answers(history))
                .filteredOn(answer -> Answer.CANCELLED.equals(answer.reason()))
                .isNotEmpty();
        assertThat(HistoryChecker.check(history.recording()).violations()).isEmpty();
    }

    // ---- leader election ----

    private static Action candidate(long keepNanos) {
        return Components.with(new Action.Acquire(0, null, null, 0, keepNanos), "elects", true);
    }

    /** The machines whose candidates lead, one after the other. */
    private static List<Integer> leaders(History history) {
        Map<Integer, Integer> campaigns = new HashMap<>();
        List<Integer> leaders = new ArrayList<>();
        for (Event event : history.events()) {
            if (event instanceof Event.Called called && called.operation().waitNanos() == Operation.FOR_EVER_NANOS) {
                campaigns.put(called.call(), called.machine());
            } else if (event instanceof Event.Answered answered
                    && campaigns.containsKey(answered.call())
                    && answered.answer().kind() == Answer.Kind.YES) {
                leaders.add(campaigns.get(answered.call()));
            }
        }
        return leaders;
    }

    @Test
    void aCandidateLeadsWhenTheOneBeforeItIsClosed() {
        History history =
                runner.run(plan(at(SECOND, 0, candidate(4 * SECOND)), at(2 * SECOND, 1, candidate(100 * SECOND))));

        assertThat(leaders(history)).containsExactly(0, 1);
        assertThat(HistoryChecker.check(history.recording()).violations()).isEmpty();
    }

    @Test
    void aCandidateThatIsClosedBeforeItLedIsCancelled() {
        History history =
                runner.run(plan(at(SECOND, 0, candidate(100 * SECOND)), at(2 * SECOND, 1, candidate(2 * SECOND))));

        assertThat(leaders(history)).containsExactly(0);
        assertThat(answers(history)).extracting(Answer::reason).contains(Answer.CANCELLED);
        assertThat(HistoryChecker.check(history.recording()).violations()).isEmpty();
    }

    @Test
    void aCandidateCampaignsAgainWhenItHasLostItsLease() {
        History history =
                runner.run(plan(at(SECOND, 0, candidate(100 * SECOND)), at(4 * SECOND, 1, new Action.ForceExpire(0))));

        assertThat(leaders(history)).containsExactly(0, 0);
        assertThat(history.events()).anyMatch(event -> event instanceof Event.Lost);
        assertThat(HistoryChecker.check(history.recording()).violations()).isEmpty();
    }

    @Test
    void engineOfAMachineMayHaveALongerSession() {
        Plan plain = plan(at(SECOND, 0, new Action.Acquire(0, 1, null, 0, 10 * SECOND)));
        Machine first = plain.machines().get(0);
        Machine slow = new Machine(0, first.wallNanos(), 1, first.rates(), 250);
        History history = runner.run(new Plan("test", 1, plain.setting(), List.of(slow, first), plain.commands()));

        assertThat(history.events())
                .filteredOn(event -> event instanceof Event.Called called
                        && called.operation().session())
                .extracting(event -> ((Event.Called) event).operation().durationNanos())
                .containsExactly(10 * SECOND, 4 * SECOND);
        assertThat(HistoryChecker.check(history.recording()).violations()).isEmpty();
    }

    /** Whenever it dies within its heartbeats. */
    @ParameterizedTest
    @ValueSource(longs = {2, 4, 30})
    void leaseOfAHolderThatWasKilledIsHeldByTheOneThatWaitsWhenItsSessionIsOver(long sessionSeconds) {
        long sessionNanos = sessionSeconds * SECOND;
        long dueNanos = sessionNanos * 1001 / 999 + 150 * MILLI;
        for (int tenths = 0; tenths <= 10; tenths++) {
            long killedNanos = 4 * sessionNanos + tenths * sessionNanos / 30;
            History history = runner.run(plan(
                    sessionNanos,
                    at(SECOND, 0, new Action.Acquire(0, 1, null, 0, 100 * sessionNanos)),
                    at(2 * SECOND, 1, new Action.Acquire(0, 2, null, 100 * sessionNanos, 100 * sessionNanos)),
                    at(killedNanos, 0, new Action.Crash(1000 * sessionNanos, 7))));

            assertThat(grantedNanos(history, 1)).isBetween(killedNanos, killedNanos + dueNanos);
        }
    }

    private static long grantedNanos(History history, int machine) {
        for (Event event : history.events()) {
            if (event instanceof Event.ValidUntil valid && valid.machine() == machine) {
                return valid.atNanos();
            }
        }
        throw new AssertionError("never granted on machine " + machine);
    }
}
