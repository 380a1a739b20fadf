package dev.leasehold.simulator.store;

import dev.leasehold.engine.LeaseStoreException;
import dev.leasehold.engine.internal.store.LeaseChange;
import dev.leasehold.engine.internal.store.LeaseChanges;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.Partition;
import dev.leasehold.simulator.world.Reply;
import dev.leasehold.simulator.world.SimulatedNetwork;
import dev.leasehold.simulator.world.SimulatedProcess;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A change stream. The driver resumes it once where it was; after a second failure it begins anew. */
final class SimulatedChanges implements LeaseChanges {

    private static final int NOT_BEGUN = -1;

    /** What has come since a position, and where that ends. */
    private record Batch(List<LeaseChange> changes, int position) {}

    private final Server server;
    private final SimulatedProcess simulatedProcess;
    private final String namespace;
    private final Places places;
    private int position = NOT_BEGUN;
    private boolean closed;
    /** Answers the request that waits on the server. */
    private @Nullable Runnable waiting;

    SimulatedChanges(Server server, SimulatedProcess simulatedProcess, Partition partition) {
        this.server = server;
        this.simulatedProcess = simulatedProcess;
        this.namespace = partition.namespace();
        this.places = Places.of(partition);
    }

    /** The call that begins the stream does not wait, and tells nothing. */
    @Override
    public List<LeaseChange> await() {
        if (closed) {
            return List.of();
        }
        Reply<Batch> reply = position == NOT_BEGUN ? begin() : next();
        Batch batch = reply.answer();
        if (batch == null) {
            position = NOT_BEGUN;
            if (closed) {
                return List.of();
            }
            throw Outcomes.unavailable(reply.networkFault());
        }
        position = batch.position();
        return batch.changes();
    }

    private Reply<Batch> begin() {
        Reply<Batch> reply = server.simulatedNetwork()
                .exchange(
                        simulatedProcess,
                        "watch",
                        server.commandNanos(),
                        answer -> answer.give(
                                new Batch(List.of(), server.versions().told().size())));
        if (reply.answer() != null && !server.watches()) {
            throw new LeaseStoreException("the simulated database does not allow to watch", null);
        }
        return reply;
    }

    private Reply<Batch> next() {
        Reply<Batch> reply = more();
        return reply.answer() == null && !closed ? more() : reply;
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
        ChangeLog told = server.versions().told();
        Runnable give = () -> answer.give(new Batch(lookedUp(told.from(from, namespace)), told.size()));
        if (told.size() > from || closed) {
            give.run();
            return;
        }
        waiting = give;
        told.watch(give);
        server.simulation().after(server.watchNanos(), () -> told.stopWatching(give));
    }

    /** The server looks up what has become of a document since, as a majority has it. */
    private List<LeaseChange> lookedUp(List<LeaseChange> told) {
        List<LeaseChange> changes = new ArrayList<>(told.size());
        for (LeaseChange change : told) {
            changes.add(lookedUp(change));
        }
        return changes;
    }

    private LeaseChange lookedUp(LeaseChange change) {
        if (change instanceof LeaseChange.Freed freed) {
            return new LeaseChange.Freed(freed.name(), latest(freed.name()));
        }
        return change instanceof LeaseChange.Taken taken
                ? new LeaseChange.Taken(taken.name(), latest(taken.name()))
                : change;
    }

    private @Nullable LeaseDocument latest(String name) {
        Version majority = server.versions().majority();
        Document found = majority.documents().get(places.lease(name, majority));
        return found instanceof Document.Lease lease && lease.isSound() ? lease.content() : null;
    }

    @Override
    public void close() {
        closed = true;
        if (waiting != null) {
            server.versions().told().stopWatching(waiting);
        }
    }
}
