package dev.leasehold.simulator.store;

import dev.leasehold.simulator.store.WriteResult.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A transaction as the primary has it. It sees the documents as they were when its first statement was executed. */
final class ServerTransaction {

    private static final long COMMAND_NANOS = 1_000;

    private final LogicalSession session;
    private final Oplog.Version snapshot;
    private final long openedNanos;
    private final Map<String, @Nullable Document> writes = new LinkedHashMap<>();
    private long idleSinceNanos;
    private int commands;

    ServerTransaction(LogicalSession session, Oplog.Version snapshot, long nowNanos) {
        this.session = session;
        this.snapshot = snapshot;
        this.openedNanos = nowNanos;
        this.idleSinceNanos = nowNanos;
    }

    LogicalSession session() {
        return session;
    }

    long openedNanos() {
        return openedNanos;
    }

    /** When it has executed its last command. */
    long idleSinceNanos() {
        return idleSinceNanos;
    }

    /** Commands take no time here. What they take on a server is never the same twice, so that it tells that one was there. */
    long activeNanos() {
        return commands * COMMAND_NANOS;
    }

    /** How many commands it has executed. */
    int commands() {
        return commands;
    }

    Map<String, @Nullable Document> writes() {
        return writes;
    }

    /** A command that reads. */
    @Nullable Document read(String id, long nowNanos) {
        commands++;
        idleSinceNanos = nowNanos;
        return find(id);
    }

    private @Nullable Document find(String id) {
        return writes.containsKey(id) ? writes.get(id) : snapshot.documents().get(id);
    }

    /**
     * A command that writes. A guard that misses stops nothing. After a conflict or an error the transaction is to be ended.
     *
     * @param locks which open transaction has written which document
     */
    WriteResult write(
            List<? extends Statement> statements, Map<String, ServerTransaction> locks, Oplog oplog, long nowNanos) {
        commands++;
        idleSinceNanos = nowNanos;
        int matched = 0;
        List<Integer> inserted = new ArrayList<>(0);
        int modified = 0;
        for (int place = 0; place < statements.size(); place++) {
            String id = statements.get(place).documentId();
            Document before = find(id);
            Statement.Effect effect = statements.get(place).on(before);
            if (effect.error() != 0) {
                List<WriteResult.Error> errors = List.of(new WriteResult.Error(0, effect.error()));
                return new WriteResult(Kind.REFUSED, 0, List.of(), 0, errors, oplog.newestPoint());
            }
            matched += effect.matches() ? 1 : 0;
            if (effect.matches() && effect.after() != before) {
                boolean locked = locks.computeIfAbsent(id, key -> this) == this;
                if (!locked
                        || oplog.newest().documents().get(id)
                                != snapshot.documents().get(id)) {
                    return WriteResult.none(Kind.CONFLICT, oplog.newestPoint());
                }
                writes.put(id, effect.after());
                if (before == null) {
                    inserted.add(place);
                } else {
                    modified++;
                }
            }
        }
        return new WriteResult(Kind.DONE, matched, inserted, modified, List.of(), oplog.newestPoint());
    }
}
