package dev.leasehold.engine.mongo;

import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.client.model.DeleteOneModel;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.WriteModel;
import dev.leasehold.engine.store.GuardedTransaction;
import dev.leasehold.engine.store.LeaseWrite;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;

/**
 * The statements of one transaction: the clock's, then updates of leases, then removals. The driver sends neighbours of
 * one kind as one command, so a transaction without removals is a single {@code update}.
 */
final class Statements {

    private static final UpdateOptions UPSERT = new UpdateOptions().upsert(true);

    private final String namespace;
    private final List<WriteModel<BsonDocument>> updates = new ArrayList<>();
    private final List<WriteModel<BsonDocument>> removals = new ArrayList<>();
    private int inserts;

    Statements(String namespace, GuardedTransaction transaction) {
        this.namespace = namespace;
        updates.add(new UpdateOneModel<>(
                Guards.clock(namespace, transaction.clock()), Changes.clock(transaction.clock())));
        transaction.writes().forEach(this::add);
    }

    private void add(LeaseWrite write) {
        if (write instanceof LeaseWrite.Insert insert) {
            inserts++;
            updates.add(new UpdateOneModel<>(
                    Guards.noLease(namespace, insert.name()), Changes.firstOf(insert.document()), UPSERT));
        } else if (write instanceof LeaseWrite.Replace replace) {
            updates.add(new UpdateOneModel<>(
                    Guards.lease(namespace, replace.name(), replace.guard()), Changes.nextOf(replace.document())));
        } else {
            LeaseWrite.Remove remove = (LeaseWrite.Remove) write;
            removals.add(new DeleteOneModel<>(Guards.lease(namespace, remove.name(), remove.guard())));
        }
    }

    List<WriteModel<BsonDocument>> inOrder() {
        List<WriteModel<BsonDocument>> all = new ArrayList<>(updates);
        all.addAll(removals);
        return all;
    }

    /**
     * Whether every guard held. A guard that misses stops nothing on the server, and only the counts tell. They are
     * compared kind by kind, so that an upsert which met a corrupt document instead of making one counts as a miss.
     */
    boolean allGuardsHeld(BulkWriteResult result) {
        return result.getUpserts().size() == inserts
                && result.getMatchedCount() == updates.size() - inserts
                && result.getDeletedCount() == removals.size();
    }
}
