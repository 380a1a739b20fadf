package dev.leasehold.simulator.store;

import dev.leasehold.simulator.conditions.DatabaseConditions;
import dev.leasehold.simulator.conditions.SeededRandom;
import dev.leasehold.simulator.history.Change;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Event.Author;
import dev.leasehold.simulator.history.Marks;
import dev.leasehold.simulator.world.Simulation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What was written, and how far a majority has it. */
final class Oplog {

    /** What a write has made of a document; null where there is none. */
    record Write(
            long point,
            String id,
            @Nullable Document before,
            @Nullable Document after) {}

    /**
     * All documents after one write.
     *
     * @param number as the history counts it: it comes again after a write was rolled back
     * @param point of the oplog, which never comes again
     * @param documents by id; not to be changed
     * @param writes what it has changed
     */
    record Version(long number, long point, TreeMap<String, Document> documents, List<Write> writes) {}

    private record Waiting(long point, Runnable then) {}

    private final Simulation simulation;
    private final DatabaseConditions conditions;
    private final SeededRandom random;
    private final Deque<Version> belowMajority = new ArrayDeque<>();
    private final List<Waiting> waiting = new ArrayList<>();
    private final ChangeFeed changes = new ChangeFeed();
    private Version newest = new Version(0, 0, new TreeMap<>(), List.of());
    private Version majority = newest;
    private long newestPoint;
    private long majorityPoint;
    private long lagsUntilNanos = Long.MIN_VALUE;
    /** Counts the primaries, so that what replicates from an earlier one comes to nothing. */
    private int term;

    Oplog(Simulation simulation, DatabaseConditions conditions, SeededRandom random) {
        this.simulation = simulation;
        this.conditions = conditions;
        this.random = random;
    }

    Version newest() {
        return newest;
    }

    Version majority() {
        return majority;
    }

    /** Grows with everything that the primary notes. */
    long newestPoint() {
        return newestPoint;
    }

    long majorityPoint() {
        return majorityPoint;
    }

    /** What a majority has, which is never rolled back. */
    ChangeFeed changes() {
        return changes;
    }

    /** Changes these documents, of which null stands for one that is removed; at least one. */
    void write(Author author, Map<String, @Nullable Document> changed) {
        TreeMap<String, Document> documents = new TreeMap<>(newest.documents());
        List<Change> rows = new ArrayList<>(changed.size());
        List<Write> writes = new ArrayList<>(changed.size());
        newestPoint++;
        changed.forEach((id, after) -> {
            Document before = after == null ? documents.remove(id) : documents.put(id, after);
            rows.add(Document.change(id, before, after));
            writes.add(new Write(newestPoint, id, before, after));
        });
        newest = new Version(newest.number() + 1, newestPoint, documents, writes);
        belowMajority.add(newest);
        simulation.record(new Event.Committed(simulation.nowNanos(), newest.number(), author, rows));
        replicate();
    }

    private void replicate() {
        long delayNanos = conditions.replicationNanos() + random.upTo(conditions.replicationJitterNanos());
        long point = newestPoint;
        int ofTerm = term;
        if (delayNanos == 0) {
            replicated(ofTerm, point);
        } else {
            simulation.after(delayNanos, () -> replicated(ofTerm, point));
        }
    }

    private void replicated(int ofTerm, long point) {
        if (ofTerm == term && point > majorityPoint) {
            if (simulation.nowNanos() < lagsUntilNanos) {
                simulation.at(lagsUntilNanos, () -> replicated(ofTerm, point));
            } else {
                advance(point);
            }
        }
    }

    private void advance(long point) {
        majorityPoint = point;
        boolean moved = false;
        while (!belowMajority.isEmpty() && belowMajority.peek().point() <= point) {
            majority = belowMajority.poll();
            moved = true;
            changes.add(majority.writes());
        }
        if (moved) {
            simulation.record(new Event.Majority(simulation.nowNanos(), majority.number()));
        }
        changes.wake();
        for (int i = 0; i < waiting.size(); ) {
            if (waiting.get(i).point() <= majorityPoint) {
                waiting.remove(i).then().run();
            } else {
                i++;
            }
        }
    }

    /** As soon as a majority has everything up to the point. Never, if the primary is gone by then. */
    void whenMajorityHas(long point, Runnable then) {
        if (point <= majorityPoint) {
            then.run();
        } else {
            waiting.add(new Waiting(point, then));
        }
    }

    /** Nothing reaches a majority until then. */
    void lagUntil(long trueNanos) {
        lagsUntilNanos = Math.max(lagsUntilNanos, trueNanos);
    }

    /** Ends a lag before its time. */
    void catchUp() {
        if (simulation.nowNanos() < lagsUntilNanos) {
            lagsUntilNanos = simulation.nowNanos();
            replicate();
        }
    }

    /** The primary is gone, and with it whatever waited there; what no majority has is perhaps lost. */
    void losePrimary(boolean losesUnreplicated) {
        term++;
        waiting.clear();
        changes.forgetWatchers();
        if (losesUnreplicated && !belowMajority.isEmpty()) {
            belowMajority.clear();
            newest = majority;
            simulation.record(new Event.RolledBack(simulation.nowNanos(), newest.number()));
            simulation.record(new Event.Reached(simulation.nowNanos(), -1, Marks.ROLLED_BACK));
        }
    }

    /** The new primary notes that it is one, and replicates that together with all that it has. */
    void gainPrimary() {
        newestPoint++;
        replicate();
    }
}
