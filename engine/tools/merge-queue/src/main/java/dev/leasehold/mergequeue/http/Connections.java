package dev.leasehold.mergequeue.http;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.Request;

/**
 * The connections of callers. One that has not sent a whole head for half a minute after it was opened, or after its last answer, is
 * closed, however steadily it sends: bytes alone would reset the server's own limit. One whose request is under way for longer than any
 * answer takes is closed as well: its caller does not read. When there are as many as may be, a new one takes the place of that which has
 * sent nothing whole for longest, so that a caller that comes and asks is answered. Safe for use by many threads.
 */
final class Connections implements Connection.Listener, AutoCloseable {

    private static final Duration HEAD_LIMIT = Duration.ofSeconds(30);
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(60);
    private static final int LOOKS = 10;
    private static final int COUNT_MAX = 4_000;

    private final Map<Connection, Progress> progress = new ConcurrentHashMap<>();
    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(task -> Threads.daemon(task, "merge-queue-connections"));

    private final int countMax;
    private final long headLimitNanos;
    private final long answerLimitNanos;

    Connections() {
        this(HEAD_LIMIT, ANSWER_LIMIT, COUNT_MAX);
    }

    Connections(Duration headLimit, Duration answerLimit, int countMax) {
        this.countMax = countMax;
        this.headLimitNanos = headLimit.toNanos();
        this.answerLimitNanos = answerLimit.toNanos();
        long periodNanos = Math.min(headLimitNanos, answerLimitNanos) / LOOKS;
        timer.scheduleWithFixedDelay(
                () -> closeThoseBefore(System.nanoTime()), periodNanos, periodNanos, TimeUnit.NANOSECONDS);
    }

    private record Progress(boolean underWay, long sinceNanos) {}

    @Override
    public void onOpened(Connection connection) {
        if (progress.size() >= countMax) {
            makeRoom(connection);
        }
        progress.put(connection, new Progress(false, System.nanoTime()));
    }

    private void makeRoom(Connection newcomer) {
        Connection idlest = newcomer;
        long sinceNanos = 0;
        for (Map.Entry<Connection, Progress> entry : progress.entrySet()) {
            Progress last = entry.getValue();
            if (!last.underWay() && (idlest == newcomer || last.sinceNanos() - sinceNanos < 0)) {
                idlest = entry.getKey();
                sinceNanos = last.sinceNanos();
            }
        }
        progress.remove(idlest);
        idlest.getEndPoint().close();
    }

    @Override
    public void onClosed(Connection connection) {
        progress.remove(connection);
    }

    /** A whole head has come. */
    void began(Request request) {
        Connection connection = request.getConnectionMetaData().getConnection();
        mark(connection, true);
        Request.addCompletionListener(request, failure -> mark(connection, false));
    }

    private void mark(Connection connection, boolean underWay) {
        progress.computeIfPresent(connection, (same, before) -> new Progress(underWay, System.nanoTime()));
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
