package dev.leasehold.simulator.store;

import dev.leasehold.simulator.history.Event.Author;
import dev.leasehold.simulator.history.Marks;
import dev.leasehold.simulator.store.WriteResult.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;

/**
 * Statements without a transaction, each for itself. Where a transaction is in the way, they wait for its end.
 *
 * @param ordered whether a statement that is refused stops those after it
 * @param waitNanos how long the server waits behind transactions; MAX_VALUE for as long as it takes
 * @param majorityNanos how long it then waits for a majority; MAX_VALUE for as long as it takes
 */
record SingleWrite(
        List<? extends Statement> statements, boolean ordered, long waitNanos, long majorityNanos, Author author) {

    /** One that has arrived at the primary. */
    static final class Execution {

        private final Primary primary;
        private final LogicalSession session;
        private final SingleWrite write;
        private final Consumer<WriteResult> answer;
        private final long deadlineNanos;
        private final long[] writtenPoints;
        /** How many statements it executes until it is interrupted. */
        private final int until;

        private final List<Integer> inserted = new ArrayList<>(0);
        private final List<WriteResult.Error> errors = new ArrayList<>(0);
        private int next;
        private int matched;
        private boolean waited;

        Execution(
                Primary primary,
                LogicalSession session,
                SingleWrite write,
                boolean cutShort,
                Consumer<WriteResult> answer) {
            this.primary = primary;
            this.session = session;
            this.write = write;
            this.answer = answer;
            this.deadlineNanos =
                    write.waitNanos == Long.MAX_VALUE ? Long.MAX_VALUE : primary.nowNanos() + write.waitNanos;
            this.until = cutShort ? Math.min(1, write.statements.size()) : write.statements.size();
            this.writtenPoints = session.writtenPoints(write.statements.size());
        }

        LogicalSession session() {
            return session;
        }

        /** Executes what it can, up to the first change of a document that a transaction holds. */
        void proceed() {
            while (next < until && !(write.ordered && !errors.isEmpty())) {
                if (writtenPoints[next] > 0) {
                    matched++;
                } else if (!execute(write.statements.get(next))) {
                    await();
                    return;
                }
                next++;
            }
            finish(until < write.statements.size() ? Kind.INTERRUPTED : Kind.DONE);
        }

        /** False if a transaction is in the way. None is in the way of what changes nothing. */
        private boolean execute(Statement statement) {
            String id = statement.documentId();
            Document before = primary.oplog().newest().documents().get(id);
            Statement.Effect effect = statement.on(before);
            if (effect.matches() && effect.after() != before) {
                if (primary.isLocked(id)) {
                    return false;
                }
                primary.oplog().write(write.author, Collections.singletonMap(id, effect.after()));
                writtenPoints[next] = primary.oplog().newestPoint();
                if (before == null) {
                    inserted.add(next);
                }
            }
            if (effect.error() != 0) {
                errors.add(new WriteResult.Error(next, effect.error()));
            }
            matched += effect.matches() ? 1 : 0;
            return true;
        }

        private void await() {
            primary.addWaiting(this);
            if (!waited) {
                waited = true;
                session.block();
                primary.reached(write.author.machine(), Marks.WAITED);
                if (deadlineNanos != Long.MAX_VALUE) {
                    primary.simulation().at(deadlineNanos, () -> stopWaiting(Kind.OUT_OF_TIME));
                }
            }
        }

        /** It waits no longer, and what it has not executed by now it never will. */
        void stopWaiting(Kind why) {
            if (primary.removeWaiting(this)) {
                finish(why);
            }
        }

        /** One that found nothing to write waits for a majority too: what it found may not have reached one. */
        private void finish(Kind kind) {
            Oplog oplog = primary.oplog();
            long point = oplog.newestPoint();
            WriteResult result = new WriteResult(kind, matched, inserted, matched - inserted.size(), errors, point);
            if (kind == Kind.DONE) {
                oplog.whenMajorityHas(point, () -> answer.accept(result));
                if (oplog.majorityPoint() < point && write.majorityNanos != Long.MAX_VALUE) {
                    primary.simulation().after(write.majorityNanos, () -> answer.accept(result.as(Kind.NO_MAJORITY)));
                }
            } else {
                answer.accept(result);
            }
            if (waited) {
                session.unblock();
            }
        }
    }
}
