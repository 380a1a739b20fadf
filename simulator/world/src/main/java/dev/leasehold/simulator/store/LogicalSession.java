package dev.leasehold.simulator.store;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.UUID;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** A driver session as the primary has it. Its commands are executed one after the other. */
final class LogicalSession {

    private final UUID id;
    private final int machine;
    private final boolean ofEngine;
    private final LongPredicate isClientAt;
    private final Deque<Runnable> queue = new ArrayDeque<>();
    private final Deque<RetryRecord> retryRecords = new ArrayDeque<>();
    private boolean busy;
    private long number;
    private @Nullable ServerTransaction open;

    /**
     * What the oplog says about a number, so that a retry is not executed again.
     *
     * @param points where its commit, or each of its statements, stands in the oplog; 0 for those that do not
     */
    private record RetryRecord(long number, boolean isCommit, long[] points) {

        private boolean losesAllAbove(long keptPoint) {
            boolean kept = false;
            for (int i = 0; i < points.length; i++) {
                points[i] = points[i] > keptPoint ? 0 : points[i];
                kept |= points[i] > 0;
            }
            return !kept;
        }
    }

    /**
     * One that is not in use yet.
     *
     * @param machine of its client; -1 for one that is on none
     * @param ofEngine whether it is an engine's own, which others may end
     * @param isClientAt whether a client is there that will end the transaction of a number
     */
    LogicalSession(UUID id, int machine, boolean ofEngine, LongPredicate isClientAt) {
        this.id = id;
        this.machine = machine;
        this.ofEngine = ofEngine;
        this.isClientAt = isClientAt;
    }

    UUID id() {
        return id;
    }

    int machine() {
        return machine;
    }

    boolean isOfEngine() {
        return ofEngine;
    }

    boolean isClientAt(long ofNumber) {
        return isClientAt.test(ofNumber);
    }

    // ---- one command after the other ----

    void execute(Runnable command) {
        if (busy) {
            queue.add(command);
        } else {
            command.run();
        }
    }

    /** The command that is being executed waits. */
    void block() {
        busy = true;
    }

    void unblock() {
        busy = false;
        while (!busy && !queue.isEmpty()) {
            queue.poll().run();
        }
    }

    // ---- numbers ----

    long number() {
        return number;
    }

    void moveTo(long higher) {
        number = higher;
    }

    @Nullable ServerTransaction open() {
        return open;
    }

    void opened(@Nullable ServerTransaction transaction) {
        open = transaction;
    }

    /** Its transaction is committed, with everything up to there in the oplog. */
    void committed(long point) {
        open = null;
        retryRecords.addLast(new RetryRecord(number, true, new long[] {point}));
    }

    boolean hasCommitted(long ofNumber) {
        RetryRecord last = retryRecords.peekLast();
        return last != null && last.isCommit() && last.number() == ofNumber;
    }

    /** Up to where a majority must have the oplog for the last commit to be safe. */
    long committedPoint() {
        return retryRecords.getLast().points()[0];
    }

    /** Where the statements of the single write of this number stand in the oplog; 0 for those that have written nothing. */
    long[] writtenPoints(int statements) {
        RetryRecord last = retryRecords.peekLast();
        if (last == null || last.number() != number) {
            last = new RetryRecord(number, false, new long[statements]);
            retryRecords.addLast(last);
        }
        return last.points();
    }

    /** Another primary knows only what reached it. */
    void losePrimary(long keptPoint) {
        queue.clear();
        busy = false;
        open = null;
        while (!retryRecords.isEmpty() && retryRecords.getLast().losesAllAbove(keptPoint)) {
            retryRecords.removeLast();
        }
        number = retryRecords.isEmpty() ? 0 : retryRecords.getLast().number();
    }
}
