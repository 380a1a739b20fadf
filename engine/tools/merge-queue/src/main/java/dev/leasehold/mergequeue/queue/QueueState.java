package dev.leasehold.mergequeue.queue;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All that is known of one provider. Immutable.
 *
 * @param clockNanos for how long the provider has been served, as of the last event
 * @param changedNanos when the set of requests last changed
 * @param round the present round, from 1
 * @param passingOn whether a holder of this round failed, and the setting says that the rest of it goes first
 * @param lastToken of the latest hold, or a floor below which no token is given any more
 * @param lastSequence of the latest registration
 * @param holder which request holds, or null
 * @param waiting which requests wait, by key, in the order of registration
 * @param ended outcomes by id, in the order in which they came
 * @param history the last holds, newest first
 */
public record QueueState(
        long clockNanos,
        long changedNanos,
        long round,
        boolean passingOn,
        long lastToken,
        long lastSequence,
        @Nullable Hold holder,
        Map<String, PendingRequest> waiting,
        Map<String, EndedRequest> ended,
        List<EndedHold> history) {

    /** How many holds are kept for people. */
    public static final int HISTORY_MAX = 50;

    /** Of a provider that was never asked. */
    public static final QueueState EMPTY = new QueueState(0, 0, 1, false, 0, 0, null, Map.of(), Map.of(), List.of());

    /** Makes the collections unmodifiable; they must not be changed by the caller that handed them over. */
    public QueueState {
        waiting = Collections.unmodifiableMap(waiting);
        ended = Collections.unmodifiableMap(ended);
        history = Collections.unmodifiableList(history);
    }

    /** {@return which request holds} */
    public Optional<Hold> hold() {
        return Optional.ofNullable(holder);
    }

    /** {@return those that wait, in the order in which they are served} */
    public List<PendingRequest> inOrder() {
        return waiting.values().stream().sorted(PendingRequest.ORDER).toList();
    }

    /** {@return how many of the present round wait} */
    public int known() {
        return (int) members().count();
    }

    /** {@return whether a request holds or waits} */
    public boolean isLive() {
        return holder != null || !waiting.isEmpty();
    }

    /**
     * The same, in which no further token will be as small as one of the past may have been.
     *
     * @param floor that the next token is greater than
     * @return a state whose last token is at least that
     */
    public QueueState withTokensAbove(long floor) {
        return lastToken >= floor
                ? this
                : new QueueState(
                        clockNanos,
                        changedNanos,
                        round,
                        passingOn,
                        floor,
                        lastSequence,
                        holder,
                        waiting,
                        ended,
                        history);
    }

    Stream<PendingRequest> members() {
        return waiting.values().stream().filter(request -> request.round() == round);
    }

    Map<String, PendingRequest> waitingCopy() {
        return new LinkedHashMap<>(waiting);
    }

    Map<String, EndedRequest> endedCopy() {
        return new LinkedHashMap<>(ended);
    }

    QueueState atClock(long nowNanos) {
        return new QueueState(
                nowNanos, changedNanos, round, passingOn, lastToken, lastSequence, holder, waiting, ended, history);
    }

    QueueState withWaiting(Map<String, PendingRequest> newWaiting) {
        return new QueueState(
                clockNanos,
                changedNanos,
                round,
                passingOn,
                lastToken,
                lastSequence,
                holder,
                newWaiting,
                ended,
                history);
    }

    QueueState withEnded(Map<String, EndedRequest> newEnded) {
        return new QueueState(
                clockNanos,
                changedNanos,
                round,
                passingOn,
                lastToken,
                lastSequence,
                holder,
                waiting,
                newEnded,
                history);
    }

    QueueState with(PendingRequest request) {
        Map<String, PendingRequest> copy = waitingCopy();
        copy.put(request.key(), request);
        return withWaiting(copy);
    }

    QueueState setChanged() {
        return new QueueState(
                clockNanos, clockNanos, round, passingOn, lastToken, lastSequence, holder, waiting, ended, history);
    }

    QueueState withSequence(long sequence) {
        return new QueueState(
                clockNanos, changedNanos, round, passingOn, lastToken, sequence, holder, waiting, ended, history);
    }

    QueueState inRound(long newRound, boolean nowPassingOn) {
        return new QueueState(
                clockNanos,
                changedNanos,
                newRound,
                nowPassingOn,
                lastToken,
                lastSequence,
                holder,
                waiting,
                ended,
                history);
    }

    QueueState heldBy(Hold hold) {
        return new QueueState(
                clockNanos, changedNanos, round, passingOn, hold.token(), lastSequence, hold, waiting, ended, history);
    }

    QueueState vacated(List<EndedHold> newHistory) {
        return new QueueState(
                clockNanos, changedNanos, round, passingOn, lastToken, lastSequence, null, waiting, ended, newHistory);
    }
}
