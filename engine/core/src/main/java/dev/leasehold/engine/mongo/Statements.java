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
 * one kind as one command, so a transaction without removals is a single {@code update}, or two with the clock apart.
 */
final class Statements {

    private static final UpdateOptions UPSERT = new UpdateOptions().upsert(true);

    private final String namespace;
    private final WriteModel<BsonDocument> clock;
    private final List<WriteModel<BsonDocument>> updates = new ArrayList<>();
    private final List<WriteModel<BsonDocument>> removals = new ArrayList<>();
    private int inserts;

    Statements(String namespace, GuardedTransaction transaction) {
        this.namespace = namespace;
        this.clock = new UpdateOneModel<>(
                Guards.clock(namespace, transaction.clock()), Changes.clock(transaction.clock()));
        transaction.writes().forEach(this::add);
    }

    private void add(LeaseWrite write) {
        if (write instanceof LeaseWrite.Insert insert) {
            inserts++;
            updates.add(new UpdateOneModel<>(
                    Guards.noLease(namespace, insert.name()), Changes.firstOf(insert.document()), UPSERT));
        } else if (write instanceof LeaseWrite.Replace replace) {
            updates.add(new UpdateOneModel<>(
                    Guards.lease(namespace, replace), Changes.nextOf(replace.document())));
        } else if (write instanceof LeaseWrite.Pin pin) {
            updates.add(new UpdateOneModel<>(
                    Guards.lease(namespace, pin.name(), pin.guard()), Changes.pin(pin)));
        } else {
            LeaseWrite.Remove remove = (LeaseWrite.Remove) write;
            removals.add(new DeleteOneModel<>(Guards.lease(namespace, remove)));
        }
    }

    /** All of them. */
    Part together() {
        Part leases = leases();
        return new Part(joined(List.of(clock), leases.models), leases.matches + 1, leases.inserts, leases.removals);
    }

    /** The clock's alone. */
    Part clock() {
        return new Part(List.of(clock), 1, 0, 0);
    }

    /** Those of the leases. */
    Part leases() {
        return new Part(joined(updates, removals), updates.size() - inserts, inserts, removals.size());
    }

    private static List<WriteModel<BsonDocument>> joined(
            List<WriteModel<BsonDocument>> first, List<WriteModel<BsonDocument>> then) {
        List<WriteModel<BsonDocument>> all = new ArrayList<>(first);
        all.addAll(then);
        return all;
    }

    /**
     * Statements that are sent with one call of the driver, and what they count to if every guard holds.
     *
     * @param models in their order
     * @param matches how many update a document that is there
     * @param inserts how many make one
     * @param removals how many remove one
     */
    record Part(List<WriteModel<BsonDocument>> models, int matches, int inserts, int removals) {

        /**
         * Whether every guard held. A guard that misses stops nothing on the server, and only the counts tell. They are
         * compared kind by kind, so that an upsert which met a corrupt document instead of making one counts as a miss.
         */
        boolean allGuardsHeld(BulkWriteResult result) {
            return result.getUpserts().size() == inserts
                    && result.getMatchedCount() == matches
                    && result.getDeletedCount() == removals;
        }
    }
}
