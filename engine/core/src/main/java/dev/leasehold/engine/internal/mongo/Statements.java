package dev.leasehold.engine.internal.mongo;

import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.client.model.DeleteOneModel;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.WriteModel;
import dev.leasehold.engine.internal.store.GuardedTransaction;
import dev.leasehold.engine.internal.store.LeaseWrite;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.bson.BsonDocument;

/**
 * The statements of one transaction: the clock document's, then updates of leases with their gate stripes, then
 * removals. The driver sends adjacent statements of one kind as one command, so a transaction without removals is a
 * single {@code update}, or two with the clock document apart.
 *
 * <p>A stripe is updated, or created if it is missing; the difference says nothing about a guard. The stripes of a
 * removed lease are updated before they are removed, so that their number is certain.
 */
final class Statements {

    private static final UpdateOptions UPSERT = new UpdateOptions().upsert(true);

    private final String namespace;
    private final WriteModel<BsonDocument> clock;
    private final List<WriteModel<BsonDocument>> updates = new ArrayList<>();
    private final List<WriteModel<BsonDocument>> removals = new ArrayList<>();
    /** Indexes of the updates that create the first document of a name. */
    private final Set<Integer> inserts = new HashSet<>();

    Statements(String namespace, GuardedTransaction transaction) {
        this.namespace = namespace;
        this.clock =
                new UpdateOneModel<>(Guards.clock(namespace, transaction.clock()), Updates.clock(transaction.clock()));
        transaction.writes().forEach(this::add);
    }

    private void add(LeaseWrite write) {
        if (write instanceof LeaseWrite.Insert insert) {
            inserts.add(updates.size());
            updates.add(new UpdateOneModel<>(
                    Guards.noLease(namespace, insert.name()), Updates.firstOf(insert.document()), UPSERT));
            updateStripes(insert, Updates.stripe(insert.document()));
        } else if (write instanceof LeaseWrite.Replace replace) {
            updates.add(new UpdateOneModel<>(Guards.lease(namespace, replace), Updates.nextOf(replace.document())));
            updateStripes(replace, Updates.stripe(replace.document()));
        } else if (write instanceof LeaseWrite.Pin pin) {
            updates.add(new UpdateOneModel<>(Guards.lease(namespace, pin.name(), pin.guard()), Updates.pin(pin)));
        } else {
            LeaseWrite.Remove remove = (LeaseWrite.Remove) write;
            removals.add(new DeleteOneModel<>(Guards.lease(namespace, remove)));
            updateStripes(remove, Updates.lastOfStripe());
            for (int stripe = 1; stripe <= remove.stripes(); stripe++) {
                removals.add(new DeleteOneModel<>(Guards.stripe(namespace, remove.name(), stripe)));
            }
        }
    }

    private void updateStripes(LeaseWrite write, BsonDocument change) {
        for (int stripe = 1; stripe <= write.stripes(); stripe++) {
            updates.add(new UpdateOneModel<>(Guards.stripe(namespace, write.name(), stripe), change, UPSERT));
        }
    }

    /** All statements. */
    Part together() {
        Set<Integer> behindClock = new HashSet<>();
        inserts.forEach(place -> behindClock.add(place + 1));
        return new Part(joined(List.of(clock), leases().models), updates.size() + 1, behindClock, removals.size());
    }

    /** Only the statement of the clock document. */
    Part clock() {
        return new Part(List.of(clock), 1, Set.of(), 0);
    }

    /** The statements of the leases. */
    Part leases() {
        return new Part(joined(updates, removals), updates.size(), inserts, removals.size());
    }

    private static List<WriteModel<BsonDocument>> joined(
            List<WriteModel<BsonDocument>> first, List<WriteModel<BsonDocument>> then) {
        List<WriteModel<BsonDocument>> all = new ArrayList<>(first);
        all.addAll(then);
        return all;
    }

    /**
     * Statements that are sent with one call of the driver, and their expected counts if every guard holds.
     *
     * @param updates how many update or create a document
     * @param inserts the indexes of those that must create one
     * @param removals how many remove one
     */
    record Part(List<WriteModel<BsonDocument>> models, int updates, Set<Integer> inserts, int removals) {

        /**
         * Whether every guard held. A guard that misses stops nothing on the server; only the counts show it. An upsert
         * of a lease that updated a corrupt document instead of creating one is a miss, although the sum is right.
         */
        boolean allGuardsHeld(BulkWriteResult result) {
            return result.getMatchedCount() + result.getUpserts().size() == updates
                    && made(result).containsAll(inserts)
                    && result.getDeletedCount() == removals;
        }

        private static Set<Integer> made(BulkWriteResult result) {
            Set<Integer> places = new HashSet<>();
            result.getUpserts().forEach(upsert -> places.add(upsert.getIndex()));
            return places;
        }
    }
}
