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
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What was written, and how far a majority has it. */
final class Versions {

    private record Waiting(long point, Runnable then) {}

    private final Simulation simulation;
    private final DatabaseConditions setting;
    private final SeededRandom seededRandom;
    private final Deque<Version> belowMajority = new ArrayDeque<>();
    private final List<Waiting> waiting = new ArrayList<>();
    private final ChangeLog changes = new ChangeLog();
    private Version newest = Version.FIRST;
    private Version majority = Version.FIRST;
    private long newestPoint;
    private long majorityPoint;
    private long lagsUntilNanos = Long.MIN_VALUE;
    /** Counts the primaries, so that what replicates from an earlier one comes to nothing. */
    private int term;

    Versions(Simulation simulation, DatabaseConditions setting, SeededRandom seededRandom) {
        this.simulation = simulation;
        this.setting = setting;
        this.seededRandom = seededRandom;
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

    ChangeLog changes() {
        return changes;
    }

    /** Carries out what changes these documents, of which null stands for one that is removed; at least one. */
    void write(Author author, Map<String, @Nullable Document> writes) {
        TreeMap<String, Document> documents = new TreeMap<>(newest.documents());
        List<Change> rows = new ArrayList<>(writes.size());
        List<ChangeLog.Written> written = new ArrayList<>(writes.size());
        newestPoint++;
        for (Map.Entry<String, @Nullable Document> write : writes.entrySet()) {
            Document after = write.getValue();
            Document before = after == null ? documents.remove(write.getKey()) : documents.put(write.getKey(), after);
            rows.add(change(write.getKey(), before, after));
            written.add(new ChangeLog.Written(newestPoint, write.getKey(), before, after));
        }
        newest = new Version(newest.number() + 1, newestPoint, documents, written);
        belowMajority.add(newest);
        simulation.record(new Event.Committed(simulation.nowNanos(), newest.number(), author, rows));
        replicate();
    }

    private static Change change(String id, @Nullable Document before, @Nullable Document after) {
        if (Ids.isOfCaller(id)) {
            return new Change.OfCaller(
                    Ids.nameOfCallers(id), Objects.requireNonNull(after).value());
        }
        if (Ids.isOfClock(id)) {
            return new Change.OfClock(
                    Ids.partitionOfClock(id),
                    before == null ? Document.NO_CLOCK : before.clockRow(),
                    Objects.requireNonNull(after).clockRow());
        }
        if (Ids.isOfStripe(id)) {
            return new Change.OfStripe(
                    Ids.nameOfLease(id), Ids.numberOfStripe(id), after == null ? null : after.stripeRow());
        }
        return new Change.OfLease(
                Ids.nameOfLease(id),
                before == null ? null : before.leaseRow(),
                after == null ? null : after.leaseRow());
    }

    private void replicate() {
        long delayNanos = setting.replicationNanos() + seededRandom.upTo(setting.replicationJitterNanos());
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
            changes.add(majority.written());
        }
        if (moved) {
            simulation.record(new Event.Majority(simulation.nowNanos(), majority.number()));
        }
        changes.wake();
        wake();
    }

    private void wake() {
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

    /** A lag that is over before its time. */
    void catchUp() {
        if (simulation.nowNanos() < lagsUntilNanos) {
            lagsUntilNanos = simulation.nowNanos();
            replicate();
        }
    }

    /** The primary is gone, and with it whoever waited there; what no majority has is perhaps lost. */
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
