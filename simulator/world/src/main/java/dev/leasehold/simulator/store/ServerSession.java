package dev.leasehold.simulator.store;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.UUID;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** A driver session as the primary has it. Its commands are carried out one after the other. */
final class ServerSession {

    private final UUID id;
    /** Whose it is; -1 for nobody's who is still there. */
    private final int machine;

    private final boolean engines;
    private final LongPredicate isClientAt;
    private final Deque<Runnable> queue = new ArrayDeque<>();
    private boolean busy;
    private long number;
    private @Nullable ServerTransaction open;
    private final Deque<Noted> noted = new ArrayDeque<>();

    /**
     * What the log says about a number.
     *
     * @param points where its commit, or each of its statements, stands in the log; 0 for those that do not
     */
    private record Noted(long number, boolean isCommit, long[] points) {

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
     * One that nobody has used yet.
     *
     * @param engines whether it is an engine's own, which others may end
     * @param isClientAt whether there is somebody who will end the transaction of a number
     */
    ServerSession(UUID id, int machine, boolean engines, LongPredicate isClientAt) {
        this.id = id;
        this.machine = machine;
        this.engines = engines;
        this.isClientAt = isClientAt;
    }

    UUID id() {
        return id;
    }

    int machine() {
        return machine;
    }

    boolean isEngines() {
        return engines;
    }

    boolean isClientAt(long ofNumber) {
        return isClientAt.test(ofNumber);
    }

    // ---- one command after the other ----

    void run(Runnable command) {
        if (busy) {
            queue.add(command);
        } else {
            command.run();
        }
    }

    /** A command takes its time. */
    void busy() {
        busy = true;
    }

    void free() {
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

    void opened(ServerTransaction transaction) {
        open = transaction;
    }

    void ended() {
        open = null;
    }

    /** Its transaction is committed, with everything up to there in the log. */
    void committed(long point) {
        open = null;
        noted.addLast(new Noted(number, true, new long[] {point}));
    }

    boolean hasCommitted(long ofNumber) {
        Noted last = noted.peekLast();
        return last != null && last.isCommit() && last.number() == ofNumber;
    }

    /** Up to where a majority must have the log for the last commit to be safe. */
    long committedPoint() {
        return noted.getLast().points()[0];
    }

    /** Where the statements of the single write of this number stand in the log; 0 for those that have written nothing. */
    long[] writtenPoints(int statements) {
        Noted last = noted.peekLast();
        if (last != null && last.number() == number) {
            return last.points();
        }
        long[] points = new long[statements];
        noted.addLast(new Noted(number, false, points));
        return points;
    }

    /** Another primary knows only what reached it. */
    void losePrimary(long keptPoint) {
        queue.clear();
        busy = false;
        open = null;
        while (!noted.isEmpty() && noted.getLast().losesAllAbove(keptPoint)) {
            noted.removeLast();
        }
        number = noted.isEmpty() ? 0 : noted.getLast().number();
    }
}
