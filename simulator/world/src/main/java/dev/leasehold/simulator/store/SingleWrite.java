package dev.leasehold.simulator.store;

import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Event.Author;
import dev.leasehold.simulator.history.Marks;
import dev.leasehold.simulator.world.Simulation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;

/** Statements without a transaction, each for itself. Where a transaction is in the way, they wait for its end. */
final class SingleWrite {

    private final Simulation simulation;
    private final Versions versions;
    private final Locks locks;
    private final ServerSession session;
    private final List<? extends Statement> statements;
    private final Author author;
    private final Consumer<Counts> answer;
    private final long deadlineNanos;
    private final long majorityNanos;
    private final long[] writtenPoints;
    private final List<Integer> made = new ArrayList<>(0);
    private final List<Counts.Error> errors = new ArrayList<>(0);
    private int next;
    private int matched;
    private boolean waits;

    SingleWrite(
            Simulation simulation,
            Versions versions,
            Locks locks,
            ServerSession session,
            List<? extends Statement> statements,
            long waitNanos,
            long majorityNanos,
            Author author,
            Consumer<Counts> answer) {
        this.simulation = simulation;
        this.versions = versions;
        this.locks = locks;
        this.session = session;
        this.statements = statements;
        this.author = author;
        this.answer = answer;
        this.majorityNanos = majorityNanos;
        this.deadlineNanos = waitNanos == Long.MAX_VALUE ? Long.MAX_VALUE : simulation.nowNanos() + waitNanos;
        this.writtenPoints = session.writtenPoints(statements.size());
    }

    ServerSession session() {
        return session;
    }

    /** Carries out what can be, up to the first change of a document that somebody else holds. */
    void goOn() {
        while (next < statements.size()) {
            if (writtenPoints[next] > 0) {
                matched++;
            } else if (!carryOut(statements.get(next))) {
                await();
                return;
            }
            next++;
        }
        finish(Counts.Kind.DONE);
    }

    /** Whether nobody is in the way. What changes nothing is in nobody's. */
    private boolean carryOut(Statement statement) {
        String id = statement.documentId();
        Document before = versions.newest().documents().get(id);
        Statement.Effect effect = statement.on(before);
        boolean writes = effect.kind() == Statement.Effect.Kind.WRITES;
        if (writes && effect.after() != before) {
            if (!locks.isFree(id)) {
                return false;
            }
            versions.write(author, Collections.singletonMap(id, effect.after()));
            writtenPoints[next] = versions.newestPoint();
            if (before == null) {
                made.add(next);
            }
        }
        if (effect.code() != 0) {
            errors.add(new Counts.Error(next, effect.code()));
        }
        matched += writes ? 1 : 0;
        return true;
    }

    private void await() {
        locks.await(this);
        if (!waits) {
            waits = true;
            session.busy();
            simulation.record(new Event.Reached(simulation.nowNanos(), author.machine(), Marks.WAITED));
            if (deadlineNanos != Long.MAX_VALUE) {
                simulation.at(deadlineNanos, this::giveUp);
            }
        }
    }

    private void giveUp() {
        stopWaiting(Counts.Kind.OUT_OF_TIME);
    }

    /** It waits no longer, and what it has not carried out by now it never will. */
    void interrupt() {
        stopWaiting(Counts.Kind.INTERRUPTED);
    }

    private void stopWaiting(Counts.Kind why) {
        if (locks.stopWaiting(this)) {
            finish(why);
        }
    }

    /** One that found nothing to write waits for a majority too: what it found may not have reached one. */
    private void finish(Counts.Kind kind) {
        long point = versions.newestPoint();
        Counts counts = new Counts(kind, matched, made, matched - made.size(), errors, point);
        if (kind == Counts.Kind.DONE) {
            versions.whenMajorityHas(point, () -> answer.accept(counts));
            if (versions.majorityPoint() < point && majorityNanos != Long.MAX_VALUE) {
                simulation.after(majorityNanos, () -> answer.accept(counts.as(Counts.Kind.NO_MAJORITY)));
            }
        } else {
            answer.accept(counts);
        }
        if (waits) {
            session.free();
        }
    }
}
