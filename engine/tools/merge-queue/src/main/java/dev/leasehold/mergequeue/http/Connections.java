package dev.leasehold.mergequeue.http;

import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.Request;

/**
 * The connections of callers. One that has not sent a whole head for half a minute after it was opened, or after its last answer, is
 * closed, however steadily it sends: bytes alone would reset the server's own limit. One whose request is under way for longer than any
 * answer takes is closed as well: its caller does not read. When there are as many as may be, a new one takes the place of that which has
 * sent nothing whole for longest, so that a caller that comes and asks is answered. When answers that were not taken yet occupy as much
 * memory as they may, a new one takes the place of that which has waited for longest. An answer that is greater than all of them may be is
 * sent as well, and is the first whose place is taken. Safe for use by many threads.
 */
final class Connections implements Connection.Listener, AutoCloseable {

    private static final Duration HEAD_LIMIT = Duration.ofSeconds(30);
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(60);
    private static final int LOOKS = 10;
    private static final int COUNT_MAX = 4_000;
    private static final long UNTAKEN_BYTES_MAX = 32L * 1024 * 1024;

    private final Map<Connection, Progress> progress = new ConcurrentHashMap<>();
    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(task -> Threads.daemon(task, "merge-queue-connections"));

    private final AtomicLong untakenBytes = new AtomicLong();
    private final int countMax;
    private final long untakenBytesMax;
    private final long headLimitNanos;
    private final long answerLimitNanos;

    Connections() {
        this(HEAD_LIMIT, ANSWER_LIMIT, COUNT_MAX, UNTAKEN_BYTES_MAX);
    }

    Connections(Duration headLimit, Duration answerLimit, int countMax, long untakenBytesMax) {
        this.countMax = countMax;
        this.untakenBytesMax = untakenBytesMax;
        this.headLimitNanos = headLimit.toNanos();
        this.answerLimitNanos = answerLimit.toNanos();
        long periodNanos = Math.min(headLimitNanos, answerLimitNanos) / LOOKS;
        timer.scheduleWithFixedDelay(
                () -> closeThoseBefore(System.nanoTime()), periodNanos, periodNanos, TimeUnit.NANOSECONDS);
    }

    /** The bytes are those of a whole answer that was not taken yet. */
    private record Progress(boolean underWay, long sinceNanos, int untakenBytes) {}

    @Override
    public void onOpened(Connection connection) {
        progress.put(connection, new Progress(false, System.nanoTime(), 0));
        if (progress.size() > countMax) {
            longest(entry -> !entry.getValue().underWay()).ifPresent(this::end);
        }
    }

    private Optional<Connection> longest(Predicate<Map.Entry<Connection, Progress>> among) {
        long nowNanos = System.nanoTime();
        return progress.entrySet().stream()
                .filter(among)
                .max(Comparator.comparingLong(
                        entry -> nowNanos - entry.getValue().sinceNanos()))
                .map(Map.Entry::getKey);
    }

    private void end(Connection connection) {
        onClosed(connection);
        connection.getEndPoint().close();
    }

    @Override
    public void onClosed(Connection connection) {
        Progress last = progress.remove(connection);
        if (last != null) {
            untakenBytes.addAndGet(-last.untakenBytes());
        }
    }

    /** A whole head has come. */
    void began(Request request) {
        Connection connection = request.getConnectionMetaData().getConnection();
        mark(connection, true);
        Request.addCompletionListener(request, failure -> mark(connection, false));
    }

    private void mark(Connection connection, boolean underWay) {
        progress.computeIfPresent(connection, (same, before) -> {
            untakenBytes.addAndGet(-before.untakenBytes());
            return new Progress(underWay, System.nanoTime(), 0);
        });
    }

    /** A whole answer is about to be sent. */
    void answers(Request request, int bytes) {
        Connection connection = request.getConnectionMetaData().getConnection();
        progress.computeIfPresent(connection, (same, before) -> {
            untakenBytes.addAndGet(bytes);
            return new Progress(true, System.nanoTime(), bytes);
        });
        while (untakenBytes.get() > untakenBytesMax) {
            Optional<Connection> replaced =
                    longest(entry -> isOversized(entry.getValue()) && entry.getKey() != connection);
            if (replaced.isEmpty() && bytes <= untakenBytesMax) { // for an oversized one, the others make no room
                replaced = longest(entry -> entry.getValue().untakenBytes() > 0 && entry.getKey() != connection);
            }
            if (replaced.isEmpty()) {
                return;
            }
            end(replaced.get());
        }
    }

    private boolean isOversized(Progress answer) {
        return answer.untakenBytes() > untakenBytesMax;
    }

    private void closeThoseBefore(long nowNanos) {
        progress.forEach((connection, last) -> {
            long limitNanos = last.underWay() ? answerLimitNanos : headLimitNanos;
            if (nowNanos - last.sinceNanos() > limitNanos) {
                connection.getEndPoint().close();
            }
        });
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
