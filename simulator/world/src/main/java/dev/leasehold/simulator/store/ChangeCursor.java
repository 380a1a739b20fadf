package dev.leasehold.simulator.store;

import com.mongodb.ServerCursor;
import com.mongodb.client.MongoCursor;
import dev.leasehold.simulator.world.SimulatedNetwork;
import dev.leasehold.simulator.world.SimulatedNetwork.Reply;
import dev.leasehold.simulator.world.SimulatedProcess;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.jspecify.annotations.Nullable;

/** The cursor of a change stream. The driver resumes it once where it was; a second failure is its end. */
final class ChangeCursor {

    private static final ServerCursor ALIVE = new ServerCursor(1, DriverErrors.SERVER);

    /** The events since a position, and where they end. */
    private record Batch(List<BsonDocument> events, int position) {}

    private final EngineClient client;
    private final SimulatedDatabase database;
    private final SimulatedProcess process;
    private final ChangeFeed.Selection selection;
    private final Deque<BsonDocument> received = new ArrayDeque<>();
    private long startPoint;
    private int position;
    private boolean stopped;
    /** Answers the request that waits on the server. */
    private @Nullable Runnable waiting;

    ChangeCursor(EngineClient client, SimulatedProcess process, BsonDocument filter) {
        this.client = client;
        this.database = client.database();
        this.process = process;
        this.selection = database.primary().oplog().changes().selected(filter);
    }

    /** It begins with the events of that point of the oplog. */
    void startAt(long point) {
        startPoint = point;
    }

    MongoCursor<?> open() {
        position = client.<Integer>ask(
                        "watch", answer -> answer.give(new EngineClient.Found<>(selection.sizeBefore(startPoint), 0)))
                .value();
        if (!database.watches()) {
            throw DriverErrors.noChangeStreams();
        }
        return Proxies.of(MongoCursor.class, this, "cursor", this::call);
    }

    private @Nullable Object call(Object proxy, String method, Object[] arguments) {
        return switch (method) {
            case "tryNext" -> {
                if (received.isEmpty()) {
                    receive();
                }
                yield received.poll();
            }
            case "next" -> received.remove();
            case "available" -> received.size();
            case "getServerCursor" -> ALIVE;
            case "close" -> null;
            default -> throw Proxies.unsupported(MongoCursor.class, method);
        };
    }

    private void receive() {
        Reply<Batch> reply = more();
        if (reply.answer() == null && !stopped) {
            reply = more();
        }
        Batch batch = reply.answer();
        if (batch == null) {
            throw DriverErrors.of(reply.networkFault());
        }
        position = batch.position();
        received.addAll(batch.events());
    }

    private Reply<Batch> more() {
        int from = position;
        Reply<Batch> reply = database.network()
                .exchange(
                        process,
                        "watch on",
                        database.watchNanos() + database.commandNanos(),
                        answer -> answerFrom(from, answer));
        waiting = null;
        return reply;
    }

    private void answerFrom(int from, SimulatedNetwork.Answer<Batch> answer) {
        Runnable give = () -> answer.give(new Batch(withDocuments(selection.from(from)), selection.size()));
        if (selection.size() > from || stopped) {
            give.run();
            return;
        }
        waiting = give;
        selection.watch(give);
        database.primary().simulation().after(database.watchNanos(), () -> selection.stopWatching(give));
    }

    /** The server looks up what a document is by then, as a majority has it. */
    private List<BsonDocument> withDocuments(List<ChangeFeed.ChangeEvent> changes) {
        List<BsonDocument> events = new ArrayList<>(changes.size());
        for (ChangeFeed.ChangeEvent change : changes) {
            Document found = database.primary().oplog().majority().documents().get(change.id());
            BsonDocument event = new BsonDocument();
            event.putAll(change.event());
            events.add(event.append("fullDocument", found == null ? BsonNull.VALUE : found.bson()));
        }
        return events;
    }

    /** A request that waits for an event is answered now, and none waits any more. */
    void stopWaiting() {
        stopped = true;
        Runnable answering = waiting;
        if (answering != null) {
            selection.stopWatching(answering);
        }
    }
}
