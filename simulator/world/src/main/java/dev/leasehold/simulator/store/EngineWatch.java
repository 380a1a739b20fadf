package dev.leasehold.simulator.store;

import com.mongodb.ServerCursor;
import com.mongodb.client.MongoCursor;
import dev.leasehold.simulator.world.Reply;
import dev.leasehold.simulator.world.SimulatedNetwork;
import dev.leasehold.simulator.world.SimulatedProcess;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.jspecify.annotations.Nullable;

/** A change stream. The driver resumes it once where it was; a second failure is its end. */
final class EngineWatch {

    private static final ServerCursor ALIVE = new ServerCursor(1, new com.mongodb.ServerAddress("simulated", 27017));

    /** What has come since a position, and where that ends. */
    private record Batch(List<BsonDocument> events, int position) {}

    private final Server server;
    private final SimulatedProcess simulatedProcess;
    private final BsonDocument filter;
    private final Deque<BsonDocument> received = new ArrayDeque<>();
    private int position;
    private boolean stopped;
    /** Answers the request that waits on the server. */
    private @Nullable Runnable waiting;

    /**
     * One that is still to begin.
     *
     * @param match the first stage of its pipeline, which selects the events
     */
    EngineWatch(Server server, SimulatedProcess simulatedProcess, BsonDocument match) {
        this.server = server;
        this.simulatedProcess = simulatedProcess;
        this.filter = match.getDocument("$match");
    }

    /** From the events of that point of the log on. */
    MongoCursor<?> begin(long startPoint) {
        position = DriverSession.asked(
                server,
                simulatedProcess,
                "watch",
                answer -> answer.give(selected().sizeBefore(startPoint)));
        if (!server.watches()) {
            throw DriverErrors.cannotBeWatched();
        }
        return Proxies.of(MongoCursor.class, this, "cursor", this::onCursor);
    }

    private ChangeLog.Selected selected() {
        return server.versions().changes().selected(filter);
    }

    private @Nullable Object onCursor(Object proxy, String method, Object[] arguments) {
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
        long patienceNanos = server.watchNanos() + server.commandNanos();
        Reply<Batch> reply = server.simulatedNetwork()
                .exchange(simulatedProcess, "watch on", patienceNanos, answer -> answerFrom(from, answer));
        waiting = null;
        return reply;
    }

    private void answerFrom(int from, SimulatedNetwork.Answer<Batch> answer) {
        ChangeLog.Selected selected = selected();
        Runnable give = () -> answer.give(new Batch(lookedUp(selected.from(from)), selected.size()));
        if (selected.size() > from || stopped) {
            give.run();
            return;
        }
        waiting = give;
        selected.watch(give);
        server.simulation().after(server.watchNanos(), () -> selected.stopWatching(give));
    }

    /** The server looks up what has become of a document since, as a majority has it. */
    private List<BsonDocument> lookedUp(List<ChangeLog.Told> told) {
        List<BsonDocument> events = new ArrayList<>(told.size());
        for (ChangeLog.Told each : told) {
            Document found = server.versions().majority().documents().get(each.id());
            BsonDocument event = new BsonDocument();
            event.putAll(each.event());
            events.add(event.append("fullDocument", found == null ? BsonNull.VALUE : found.bson()));
        }
        return events;
    }

    /** What waits for something to tell is answered now, and nothing waits any more. */
    void stopWaiting() {
        stopped = true;
        if (waiting != null) {
            selected().stopWatching(Objects.requireNonNull(waiting));
        }
    }
}
