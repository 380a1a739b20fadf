package dev.leasehold.mergequeue.queue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** A queue to be told, in the words of the scenarios. Time moves only when the test moves it. */
final class QueueFixture {

    static final Duration WINDOW = Duration.ofMinutes(5);
    static final Duration TTL = Duration.ofSeconds(30);
    static final Duration RETENTION = Duration.ofHours(24);

    final QueueRules rules;
    final List<EndedHold> ended = new ArrayList<>();
    final List<EndedWait> waits = new ArrayList<>();
    QueueState state = QueueState.EMPTY;
    private long elapsedNanos;

    private QueueFixture(QueueSettings settings) {
        this.rules = new QueueRules(settings);
    }

    static QueueFixture expecting(int requests) {
        return with(requests, 0, QueueSettings.NO_MAXIMUM, AfterFailure.COLLECT);
    }

    static QueueFixture passingOn(int requests) {
        return with(requests, 0, QueueSettings.NO_MAXIMUM, AfterFailure.PASS_ON);
    }

    static QueueFixture with(int expected, int delay, long maximumHoldNanos, AfterFailure afterFailure) {
        return of(settings(expected, delay, maximumHoldNanos, afterFailure, 100));
    }

    static QueueFixture of(QueueSettings settings) {
        return new QueueFixture(settings);
    }

    static QueueSettings settings(
            int expected, int delay, long maximumHoldNanos, AfterFailure afterFailure, int requestsMax) {
        return new QueueSettings(
                WINDOW.toNanos(),
                TTL.toNanos(),
                expected,
                delay,
                maximumHoldNanos,
                QueueSettings.NO_MAXIMUM,
                afterFailure,
                Newcomers.NEXT_ROUND,
                false,
                RETENTION.toNanos(),
                requestsMax);
    }

    QueueFixture after(Duration time) {
        elapsedNanos += time.toNanos();
        return this;
    }

    /** Time goes on in steps in which these poll, so that none is dropped. */
    void pollingFor(Duration time, String... shas) {
        Duration left = time;
        while (!left.isZero()) {
            Duration step = left.compareTo(TTL) > 0 ? TTL : left;
            after(step);
            for (String sha : shas) {
                acquire(sha, state.waiting().get(sha).priority());
            }
            left = left.minus(step);
        }
    }

    /** They register one after the other, with the priorities 1, 2 and so on. */
    QueueFixture arrive(String... shas) {
        for (int i = 0; i < shas.length; i++) {
            acquire(shas[i], i + 1);
        }
        return this;
    }

    /** What a run is told that asks. */
    String told(String sha, long priority) {
        return status(acquire(sha, priority));
    }

    QueueAnswer acquire(String sha, long priority) {
        return acquire(sha, priority, "ref-" + sha);
    }

    QueueAnswer acquire(String sha, long priority, String ref) {
        return acquire(RequestId.of(sha), priority, ref, Requester.ANY);
    }

    QueueAnswer acquire(RequestId id, long priority) {
        return acquire(id, priority, "ref-" + id.headSha(), Requester.ANY);
    }

    QueueAnswer acquire(RequestId id, long priority, String ref, Requester requester) {
        return tell(new QueueEvent.Acquire(id, Payload.of(ref, OptionalLong.empty()), priority, requester));
    }

    QueueAnswer success(String sha) {
        return release(sha, AskedStatus.SUCCESS, OptionalLong.empty());
    }

    QueueAnswer failure(String sha) {
        return release(sha, AskedStatus.FAILURE, OptionalLong.empty());
    }

    QueueAnswer release(String sha, AskedStatus status, OptionalLong token) {
        return tell(new QueueEvent.Release(RequestId.of(sha), status, token, Requester.ANY));
    }

    QueueAnswer withdraw(String sha) {
        return withdraw(sha, Requester.ANY);
    }

    QueueAnswer withdraw(String sha, Requester requester) {
        return tell(new QueueEvent.Withdraw(RequestId.of(sha), OptionalLong.empty(), requester));
    }

    QueueAnswer clear() {
        return tell(new QueueEvent.Clear());
    }

    void tick() {
        tell(new QueueEvent.Tick());
    }

    QueueAnswer tell(QueueEvent event) {
        Decision decision = rules.decide(state, event, elapsedNanos);
        elapsedNanos = 0;
        state = decision.state();
        ended.addAll(decision.ended());
        waits.addAll(decision.waits());
        return decision.answer();
    }

    /** {@return the status that the caller is told, or the rule by which it is refused} */
    static String status(QueueAnswer answer) {
        if (answer instanceof QueueAnswer.Pending) {
            return "pending";
        }
        if (answer instanceof QueueAnswer.Acquired) {
            return "acquired";
        }
        if (answer instanceof QueueAnswer.Ended ended) {
            return ended.request().status().told();
        }
        return answer instanceof QueueAnswer.Refused refused ? refused.rule().code() : answer.toString();
    }

    static long token(QueueAnswer answer) {
        return ((QueueAnswer.Acquired) answer).hold().token();
    }
}
