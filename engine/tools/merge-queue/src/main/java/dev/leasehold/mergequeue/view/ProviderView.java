package dev.leasehold.mergequeue.view;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.leasehold.mergequeue.queue.EndStatus;
import dev.leasehold.mergequeue.queue.EndedHold;
import dev.leasehold.mergequeue.queue.EndedRequest;
import dev.leasehold.mergequeue.queue.Hold;
import dev.leasehold.mergequeue.queue.Payload;
import dev.leasehold.mergequeue.queue.PendingRequest;
import dev.leasehold.mergequeue.queue.QueueSettings;
import dev.leasehold.mergequeue.queue.QueueState;
import dev.leasehold.mergequeue.queue.RequestId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One provider as of its last write. Durations are whole seconds, counted while a replica served the provider.
 *
 * @param provider its id
 * @param served_by the address of the replica that serves it; null for none
 * @param round the present one
 * @param holder which request holds, or null
 * @param waiting which requests wait, the next one first
 * @param known_requests that count for the present round
 * @param expected_requests with which none waits for the window
 * @param window_remaining_seconds until the set of requests has settled, 0 if it has; null while none waits for that
 * @param after_failure which rule goes on after a failure
 * @param last_token of the latest hold
 * @param history the last holds, newest first
 * @param ended_rounds the last rounds that are over, newest first
 * @param outcomes how the last requests ended, newest first
 * @param problem why its document cannot be read, so that no replica serves it; null if it can
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record ProviderView(
        String provider,
        @Nullable String served_by,
        long round,
        @Nullable HolderView holder,
        List<WaiterView> waiting,
        int known_requests,
        int expected_requests,
        @Nullable Long window_remaining_seconds,
        String after_failure,
        long last_token,
        List<HistoryView> history,
        List<RoundView> ended_rounds,
        List<OutcomeView> outcomes,
        @Nullable String problem) {

    /** How many outcomes are shown; they are kept for longer. */
    private static final int OUTCOMES_MAX = 200;

    /**
     * Which request.
     *
     * @param head_sha the commit that the run is for
     * @param run_id the run; null if the caller gave none
     * @param run_attempt the attempt of the run
     * @param job within the run; null if the caller gave none
     * @param head_ref the branch that the run is for
     * @param pull_request its number; null if it has none
     * @param by the name of the credentials that registered it; empty for none
     */
    public record RunView(
            String head_sha,
            @Nullable String run_id,
            int run_attempt,
            @Nullable String job,
            String head_ref,
            @Nullable Long pull_request,
            String by) {

        static RunView of(RequestId id, Payload payload, String by) {
            return new RunView(
                    id.headSha(),
                    id.runId().isEmpty() ? null : id.runId(),
                    id.attempt(),
                    id.job().isEmpty() ? null : id.job(),
                    payload.headRef(),
                    payload.pullRequest().isPresent()
                            ? Long.valueOf(payload.pullRequest().getAsLong())
                            : null,
                    by);
        }
    }

    /**
     * Which request holds.
     *
     * @param run that holds
     * @param priority its priority
     * @param token of the hold
     * @param waited_seconds from its registration until it won
     * @param held_seconds since it won
     * @param remaining_seconds until it counts as failed; null for never
     * @param long_hold whether it holds for unusually long
     */
    public record HolderView(
            @JsonUnwrapped RunView run,
            long priority,
            long token,
            long waited_seconds,
            long held_seconds,
            @Nullable Long remaining_seconds,
            boolean long_hold) {}

    /**
     * Which request waits.
     *
     * @param run that waits
     * @param priority its priority
     * @param place 1 for the next
     * @param round in which it may win
     * @param waited_seconds since it registered
     * @param seen_seconds since it last polled
     */
    public record WaiterView(
            @JsonUnwrapped RunView run, long priority, int place, long round, long waited_seconds, long seen_seconds) {}

    /**
     * A hold that is over.
     *
     * @param round in which it was
     * @param token its token
     * @param run that held
     * @param priority its priority
     * @param outcome how it ended
     * @param requests that the outcome was for, the holder included
     * @param waited_seconds from its registration until it won
     * @param held_seconds for how long
     * @param ended_seconds since it ended
     */
    public record HistoryView(
            long round,
            long token,
            @JsonUnwrapped RunView run,
            long priority,
            String outcome,
            int requests,
            long waited_seconds,
            long held_seconds,
            long ended_seconds) {}

    /**
     * A round that is over.
     *
     * @param round its number
     * @param outcome how its last hold ended
     * @param holds how many holds there were in it
     * @param requests how many requests its last outcome was for
     * @param run that held last
     * @param token of its last hold
     * @param ended_seconds since it ended
     */
    public record RoundView(
            long round,
            String outcome,
            int holds,
            int requests,
            @JsonUnwrapped RunView run,
            long token,
            long ended_seconds) {}

    /**
     * How a request ended.
     *
     * @param run that asked
     * @param priority its priority
     * @param round in which it ended
     * @param outcome how it ended
     * @param token of the hold that ended it; 0 for none
     * @param winner_sha the commit of that hold; null for none
     * @param ended_seconds since it ended
     */
    public record OutcomeView(
            @JsonUnwrapped RunView run,
            long priority,
            long round,
            String outcome,
            long token,
            @Nullable String winner_sha,
            long ended_seconds) {}

    /**
     * Makes the view.
     *
     * @param provider its id
     * @param servedBy the address of the replica that serves it; null for none
     * @param settings of the provider
     * @param state as of the last write
     * @param problem why its document cannot be read; null if it can
     * @return what is shown
     */
    public static ProviderView of(
            String provider,
            @Nullable String servedBy,
            QueueSettings settings,
            QueueState state,
            @Nullable String problem) {
        return new ProviderView(
                provider,
                servedBy,
                state.round(),
                state.hold().map(hold -> holder(hold, settings, state)).orElse(null),
                waiting(state),
                state.known(),
                settings.expected(),
                windowRemaining(settings, state),
                settings.afterFailure().text(),
                state.lastToken(),
                state.history().stream().map(hold -> history(hold, state)).toList(),
                rounds(state),
                outcomes(state),
                problem);
    }

    /**
     * The same of a provider that another replica may serve by now.
     *
     * @param address of the replica that serves it; null for none
     * @return what is shown
     */
    public ProviderView servedBy(@Nullable String address) {
        return new ProviderView(
                provider,
                address,
                round,
                holder,
                waiting,
                known_requests,
                expected_requests,
                window_remaining_seconds,
                after_failure,
                last_token,
                history,
                ended_rounds,
                outcomes,
                problem);
    }

    /** Of each round the hold that ended it; the present round has not ended. */
    private static List<RoundView> rounds(QueueState state) {
        Map<Long, List<EndedHold>> rounds = new LinkedHashMap<>();
        state.history().stream()
                .filter(hold -> hold.round() < state.round())
                .forEach(hold -> rounds.computeIfAbsent(hold.round(), round -> new ArrayList<>())
                        .add(hold));
        return rounds.values().stream().map(holds -> round(holds, state)).toList();
    }

    private static RoundView round(List<EndedHold> holds, QueueState state) {
        EndedHold last = holds.get(0);
        return new RoundView(
                last.round(),
                describe(last.outcome()),
                holds.size(),
                last.size(),
                RunView.of(last.id(), last.payload(), ""),
                last.token(),
                seconds(state.clockNanos() - last.endedNanos()));
    }

    private static List<OutcomeView> outcomes(QueueState state) {
        List<EndedRequest> ended = new ArrayList<>(state.ended().values());
        Collections.reverse(ended);
        return ended.stream()
                .limit(OUTCOMES_MAX)
                .map(request -> new OutcomeView(
                        RunView.of(request.id(), request.payload(), request.by()),
                        request.priority(),
                        request.round(),
                        describe(request.status()),
                        request.token(),
                        request.winner() == null ? null : request.winner().headSha(),
                        seconds(state.clockNanos() - request.endedNanos())))
                .toList();
    }

    private static String describe(EndStatus status) {
        return status.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static HolderView holder(Hold hold, QueueSettings settings, QueueState state) {
        long heldNanos = state.clockNanos() - hold.acquiredNanos();
        PendingRequest request = hold.request();
        return new HolderView(
                RunView.of(request.id(), request.payload(), request.by()),
                request.priority(),
                hold.token(),
                seconds(hold.acquiredNanos() - request.registeredNanos()),
                seconds(heldNanos),
                settings.maximumHoldNanos() == QueueSettings.NO_MAXIMUM
                        ? null
                        : Long.valueOf(seconds(Math.max(0, settings.maximumHoldNanos() - heldNanos))),
                settings.isLongHold(heldNanos));
    }

    private static List<WaiterView> waiting(QueueState state) {
        List<PendingRequest> ordered = state.inOrder();
        return IntStream.range(0, ordered.size())
                .mapToObj(at -> waiter(ordered.get(at), at + 1, state))
                .toList();
    }

    private static WaiterView waiter(PendingRequest request, int place, QueueState state) {
        return new WaiterView(
                RunView.of(request.id(), request.payload(), request.by()),
                request.priority(),
                place,
                request.round(),
                seconds(state.clockNanos() - request.registeredNanos()),
                seconds(state.clockNanos() - request.seenNanos()));
    }

    private static @Nullable Long windowRemaining(QueueSettings settings, QueueState state) {
        if (state.hold().isPresent() || state.waiting().isEmpty()) {
            return null;
        }
        boolean settled = state.passingOn() || state.known() >= settings.expected();
        long openNanos = settings.windowNanos() - (state.clockNanos() - state.changedNanos());
        return settled ? 0 : secondsUp(Math.max(0, openNanos));
    }

    private static HistoryView history(EndedHold hold, QueueState state) {
        return new HistoryView(
                hold.round(),
                hold.token(),
                RunView.of(hold.id(), hold.payload(), ""),
                hold.priority(),
                describe(hold.outcome()),
                hold.size(),
                seconds(hold.waitedNanos()),
                seconds(hold.heldNanos()),
                seconds(state.clockNanos() - hold.endedNanos()));
    }

    private static long seconds(long nanos) {
        return TimeUnit.NANOSECONDS.toSeconds(nanos);
    }

    /** What is left of a window is never shown as zero while there is any. */
    private static long secondsUp(long nanos) {
        return seconds(nanos + TimeUnit.SECONDS.toNanos(1) - 1);
    }
}
