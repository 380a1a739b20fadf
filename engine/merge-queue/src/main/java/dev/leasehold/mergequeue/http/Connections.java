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
 * answer takes is closed as well: its caller does not read. Safe for use by many threads.
 */
final class Connections implements Connection.Listener, AutoCloseable {

    private static final long HEAD_LIMIT_NANOS = Duration.ofSeconds(30).toNanos();
    private static final long ANSWER_LIMIT_NANOS = Duration.ofSeconds(60).toNanos();
    private static final long LOOK_PERIOD_SECONDS = 2;

    private final Map<Connection, Progress> progress = new ConcurrentHashMap<>();
    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(task -> Threads.daemon(task, "merge-queue-connections"));

    Connections() {
        timer.scheduleWithFixedDelay(
                () -> closeThoseBefore(System.nanoTime()), LOOK_PERIOD_SECONDS, LOOK_PERIOD_SECONDS, TimeUnit.SECONDS);
    }

    private record Progress(boolean underWay, long sinceNanos) {}

    @Override
    public void onOpened(Connection connection) {
        progress.put(connection, new Progress(false, System.nanoTime()));
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
            long limitNanos = last.underWay() ? ANSWER_LIMIT_NANOS : HEAD_LIMIT_NANOS;
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
