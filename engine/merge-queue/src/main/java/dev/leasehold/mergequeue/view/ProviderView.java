package dev.leasehold.mergequeue.view;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.leasehold.mergequeue.queue.EndedHold;
import dev.leasehold.mergequeue.queue.Hold;
import dev.leasehold.mergequeue.queue.PendingRequest;
import dev.leasehold.mergequeue.queue.QueueSettings;
import dev.leasehold.mergequeue.queue.QueueState;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One provider as of its last write. Durations are whole seconds, counted while a replica served the provider.
 *
 * @param provider its id
 * @param served_by the address of the replica that serves it; null for none
 * @param round the present one
 * @param holder who holds, or null
 * @param waiting who waits, the next one first
 * @param known_requests that count for the present round
 * @param expected_requests with which nobody waits for the window
 * @param window_remaining_seconds until the set of requests has settled, 0 if it has; null while nobody waits for that
 * @param after_failure which rule goes on after a failure
 * @param last_token of the latest hold
 * @param history the last holds, newest first
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
        List<HistoryView> history) {

    /**
     * Who holds.
     *
     * @param head_sha its id
     * @param head_ref its branch
     * @param priority its priority
     * @param token of the hold
     * @param held_seconds since it won
     * @param remaining_seconds until it counts as failed; null for never
     */
    public record HolderView(
            String head_sha,
            String head_ref,
            long priority,
            long token,
            long held_seconds,
            @Nullable Long remaining_seconds) {}

    /**
     * Who waits.
     *
     * @param head_sha its id
     * @param head_ref its branch
     * @param priority its priority
     * @param place 1 for the next
     * @param round in which it may win
     * @param seen_seconds since it last polled
     */
    public record WaiterView(
            String head_sha, String head_ref, long priority, int place, long round, long seen_seconds) {}

    /**
     * A hold that is over.
     *
     * @param round in which it was
     * @param token its token
     * @param head_sha who held
     * @param head_ref its branch
     * @param priority its priority
     * @param outcome how it ended
     * @param requests that the outcome was for, the holder included
     * @param held_seconds for how long
     * @param ended_seconds since it ended
     */
    public record HistoryView(
            long round,
            long token,
            String head_sha,
            String head_ref,
            long priority,
            String outcome,
            int requests,
            long held_seconds,
            long ended_seconds) {}

    /**
     * Makes the view.
     *
     * @param provider its id
     * @param servedBy the address of the replica that serves it; null for none
     * @param settings of the provider
     * @param state as of the last write
     * @return what is shown
     */
    public static ProviderView of(
            String provider, @Nullable String servedBy, QueueSettings settings, QueueState state) {
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
                state.history().stream().map(hold -> history(hold, state)).toList());
    }

    private static HolderView holder(Hold hold, QueueSettings settings, QueueState state) {
        long heldNanos = state.clockNanos() - hold.acquiredNanos();
        return new HolderView(
                hold.headSha(),
                hold.request().headRef(),
                hold.request().priority(),
                hold.token(),
                seconds(heldNanos),
                settings.maximumHoldNanos() == QueueSettings.NO_MAXIMUM
                        ? null
                        : Long.valueOf(seconds(Math.max(0, settings.maximumHoldNanos() - heldNanos))));
    }

    private static List<WaiterView> waiting(QueueState state) {
        List<PendingRequest> ordered = state.inOrder();
        return IntStream.range(0, ordered.size())
                .mapToObj(at -> waiter(ordered.get(at), at + 1, state))
                .toList();
    }

    private static WaiterView waiter(PendingRequest request, int place, QueueState state) {
        return new WaiterView(
                request.headSha(),
                request.headRef(),
                request.priority(),
                place,
                request.round(),
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
                hold.headSha(),
                hold.headRef(),
                hold.priority(),
                hold.outcome().name().toLowerCase(Locale.ROOT).replace('_', ' '),
                hold.size(),
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
