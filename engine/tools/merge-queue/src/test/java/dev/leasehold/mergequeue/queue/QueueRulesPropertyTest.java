package dev.leasehold.mergequeue.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What holds after any events in any order, under any settings. */
class QueueRulesPropertyTest {

    private static final Payload REF = Payload.of("ref", OptionalLong.empty());

    record Told(QueueEvent event, long elapsedNanos) {}

    @Provide
    Arbitrary<List<Told>> stories() {
        Arbitrary<String> shas = Arbitraries.of("a", "b", "c", "d", "e");
        Arbitrary<QueueEvent> acquires = Combinators.combine(
                        shas, Arbitraries.longs().between(1, 4))
                .as((sha, priority) -> new QueueEvent.Acquire(RequestId.of(sha), REF, priority, Requester.ANY));
        Arbitrary<QueueEvent> releases = Combinators.combine(shas, Arbitraries.of(AskedStatus.values()))
                .as((sha, status) ->
                        new QueueEvent.Release(RequestId.of(sha), status, OptionalLong.empty(), Requester.ANY));
        Arbitrary<QueueEvent> withdrawals =
                shas.map(sha -> new QueueEvent.Withdraw(RequestId.of(sha), OptionalLong.empty(), Requester.ANY));
        Arbitrary<QueueEvent> events = Arbitraries.frequencyOf(
                net.jqwik.api.Tuple.of(12, acquires),
                net.jqwik.api.Tuple.of(5, releases),
                net.jqwik.api.Tuple.of(1, withdrawals),
                net.jqwik.api.Tuple.of(1, Arbitraries.of(new QueueEvent.Clear(), new QueueEvent.Tick())));
        Arbitrary<Long> times = Arbitraries.of(
                0L,
                Duration.ofSeconds(1).toNanos(),
                Duration.ofSeconds(10).toNanos(),
                QueueFixture.TTL.toNanos() + 1,
                QueueFixture.WINDOW.toNanos());
        return Combinators.combine(events, times).as(Told::new).list().ofMaxSize(60);
    }

    @Provide
    Arbitrary<QueueSettings> settings() {
        return Combinators.combine(
                        Arbitraries.integers().between(1, 5),
                        Arbitraries.integers().between(0, 2),
                        Arbitraries.of(
                                QueueSettings.NO_MAXIMUM, Duration.ofSeconds(15).toNanos()),
                        Arbitraries.of(AfterFailure.values()))
                .as((expected, delay, hold, afterFailure) ->
                        QueueFixture.settings(expected, delay, hold, afterFailure, 100));
    }

    @Property(tries = 300)
    void oneHoldsAtATimeAndTokensGrow(@ForAll("stories") List<Told> story, @ForAll("settings") QueueSettings settings) {
        QueueRules rules = new QueueRules(settings);
        QueueState state = QueueState.EMPTY;
        for (Told told : story) {
            Hold before = state.holder();
            Decision decision = rules.decide(state, told.event(), told.elapsedNanos());
            QueueState after = decision.state();

            assertThat(after.lastToken()).isGreaterThanOrEqualTo(state.lastToken());
            if (decision.answer() instanceof QueueAnswer.Acquired acquired) {
                assertThat(acquired.hold()).isEqualTo(after.holder());
                boolean same =
                        before != null && before.token() == acquired.hold().token();
                assertThat(acquired.hold().token()).isEqualTo(same ? state.lastToken() : state.lastToken() + 1);
                // No other comes to hold before the hold before is over.
                assertThat(same || before == null || decision.ended().size() == 1)
                        .isTrue();
            } else if (after.holder() != null) {
                assertThat(after.holder()).isEqualTo(before);
            }
            state = after;
        }
    }

    /** A run that waited in a round that ended with success is told so from then on, until the retention is over. */
    @Property(tries = 300)
    void everyWaiterOfSuccessfulRoundIsTold(
            @ForAll("stories") List<Told> story, @ForAll("settings") QueueSettings settings) {
        QueueRules rules = new QueueRules(settings);
        QueueState state = QueueState.EMPTY;
        Map<String, Long> due = new HashMap<>();
        for (Told told : story) {
            Decision decision = rules.decide(state, told.event(), told.elapsedNanos());
            due.entrySet()
                    .removeIf(entry -> decision.state().clockNanos() - entry.getValue() > settings.retentionNanos());
            if (told.event() instanceof QueueEvent.Acquire acquire
                    && due.containsKey(acquire.id().key())) {
                assertThat(QueueFixture.status(decision.answer())).isEqualTo("completed");
            }
            if (decision.answer() instanceof QueueAnswer.Ended ended
                    && ended.request().status() == EndStatus.SUCCESS) {
                Set<String> gone = new HashSet<>(state.waiting().keySet());
                gone.removeAll(decision.state().waiting().keySet());
                gone.removeIf(sha -> !isCompletedNow(decision.state(), sha)); // the TTL may drop some in the same step
                gone.forEach(sha -> due.putIfAbsent(sha, decision.state().clockNanos()));
            }
            state = decision.state();
        }
    }

    /** A success completes only those of which the choice knew: that waited in the round when the holder was chosen. */
    @Property(tries = 300)
    void onlyThoseOfTheChoiceAreCompleted(
            @ForAll("stories") List<Told> story, @ForAll("settings") QueueSettings settings) {
        QueueRules rules = new QueueRules(settings);
        QueueState state = QueueState.EMPTY;
        Set<Long> chosenAmong = Set.of();
        for (Told told : story) {
            Decision decision = rules.decide(state, told.event(), told.elapsedNanos());
            Hold before = state.holder();
            Hold after = decision.state().holder();
            for (EndedRequest outcome : decision.state().ended().values()) {
                PendingRequest waited = state.waiting().get(outcome.key());
                if (outcome.status() == EndStatus.COMPLETED
                        && waited != null
                        && !state.ended().containsValue(outcome)) {
                    assertThat(chosenAmong).contains(waited.sequence());
                }
            }
            if (after != null && (before == null || before.token() != after.token())) {
                chosenAmong = decision.state().waiting().values().stream()
                        .map(PendingRequest::sequence)
                        .collect(Collectors.toSet());
            }
            state = decision.state();
        }
    }

    private static boolean isCompletedNow(QueueState state, String sha) {
        EndedRequest outcome = state.ended().get(sha);
        return outcome != null && outcome.status() == EndStatus.COMPLETED && outcome.endedNanos() == state.clockNanos();
    }

    /** A poll of every request in turn ends every round: no state is one in which none can ever win. */
    @Property(tries = 300)
    void queueNeverGetsStuck(@ForAll("stories") List<Told> story, @ForAll("settings") QueueSettings settings) {
        QueueRules rules = new QueueRules(settings);
        QueueState state = QueueState.EMPTY;
        for (Told told : story) {
            state = rules.decide(state, told.event(), told.elapsedNanos()).state();
        }
        int rest = state.waiting().size() + (state.holder() == null ? 0 : 1);
        for (int round = 0; round < rest * (settings.delay() + 2); round++) {
            if (state.holder() != null) {
                QueueEvent release = new QueueEvent.Release(
                        state.holder().request().id(), AskedStatus.FAILURE, OptionalLong.empty(), Requester.ANY);
                state = rules.decide(state, release, 0).state();
            }
            state = pollAllThroughTheWindow(rules, state);
        }
        assertThat(state.waiting()).isEmpty();
    }

    private static QueueState pollAllThroughTheWindow(QueueRules rules, QueueState from) {
        QueueState state = from;
        for (Duration left = QueueFixture.WINDOW; !left.isNegative(); left = left.minusSeconds(10)) {
            long elapsed = Duration.ofSeconds(10).toNanos();
            for (PendingRequest request : state.inOrder()) {
                QueueEvent poll =
                        new QueueEvent.Acquire(request.id(), request.payload(), request.priority(), Requester.ANY);
                state = rules.decide(state, poll, elapsed).state();
                elapsed = 0;
            }
        }
        return state;
    }
}
