package dev.leasehold.mergequeue.queue;

import dev.leasehold.mergequeue.queue.QueueAnswer.Wait;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Decides. Pure: the same state, event and time always give the same decision. */
public final class QueueRules {

    private final QueueSettings settings;

    /**
     * The rules under the settings of a provider.
     *
     * @param settings of the provider
     */
    public QueueRules(QueueSettings settings) {
        this.settings = settings;
    }

    /**
     * Moves the time on, then lets the event happen.
     *
     * @param state before
     * @param event what happens
     * @param elapsedNanos since the last event; what is less than zero counts as zero
     * @return the next state and the answer
     */
    public Decision decide(QueueState state, QueueEvent event, long elapsedNanos) {
        List<EndedHold> ended = new ArrayList<>();
        QueueState now = advance(state, elapsedNanos, ended);
        Step step = step(now, event, ended);
        return new Decision(step.state(), step.answer(), List.copyOf(ended));
    }

    private record Step(QueueState state, QueueAnswer answer) {}

    private Step step(QueueState state, QueueEvent event, List<EndedHold> ended) {
        if (event instanceof QueueEvent.Acquire acquire) {
            return acquire(state, acquire);
        }
        if (event instanceof QueueEvent.Release release) {
            return release(state, release, ended);
        }
        if (event instanceof QueueEvent.Clear) {
            return clear(state, ended);
        }
        return new Step(state, new QueueAnswer.Ticked());
    }

    // The time.

    private QueueState advance(QueueState before, long elapsedNanos, List<EndedHold> ended) {
        QueueState state = before.atClock(before.clockNanos() + Math.max(0, elapsedNanos));
        return forgetOutcomes(dropUnseen(expireHold(state, ended)));
    }

    private QueueState expireHold(QueueState state, List<EndedHold> ended) {
        Hold hold = state.holder();
        return hold == null || state.clockNanos() - hold.acquiredNanos() <= settings.maximumHoldNanos()
                ? state
                : failed(state, hold, EndStatus.EXPIRED, ended);
    }

    private QueueState dropUnseen(QueueState state) {
        if (state.waiting().values().stream().noneMatch(request -> isUnseen(state, request))) {
            return state;
        }
        Map<String, PendingRequest> waiting = state.waitingCopy();
        waiting.values().removeIf(request -> isUnseen(state, request));
        return closeEmptyRound(state.withWaiting(waiting));
    }

    private boolean isUnseen(QueueState state, PendingRequest request) {
        return state.clockNanos() - request.seenNanos() > settings.ttlNanos();
    }

    private QueueState forgetOutcomes(QueueState state) {
        // They are in the order in which they came, so the first tells whether there is anything to forget.
        Optional<EndedRequest> oldest = state.ended().values().stream().findFirst();
        if (oldest.isEmpty() || !isForgotten(state, oldest.get())) {
            return state;
        }
        Map<String, EndedRequest> outcomes = state.endedCopy();
        outcomes.values().removeIf(request -> isForgotten(state, request));
        return state.withEnded(outcomes);
    }

    private boolean isForgotten(QueueState state, EndedRequest request) {
        return state.clockNanos() - request.endedNanos() > settings.retentionNanos();
    }

    // Acquire.

    private Step acquire(QueueState state, QueueEvent.Acquire event) {
        Hold hold = state.holder();
        if (hold != null && hold.headSha().equals(event.headSha())) {
            return new Step(state, acquired(state, hold));
        }
        if (state.waiting().containsKey(event.headSha())) {
            return poll(refreshed(state, event), event.headSha());
        }
        EndedRequest outcome = state.ended().get(event.headSha());
        if (outcome != null && !mayComeAgain(state, outcome)) {
            return new Step(
                    state, outcome.status().cleared() ? clearedRefusal(outcome) : new QueueAnswer.Ended(outcome));
        }
        if (isFull(state)) {
            return new Step(state, refused(Rule.REQUEST_LIMIT, full(state)));
        }
        return poll(registered(state, event), event.headSha());
    }

    /**
     * Not at once after a failure: a poll of the run that has failed may still be under way, say in a replica that was frozen, and would
     * register a request for which nobody asks any more.
     */
    private boolean mayComeAgain(QueueState state, EndedRequest outcome) {
        return (outcome.status().failed() || outcome.status().cleared())
                && state.clockNanos() - outcome.endedNanos() > settings.ttlNanos();
    }

    private boolean isFull(QueueState state) {
        int live = state.waiting().size() + (state.holder() == null ? 0 : 1);
        return live >= settings.requestsMax() || live + state.ended().size() >= settings.outcomesMax();
    }

    private String full(QueueState state) {
        return state.waiting().size() + " requests wait and " + state.ended().size() + " outcomes are kept; at most "
                + settings.requestsMax() + " may wait or hold, and with outcomes there may be "
                + settings.outcomesMax();
    }

    private QueueState registered(QueueState state, QueueEvent.Acquire event) {
        long sequence = state.lastSequence() + 1;
        return state.withSequence(sequence)
                .with(new PendingRequest(
                        event.headSha(),
                        event.headRef(),
                        event.priority(),
                        state.passingOn() ? state.round() + 1 : roundOf(state, event.priority()),
                        sequence,
                        state.clockNanos(),
                        0))
                .setChanged();
    }

    private QueueState refreshed(QueueState state, QueueEvent.Acquire event) {
        PendingRequest known =
                Objects.requireNonNull(state.waiting().get(event.headSha())).seen(state.clockNanos());
        if (known.priority() == event.priority() && known.headRef().equals(event.headRef())) {
            return state.with(known);
        }
        long round = state.passingOn() ? known.round() : roundOf(state, event.priority());
        return state.with(known.changed(event.headRef(), event.priority(), round))
                .setChanged();
    }

    /** Who comes with more than the holder carries is not done when the holder is, so it is of the next round. */
    private static long roundOf(QueueState state, long priority) {
        Hold hold = state.holder();
        return hold != null && priority > hold.request().priority() ? state.round() + 1 : state.round();
    }

    private Step poll(QueueState state, String headSha) {
        PendingRequest request = Objects.requireNonNull(state.waiting().get(headSha));
        Wait wait = waitsFor(state, request);
        if (wait == null) {
            QueueState won = won(state, request);
            return new Step(won, acquired(won, Objects.requireNonNull(won.holder())));
        }
        QueueState next = wait == Wait.DELAY ? state.with(request.delayedOnce()) : state;
        return new Step(
                next,
                new QueueAnswer.Pending(
                        Objects.requireNonNull(next.waiting().get(headSha)), place(next, request), wait));
    }

    private @Nullable Wait waitsFor(QueueState state, PendingRequest request) {
        if (state.holder() != null) {
            return Wait.HOLDER;
        }
        if (request.round() != state.round()) {
            return Wait.ROUND;
        }
        if (place(state, request) > 1) {
            return Wait.PRIORITY;
        }
        if (!isSettled(state)) {
            return Wait.SETTLING;
        }
        return request.delayed() < settings.delay() ? Wait.DELAY : null;
    }

    private boolean isSettled(QueueState state) {
        return state.passingOn()
                || state.clockNanos() - state.changedNanos() >= settings.windowNanos()
                || state.known() >= settings.expected();
    }

    private static int place(QueueState state, PendingRequest request) {
        return 1
                + (int) state.waiting().values().stream()
                        .filter(other -> PendingRequest.ORDER.compare(other, request) < 0)
                        .count();
    }

    private static QueueState won(QueueState state, PendingRequest request) {
        Map<String, PendingRequest> waiting = state.waitingCopy();
        waiting.remove(request.headSha());
        return state.withWaiting(waiting).heldBy(new Hold(request, state.lastToken() + 1, state.clockNanos()));
    }

    private static QueueAnswer acquired(QueueState state, Hold hold) {
        return new QueueAnswer.Acquired(
                hold,
                state.members()
                        .filter(other -> other.priority() < hold.request().priority())
                        .sorted(PendingRequest.ORDER)
                        .toList());
    }

    private static QueueAnswer clearedRefusal(EndedRequest outcome) {
        return refused(
                Rule.QUEUE_CLEARED,
                "an administrator cleared the queue while request '" + outcome.headSha() + "' was in it");
    }

    // Release.

    private Step release(QueueState state, QueueEvent.Release event, List<EndedHold> ended) {
        Hold hold = state.holder();
        if (hold != null && hold.headSha().equals(event.headSha())) {
            return releaseHold(state, hold, event, ended);
        }
        EndedRequest outcome = state.ended().get(event.headSha());
        if (outcome != null && isRepeated(outcome, event, state.waiting().containsKey(event.headSha()))) {
            return new Step(state, new QueueAnswer.Ended(outcome));
        }
        if (state.waiting().containsKey(event.headSha())) {
            return new Step(state, statusRefusal(event, "pending"));
        }
        return new Step(
                state,
                outcome == null
                        ? refused(
                                Rule.NOT_HOLDER, "request '" + event.headSha() + "' is not known" + holderClause(hold))
                        : outcome.status().cleared()
                                ? clearedRefusal(outcome)
                                : statusRefusal(event, outcome.status().told()));
    }

    private Step releaseHold(QueueState state, Hold hold, QueueEvent.Release event, List<EndedHold> ended) {
        if (event.token().isPresent() && event.token().getAsLong() != hold.token()) {
            EndedRequest earlier = state.ended().get(event.headSha());
            return new Step(
                    state,
                    earlier != null && isRepeated(earlier, event, true)
                            ? new QueueAnswer.Ended(earlier)
                            : refused(
                                    Rule.OLD_TOKEN,
                                    "the present hold of '" + hold.headSha() + "' has token " + hold.token() + ", not "
                                            + event.token().getAsLong()));
        }
        if (!event.status().isOutcome()) {
            return new Step(state, statusRefusal(event, "acquired"));
        }
        QueueState next = event.status() == AskedStatus.SUCCESS
                ? succeeded(state, hold, ended)
                : failed(state, hold, EndStatus.FAILURE, ended);
        return new Step(
                next, new QueueAnswer.Ended(Objects.requireNonNull(next.ended().get(hold.headSha()))));
    }

    /** A request that has registered anew may repeat an earlier release only with the token, else it may mean the new one. */
    private static boolean isRepeated(EndedRequest outcome, QueueEvent.Release event, boolean registeredAnew) {
        boolean tokenFits = event.token().isPresent() ? event.token().getAsLong() == outcome.token() : !registeredAnew;
        boolean statusFits = event.status() == AskedStatus.SUCCESS && outcome.status() == EndStatus.SUCCESS
                || event.status() == AskedStatus.FAILURE && outcome.status().failed();
        return tokenFits && statusFits;
    }

    private static QueueAnswer statusRefusal(QueueEvent.Release event, String from) {
        return refused(
                Rule.STATUS_CHANGE,
                "request '" + event.headSha() + "' is " + from + ", and cannot become "
                        + event.status().text());
    }

    private static String holderClause(@Nullable Hold hold) {
        return hold == null ? ", and nobody holds" : "; the holder is '" + hold.headSha() + "'";
    }

    private static QueueAnswer refused(Rule rule, String message) {
        return new QueueAnswer.Refused(rule, message);
    }

    // The ends of a hold.

    private QueueState succeeded(QueueState state, Hold hold, List<EndedHold> ended) {
        List<PendingRequest> completed = state.members().toList();
        Map<String, PendingRequest> waiting = state.waitingCopy();
        Map<String, EndedRequest> outcomes = state.endedCopy();
        end(outcomes, state, hold, hold.request(), EndStatus.SUCCESS);
        for (PendingRequest request : completed) {
            waiting.remove(request.headSha());
            end(outcomes, state, hold, request, EndStatus.COMPLETED);
        }
        return ended(state, hold, EndStatus.SUCCESS, 1 + completed.size(), ended)
                .withWaiting(waiting)
                .withEnded(outcomes)
                .inRound(state.round() + 1, false);
    }

    private QueueState failed(QueueState state, Hold hold, EndStatus status, List<EndedHold> ended) {
        Map<String, EndedRequest> outcomes = state.endedCopy();
        end(outcomes, state, hold, hold.request(), status);
        QueueState dropped = ended(state, hold, status, 1, ended).withEnded(outcomes);
        if (settings.afterFailure() == AfterFailure.PASS_ON) {
            return closeEmptyRound(dropped.inRound(state.round(), true));
        }
        Map<String, PendingRequest> waiting = state.waitingCopy();
        waiting.replaceAll((sha, request) -> request.inRound(state.round()));
        return closeEmptyRound(dropped.withWaiting(waiting));
    }

    private Step clear(QueueState state, List<EndedHold> ended) {
        Hold hold = state.holder();
        Map<String, EndedRequest> outcomes = state.endedCopy();
        if (hold != null) {
            end(outcomes, state, hold, hold.request(), EndStatus.HOLD_CLEARED);
        }
        for (PendingRequest request : state.waiting().values()) {
            end(outcomes, state, hold, request, EndStatus.CLEARED);
        }
        int told = state.waiting().size() + (hold == null ? 0 : 1);
        QueueState cleared = hold == null ? state : ended(state, hold, EndStatus.HOLD_CLEARED, told, ended);
        return new Step(
                cleared.withWaiting(Map.of()).withEnded(outcomes).inRound(state.round() + 1, false),
                new QueueAnswer.Cleared(told));
    }

    private static QueueState ended(QueueState state, Hold hold, EndStatus status, int size, List<EndedHold> ended) {
        EndedHold over = new EndedHold(
                state.round(),
                hold.token(),
                hold.headSha(),
                hold.request().headRef(),
                hold.request().priority(),
                status,
                size,
                state.clockNanos() - hold.acquiredNanos(),
                state.clockNanos());
        ended.add(over);
        List<EndedHold> history = new ArrayList<>();
        history.add(over);
        state.history().stream().limit(QueueState.HISTORY_MAX - 1).forEach(history::add);
        return state.vacated(history);
    }

    private static void end(
            Map<String, EndedRequest> outcomes,
            QueueState state,
            @Nullable Hold hold,
            PendingRequest request,
            EndStatus status) {
        // Removed first, so that the order stays that in which the outcomes came.
        outcomes.remove(request.headSha());
        outcomes.put(
                request.headSha(),
                EndedRequest.of(
                        request,
                        state.round(),
                        status,
                        hold == null ? "" : hold.headSha(),
                        hold == null ? 0 : hold.token(),
                        state.clockNanos()));
    }

    /** A round of which nobody remains is over; those that came too late for it make up the next one. */
    private static QueueState closeEmptyRound(QueueState state) {
        return state.holder() == null && state.members().findAny().isEmpty()
                ? state.inRound(state.round() + 1, false)
                : state;
    }
}
