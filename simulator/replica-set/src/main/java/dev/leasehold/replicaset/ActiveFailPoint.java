package dev.leasehold.replicaset;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.bson.Document;

/** A fail point that is switched on in one node. Safe for use by many threads. */
public final class ActiveFailPoint implements AutoCloseable {

    private final Node node;
    private final FailPoint failPoint;
    private final long enteredBefore;
    private final AtomicBoolean open = new AtomicBoolean(true);

    private ActiveFailPoint(Node node, FailPoint failPoint, long enteredBefore) {
        this.node = node;
        this.failPoint = failPoint;
        this.enteredBefore = enteredBefore;
    }

    static ActiveFailPoint on(Node node, FailPoint failPoint) {
        Document answer = node.connection().run(failPoint.switchOn());
        return new ActiveFailPoint(node, failPoint, count(answer, "count"));
    }

    /**
     * How often it was hit since it was switched on. A test whose fail point was never hit has shown nothing.
     *
     * @return 0 or more
     */
    public long timesEntered() {
        String parameter = "failpoint." + failPoint.name();
        Document answer = node.connection().run(new Document("getParameter", 1).append(parameter, 1));
        return count(answer.get(parameter, Document.class), "timesEntered") - enteredBefore;
    }

    /**
     * Waits until it was hit so often since it was switched on.
     *
     * @param times at least 1
     * @param limit how long to wait, in this JVM's clock
     * @throws ReplicaSetUnavailableException if it was not hit so often within the limit
     */
    public void awaitEntered(int times, Duration limit) {
        Awaiting.answer(
                String.format(Locale.ROOT, "%d hits of fail point %s at %s", times, failPoint.name(), node),
                limit,
                () -> Optional.of(timesEntered()).filter(entered -> entered >= times));
    }

    /** Switches it off, also in a thread that was interrupted. Does nothing if it is off already or if the node is not running. */
    @Override
    public void close() {
        if (open.compareAndSet(true, false) && node.isRunning()) {
            Closing.uninterrupted(() -> node.connection().run(failPoint.switchOff()));
        }
    }

    private static long count(Document document, String field) {
        return document.get(field, Number.class).longValue();
    }
}
