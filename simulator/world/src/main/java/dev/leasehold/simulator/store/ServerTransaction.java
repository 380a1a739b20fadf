package dev.leasehold.simulator.store;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A transaction as the primary has it. It sees the documents as they were when its first statement was carried out. */
final class ServerTransaction {

    /** What became of some statements. */
    enum Result {
        DONE,
        /** Somebody else writes one of the documents, or has since the snapshot. The transaction is over. */
        CONFLICT,
        /** The server refuses a statement. The transaction is over. */
        REFUSED
    }

    private static final long COMMAND_NANOS = 1_000;

    private final ServerSession session;
    private final Locks locks;
    private final Version snapshot;
    private final long openedNanos;
    private final Map<String, @Nullable Document> writes = new LinkedHashMap<>();
    private long restsSinceNanos;
    private final List<Integer> made = new ArrayList<>(0);
    private int parts;
    private int matched;
    private int modified;
    private int refusal;

    ServerTransaction(ServerSession session, Locks locks, Version snapshot, long nowNanos) {
        this.session = session;
        this.locks = locks;
        this.snapshot = snapshot;
        this.openedNanos = nowNanos;
        this.restsSinceNanos = nowNanos;
    }

    ServerSession session() {
        return session;
    }

    long openedNanos() {
        return openedNanos;
    }

    /** When it has carried out its last command. */
    long restsSinceNanos() {
        return restsSinceNanos;
    }

    void restsSince(long nowNanos) {
        restsSinceNanos = nowNanos;
    }

    /** Commands take no time here. What they take on a server is never the same twice, so that it tells that one was there. */
    long activeNanos() {
        return parts * COMMAND_NANOS;
    }

    /** How many commands it has carried out. */
    int parts() {
        return parts;
    }

    /** What the last command counts to. */
    Counts counts(long point) {
        return new Counts(Counts.Kind.DONE, matched, List.copyOf(made), modified, List.of(), point);
    }

    /** With which code the last statement was refused. */
    int refusal() {
        return refusal;
    }

    Map<String, @Nullable Document> writes() {
        return writes;
    }

    /** A command that reads. */
    @Nullable Document read(String id) {
        parts++;
        return find(id);
    }

    private @Nullable Document find(String id) {
        return writes.containsKey(id) ? writes.get(id) : snapshot.documents().get(id);
    }

    /** A guard that misses stops nothing; a collision stops everything. */
    Result run(List<? extends Statement> statements, Version newest) {
        parts++;
        matched = 0;
        modified = 0;
        made.clear();
        for (int place = 0; place < statements.size(); place++) {
            Result result = run(statements.get(place), place, newest);
            if (result != Result.DONE) {
                return result;
            }
        }
        return Result.DONE;
    }

    private Result run(Statement statement, int place, Version newest) {
        String id = statement.documentId();
        Document before = find(id);
        Statement.Effect effect = statement.on(before);
        switch (effect.kind()) {
            case MISSES -> {
                return Result.DONE;
            }
            case COLLIDES, REFUSED -> {
                refusal = effect.code();
                return Result.REFUSED;
            }
            case WRITES -> matched++;
        }
        if (effect.after() == before) {
            return Result.DONE;
        }
        if (!locks.take(id, this)
                || newest.documents().get(id) != snapshot.documents().get(id)) {
            return Result.CONFLICT;
        }
        writes.put(id, effect.after());
        if (before == null) {
            made.add(place);
        } else {
            modified++;
        }
        return Result.DONE;
    }
}
