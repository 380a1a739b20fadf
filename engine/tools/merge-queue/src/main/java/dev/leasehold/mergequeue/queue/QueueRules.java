package dev.leasehold.mergequeue.queue;

import dev.leasehold.mergequeue.queue.EndedWait.Outcome;
import dev.leasehold.mergequeue.queue.QueueAnswer.Wait;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
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

    /** {@return the settings of the provider} */
    public QueueSettings settings() {
        return settings;
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
        Trail trail = new Trail(new ArrayList<>(), new ArrayList<>());
        QueueState now = advance(state, elapsedNanos, trail);
        Step step = step(now, event, trail);
        return new Decision(step.state(), step.answer(), List.copyOf(trail.holds()), List.copyOf(trail.waits()));
    }

    /** What ended on the way. */
    private record Trail(List<EndedHold> holds, List<EndedWait> waits) {

        void waited(PendingRequest request, Outcome outcome, long nowNanos) {
            waits.add(new EndedWait(outcome, nowNanos - request.registeredNanos()));
        }
    }

    private record Step(QueueState state, QueueAnswer answer) {}

    private Step step(QueueState state, QueueEvent event, Trail trail) {
        if (event instanceof QueueEvent.Acquire acquire) {
            return acquire(state, acquire, trail);
        }
        if (event instanceof QueueEvent.Release release) {
            return release(state, release, trail);
        }
        if (event instanceof QueueEvent.Withdraw withdraw) {
            return withdraw(state, withdraw, trail);
        }
        if (event instanceof QueueEvent.Clear) {
            return clear(state, trail);
        }
        return new Step(state, new QueueAnswer.Ticked());
    }

    // The time.

    private QueueState advance(QueueState before, long elapsedNanos, Trail trail) {
        QueueState state = before.atClock(before.clockNanos() + Math.max(0, elapsedNanos));
        return forgetOutcomes(dropUnseen(expireHold(state, trail), trail));
    }

    private QueueState expireHold(QueueState state, Trail trail) {
        Hold hold = state.holder();
        return hold == null || state.clockNanos() - hold.acquiredNanos() <= settings.maximumHoldNanos()
                ? state
                : failed(state, hold, EndStatus.EXPIRED, trail);
    }

    private QueueState dropUnseen(QueueState state, Trail trail) {
        List<PendingRequest> unseen = state.waiting().values().stream()
                .filter(request -> isUnseen(state, request))
                .toList();
        if (unseen.isEmpty()) {
            return state;
        }
        Map<String, PendingRequest> waiting = state.waitingCopy();
        for (PendingRequest request : unseen) {
            waiting.remove(request.key());
            trail.waited(request, Outcome.DROPPED, state.clockNanos());
        }
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
        return state.clockNanos() - request.lastNanos() > settings.retentionNanos();
    }

    // Acquire.

    private Step acquire(QueueState state, QueueEvent.Acquire event, Trail trail) {
        String key = event.id().key();
        Hold hold = state.holder();
        if (hold != null && hold.key().equals(key)) {
            return new Step(
                    state, event.requester().owns(hold.request()) ? acquired(state, hold) : notYours(hold.request()));
        }
        PendingRequest known = state.waiting().get(key);
        if (known != null) {
            return event.requester().owns(known)
                    ? poll(refreshed(state, known, event), key, trail)
                    : new Step(state, notYours(known));
        }
        EndedRequest outcome = state.ended().get(key);
        if (outcome != null && stands(state, outcome, event.requester())) {
            return new Step(
                    state, outcome.status().cleared() ? clearedRefusal(outcome) : new QueueAnswer.Ended(outcome));
        }
        long replaced = earlierAttempts(state, event).count();
        QueueState roomy = isFull(state, replaced) ? withoutOldWithdrawals(state) : state;
        if (isFull(roomy, replaced)) {
            return new Step(roomy, refused(Rule.REQUEST_LIMIT, full(roomy)));
        }
        if (isSuperseded(roomy, event)) {
            return ended(withdrawnBeforeItCame(roomy, event.id(), event.requester()), key);
        }
        return poll(registered(superseded(roomy, event, trail), event), key, trail);
    }

    /** A later attempt of the same job is there: this is a poll that was long under way, and no run waits for its answer. */
    private static boolean isSuperseded(QueueState state, QueueEvent.Acquire event) {
        return Stream.concat(state.hold().map(Hold::request).stream(), state.waiting().values().stream())
                .anyMatch(request ->
                        request.id().supersedes(event.id()) && event.requester().owns(request));
    }

    /** Other credentials that withdraw what has not registered yet do not keep it out, and do not hide that its own withdraw it. */
    private boolean stands(QueueState state, EndedRequest outcome, Requester requester) {
        if (outcome.status() != EndStatus.WITHDRAWN) {
            return !mayComeAgain(state, outcome);
        }
        Long withdrawnNanos = outcome.withdrawnNanos(requester.name());
        return withdrawnNanos != null && state.clockNanos() - withdrawnNanos <= settings.ttlNanos();
    }

    /** Their pollers are gone, so they would only keep others waiting until the TTL is over. */
    private static QueueState superseded(QueueState state, QueueEvent.Acquire event, Trail trail) {
        QueueState next = state;
        for (PendingRequest request : earlierAttempts(state, event).toList()) {
            next = withdrawn(next, request, trail);
        }
        return next;
    }

    private static Stream<PendingRequest> earlierAttempts(QueueState state, QueueEvent.Acquire event) {
        return state.waiting().values().stream()
                .filter(request ->
                        event.id().supersedes(request.id()) && event.requester().owns(request));
    }

    /**
     * Not at once after a failure: a poll of the run that has failed may still be under way, say in a replica that was frozen, and would
     * register a request for which no run asks any more.
     */
    private boolean mayComeAgain(QueueState state, EndedRequest outcome) {
        return !outcome.status().completed() && state.clockNanos() - outcome.lastNanos() > settings.ttlNanos();
    }

    /** They have served their purpose, and must not keep others out until the retention is over. */
    private QueueState withoutOldWithdrawals(QueueState state) {
        Map<String, EndedRequest> outcomes = state.endedCopy();
        outcomes.values().removeIf(outcome -> outcome.status() == EndStatus.WITHDRAWN && mayComeAgain(state, outcome));
        return state.withEnded(outcomes);
    }

    private boolean isFull(QueueState state) {
        return isFull(state, 0);
    }

    /** Whether there is no room for one request more: those that it replaces make room among the requests, but become outcomes. */
    private boolean isFull(QueueState state, long replaced) {
        int live = state.waiting().size() + (state.holder() == null ? 0 : 1);
        return live - replaced >= settings.requestsMax() || live + kept(state) >= settings.outcomesMax();
    }

    /** A withdrawal by other credentials is one more outcome of the request: it takes room as well. */
    private static int kept(QueueState state) {
        return state.ended().values().stream()
                .mapToInt(outcome -> 1 + outcome.alsoWithdrawn().size())
                .sum();
    }

    private String full(QueueState state) {
        return state.waiting().size() + " requests wait and " + kept(state) + " outcomes are kept; at most "
                + settings.requestsMax() + " may wait or hold, and with outcomes there may be "
                + settings.outcomesMax();
    }

    private QueueState registered(QueueState state, QueueEvent.Acquire event) {
        long sequence = state.lastSequence() + 1;
        return state.withSequence(sequence)
                .with(new PendingRequest(
                        event.id(),
                        event.payload(),
                        event.requester().name(),
                        event.priority(),
                        state.passingOn() ? state.round() + 1 : roundOf(state, event.priority()),
                        sequence,
                        state.clockNanos(),
                        state.clockNanos(),
                        0))
                .setChanged();
    }

    private QueueState refreshed(QueueState state, PendingRequest before, QueueEvent.Acquire event) {
        PendingRequest known = before.seen(state.clockNanos());
        if (known.priority() == event.priority() && known.payload().equals(event.payload())) {
            return state.with(known);
        }
        // Never back into the round that goes on: a request that was told to wait for the next one stays in it.
        long round = Math.max(known.round(), roundOf(state, event.priority()));
        return state.with(known.changed(event.payload(), event.priority(), round))
                .setChanged();
    }

    /** The holder was chosen without what comes, or changes, now. */
    private long roundOf(QueueState state, long priority) {
        Hold hold = state.holder();
        boolean joins = hold == null
                || settings.newcomers() == Newcomers.JOIN_HOLDER
                        && priority <= hold.request().priority();
        return joins ? state.round() : state.round() + 1;
    }

    private Step poll(QueueState state, String key, Trail trail) {
        PendingRequest request = Objects.requireNonNull(state.waiting().get(key));
        Wait wait = waitsFor(state, request);
        if (wait == null) {
            trail.waited(request, Outcome.ACQUIRED, state.clockNanos());
            QueueState won = won(state, request);
            return new Step(won, acquired(won, Objects.requireNonNull(won.holder())));
        }
        QueueState next = wait == Wait.DELAY ? state.with(request.delayedOnce()) : state;
        return new Step(
                next,
                new QueueAnswer.Pending(Objects.requireNonNull(next.waiting().get(key)), place(next, request), wait));
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
        waiting.remove(request.key());
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
                "an administrator cleared the queue while request '" + outcome.id() + "' was in it");
    }

    // Release.

    private Step release(QueueState state, QueueEvent.Release event, Trail trail) {
        String key = event.id().key();
        if (settings.tokenRequired() && event.token().isEmpty()) {
            return new Step(
                    state, refused(Rule.TOKEN_REQUIRED, "the release of '" + event.id() + "' carries no token"));
        }
        Hold hold = state.holder();
        if (hold != null && hold.key().equals(key)) {
            return event.requester().mayEnd(hold.request())
                    ? releaseHold(state, hold, event, trail)
                    : new Step(state, notYours(hold.request()));
        }
        EndedRequest outcome = state.ended().get(key);
        if (outcome != null && isRepeated(outcome, event, state.waiting().containsKey(key))) {
            return new Step(state, new QueueAnswer.Ended(outcome));
        }
        if (state.waiting().containsKey(key)) {
            return new Step(state, statusRefusal(event, "pending"));
        }
        return new Step(
                state,
                outcome == null
                        ? refused(Rule.NOT_HOLDER, "request '" + event.id() + "' is not known" + holderClause(hold))
                        : outcome.status().cleared()
                                ? clearedRefusal(outcome)
                                : statusRefusal(event, outcome.status().told()));
    }

    private Step releaseHold(QueueState state, Hold hold, QueueEvent.Release event, Trail trail) {
        if (event.token().isPresent() && event.token().getAsLong() != hold.token()) {
            EndedRequest earlier = state.ended().get(hold.key());
            return new Step(
                    state,
                    earlier != null && isRepeated(earlier, event, true)
                            ? new QueueAnswer.Ended(earlier)
                            : oldToken(hold, event.token().getAsLong()));
        }
        if (!event.status().isOutcome()) {
            return new Step(state, statusRefusal(event, "acquired"));
        }
        QueueState next = event.status() == AskedStatus.SUCCESS
                ? succeeded(state, hold, trail)
                : failed(state, hold, EndStatus.FAILURE, trail);
        return new Step(
                next, new QueueAnswer.Ended(Objects.requireNonNull(next.ended().get(hold.key()))));
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
                "request '" + event.id() + "' is " + from + ", and cannot become "
                        + event.status().text());
    }

    private static String holderClause(@Nullable Hold hold) {
        return hold == null
                ? ", and no request holds"
                : "; the holder is '" + hold.request().id() + "'";
    }

    private static QueueAnswer oldToken(Hold hold, long token) {
        return refused(
                Rule.OLD_TOKEN,
                "the present hold of '" + hold.request().id() + "' has token " + hold.token() + ", not " + token);
    }

    private static QueueAnswer notYours(PendingRequest request) {
        return refused(Rule.NOT_YOURS, "request '" + request.id() + "' was registered with other credentials");
    }

    private static QueueAnswer refused(Rule rule, String message) {
        return new QueueAnswer.Refused(rule, message);
    }

    // Withdraw.

    private Step withdraw(QueueState state, QueueEvent.Withdraw event, Trail trail) {
        String key = event.id().key();
        Hold hold = state.holder();
        if (hold != null && hold.key().equals(key)) {
            return withdrawHold(state, hold, event, trail);
        }
        PendingRequest known = state.waiting().get(key);
        if (known != null) {
            return event.requester().mayEnd(known)
                    ? ended(withdrawn(state, known, trail), key)
                    : new Step(state, notYours(known));
        }
        EndedRequest outcome = state.ended().get(key);
        if (outcome != null && stands(state, outcome, event.requester())) {
            return new Step(
                    state, outcome.status().cleared() ? clearedRefusal(outcome) : new QueueAnswer.Ended(outcome));
        }
        QueueState roomy = isFull(state) ? withoutOldWithdrawals(state) : state;
        if (isFull(roomy)) {
            return new Step(roomy, refused(Rule.REQUEST_LIMIT, full(roomy)));
        }
        if (outcome != null && !mayComeAgain(state, outcome)) {
            Map<String, EndedRequest> outcomes = roomy.endedCopy();
            outcomes.put(key, outcome.alsoWithdrawn(event.requester().name(), state.clockNanos()));
            return ended(roomy.withEnded(outcomes), key);
        }
        return ended(withdrawnBeforeItCame(roomy, event.id(), event.requester()), key);
    }

    private Step withdrawHold(QueueState state, Hold hold, QueueEvent.Withdraw event, Trail trail) {
        if (!event.requester().mayEnd(hold.request())) {
            return new Step(state, notYours(hold.request()));
        }
        if (event.token().isPresent() && event.token().getAsLong() != hold.token()) {
            return new Step(state, oldToken(hold, event.token().getAsLong()));
        }
        return ended(failed(state, hold, EndStatus.HOLD_WITHDRAWN, trail), hold.key());
    }

    private static Step ended(QueueState state, String key) {
        return new Step(
                state,
                new QueueAnswer.Ended(Objects.requireNonNull(state.ended().get(key))));
    }

    private static QueueState withdrawn(QueueState state, PendingRequest request, Trail trail) {
        trail.waited(request, Outcome.WITHDRAWN, state.clockNanos());
        Map<String, PendingRequest> waiting = state.waitingCopy();
        waiting.remove(request.key());
        Map<String, EndedRequest> outcomes = state.endedCopy();
        end(outcomes, state, null, request, EndStatus.WITHDRAWN);
        return closeEmptyRound(state.withWaiting(waiting).withEnded(outcomes));
    }

    /** Its first poll may still be under way, and must not win with no run there. */
    private static QueueState withdrawnBeforeItCame(QueueState state, RequestId id, Requester requester) {
        Map<String, EndedRequest> outcomes = state.endedCopy();
        outcomes.remove(id.key());
        outcomes.put(
                id.key(),
                new EndedRequest(
                        id,
                        Payload.NONE,
                        requester.name(),
                        0,
                        state.round(),
                        EndStatus.WITHDRAWN,
                        null,
                        null,
                        0,
                        state.clockNanos()));
        return state.withEnded(outcomes);
    }

    // The ends of a hold.

    private QueueState succeeded(QueueState state, Hold hold, Trail trail) {
        List<PendingRequest> completed = state.members().toList();
        Map<String, PendingRequest> waiting = state.waitingCopy();
        Map<String, EndedRequest> outcomes = state.endedCopy();
        end(outcomes, state, hold, hold.request(), EndStatus.SUCCESS);
        for (PendingRequest request : completed) {
            waiting.remove(request.key());
            trail.waited(request, Outcome.COMPLETED, state.clockNanos());
            end(outcomes, state, hold, request, EndStatus.COMPLETED);
        }
        return ended(state, hold, EndStatus.SUCCESS, 1 + completed.size(), trail)
                .withWaiting(waiting)
                .withEnded(outcomes)
                .inRound(state.round() + 1, false);
    }

    private QueueState failed(QueueState state, Hold hold, EndStatus status, Trail trail) {
        Map<String, EndedRequest> outcomes = state.endedCopy();
        end(outcomes, state, hold, hold.request(), status);
        QueueState dropped = ended(state, hold, status, 1, trail).withEnded(outcomes);
        if (settings.afterFailure() == AfterFailure.PASS_ON) {
            return closeEmptyRound(dropped.inRound(state.round(), true));
        }
        Map<String, PendingRequest> waiting = state.waitingCopy();
        waiting.replaceAll((sha, request) -> request.inRound(state.round()));
        return closeEmptyRound(dropped.withWaiting(waiting));
    }

    private Step clear(QueueState state, Trail trail) {
        Hold hold = state.holder();
        Map<String, EndedRequest> outcomes = state.endedCopy();
        if (hold != null) {
            end(outcomes, state, hold, hold.request(), EndStatus.HOLD_CLEARED);
        }
        for (PendingRequest request : state.waiting().values()) {
            trail.waited(request, Outcome.CLEARED, state.clockNanos());
            end(outcomes, state, hold, request, EndStatus.CLEARED);
        }
        int told = state.waiting().size() + (hold == null ? 0 : 1);
        QueueState cleared = hold == null ? state : ended(state, hold, EndStatus.HOLD_CLEARED, told, trail);
        return new Step(
                cleared.withWaiting(Map.of()).withEnded(outcomes).inRound(state.round() + 1, false),
                new QueueAnswer.Cleared(told));
    }

    private static QueueState ended(QueueState state, Hold hold, EndStatus status, int size, Trail trail) {
        EndedHold over = new EndedHold(
                state.round(),
                hold.token(),
                hold.request().id(),
                hold.request().payload(),
                hold.request().priority(),
                status,
                size,
                hold.acquiredNanos() - hold.request().registeredNanos(),
                state.clockNanos() - hold.acquiredNanos(),
                state.clockNanos());
        trail.holds().add(over);
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
        outcomes.remove(request.key());
        outcomes.put(request.key(), EndedRequest.of(request, state.round(), status, hold, state.clockNanos()));
    }

    /** A round of which no request remains is over; those that came too late for it make up the next one. */
    private static QueueState closeEmptyRound(QueueState state) {
        return state.holder() == null && state.members().findAny().isEmpty()
                ? state.inRound(state.round() + 1, false)
                : state;
    }
}
