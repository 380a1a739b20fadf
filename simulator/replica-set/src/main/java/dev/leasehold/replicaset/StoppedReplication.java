package dev.leasehold.replicaset;

import com.mongodb.MongoCommandException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.bson.Document;

/** A set in which only the primary gets what is written, and stays the one to be elected. Safe for use by many threads. */
public final class StoppedReplication implements AutoCloseable {

    /** Longer than any test, and not for good if no test ends it. */
    private static final int FREEZE_SECONDS = 600;

    private static final int NOT_SECONDARY = 95;

    private final List<Node> others;
    private final List<ActiveFailPoint> stopped;
    private final AtomicBoolean open = new AtomicBoolean(true);

    private StoppedReplication(List<Node> others, List<ActiveFailPoint> stopped) {
        this.others = others;
        this.stopped = stopped;
    }

    static StoppedReplication at(List<Node> others) {
        others.forEach(node -> node.connection().run(freeze(FREEZE_SECONDS)));
        return new StoppedReplication(
                others,
                others.stream()
                        .map(node -> node.activate(FailPoint.named("stopReplProducer")))
                        .toList());
    }

    /** Lets the others follow and stand for election again, those that run; also in a thread that was interrupted. Does nothing the second time. */
    @Override
    public void close() {
        if (open.compareAndSet(true, false)) {
            stopped.forEach(ActiveFailPoint::close);
            others.stream().filter(Node::isRunning).forEach(node -> Closing.uninterrupted(() -> unfreeze(node)));
        }
    }

    private static void unfreeze(Node node) {
        try {
            node.connection().run(freeze(0));
        } catch (MongoCommandException e) {
            if (e.getErrorCode() != NOT_SECONDARY) {
                throw e;
            }
        }
    }

    private static Document freeze(int seconds) {
        return new Document("replSetFreeze", seconds);
    }
}
