package dev.leasehold.engine.internal.mongo;

import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.client.model.DeleteOneModel;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.WriteModel;
import dev.leasehold.engine.internal.mongo.documents.Guards;
import dev.leasehold.engine.internal.mongo.documents.Updates;
import dev.leasehold.engine.internal.store.GuardedTransaction;
import dev.leasehold.engine.internal.store.LeaseWrite;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
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
    /** Those of the updates that must create the first document of a name. */
    private final List<WriteModel<BsonDocument>> inserts = new ArrayList<>();

    Statements(String namespace, GuardedTransaction transaction) {
        this.namespace = namespace;
        this.clock =
                new UpdateOneModel<>(Guards.clock(namespace, transaction.clock()), Updates.clock(transaction.clock()));
        transaction.writes().forEach(this::add);
    }

    private void add(LeaseWrite write) {
        if (write instanceof LeaseWrite.Insert insert) {
            WriteModel<BsonDocument> first = new UpdateOneModel<>(
                    Guards.noLease(namespace, insert.name()), Updates.firstOf(insert.document()), UPSERT);
            inserts.add(first);
            updates.add(first);
            updateStripes(insert, Updates.stripe(insert.document()));
        } else if (write instanceof LeaseWrite.OfQueue ofQueue) {
            add(ofQueue);
        } else if (write instanceof LeaseWrite.Replace replace) {
            if (replace.withdrawn() != null) {
                add(replace.withdrawn());
            }
            updates.add(new UpdateOneModel<>(Guards.lease(namespace, replace), Updates.nextOf(replace.document())));
            updateStripes(replace, Updates.stripe(replace.document()));
        } else if (write instanceof LeaseWrite.Pin pin) {
            updates.add(new UpdateOneModel<>(Guards.leaseAsRead(namespace, pin.name(), pin.guard()), Updates.pin(pin)));
        } else {
            LeaseWrite.Remove remove = (LeaseWrite.Remove) write;
            removals.add(new DeleteOneModel<>(Guards.lease(namespace, remove)));
            updateStripes(remove, Updates.lastOfStripe());
            for (int stripe = 1; stripe <= remove.stripes(); stripe++) {
                removals.add(new DeleteOneModel<>(Guards.stripe(namespace, remove.name(), stripe)));
            }
        }
    }

    private void add(LeaseWrite.OfQueue write) {
        updates.add(
                new UpdateOneModel<>(Guards.queue(namespace, write.name()), Updates.queue(namespace, write), UPSERT));
    }

    private void updateStripes(LeaseWrite write, BsonDocument change) {
        for (int stripe = 1; stripe <= write.stripes(); stripe++) {
            updates.add(new UpdateOneModel<>(Guards.stripe(namespace, write.name(), stripe), change, UPSERT));
        }
    }

    /** All statements. */
    Part together() {
        return part(Stream.of(List.of(clock), updates, removals));
    }

    /** Only the statement of the clock document. */
    Part clock() {
        return new Part(List.of(clock), List.of(), 0);
    }

    /** The statements of the leases. */
    Part leases() {
        return part(Stream.of(updates, removals));
    }

    private Part part(Stream<List<WriteModel<BsonDocument>>> groups) {
        return new Part(groups.flatMap(List::stream).toList(), inserts, removals.size());
    }

    /**
     * Statements that are sent with one call of the driver.
     *
     * @param inserts those that must create a document
     * @param removals how many remove one; each other one updates or creates one
     */
    record Part(List<WriteModel<BsonDocument>> models, List<WriteModel<BsonDocument>> inserts, int removals) {

        /**
         * Whether every guard held. A guard that misses stops nothing on the server; only the counts show it. An upsert
         * of a lease that updated a corrupt document instead of creating one is a miss, although the sum is right.
         */
        boolean allGuardsHeld(BulkWriteResult result) {
            List<WriteModel<BsonDocument>> created = result.getUpserts().stream()
                    .<WriteModel<BsonDocument>>map(upsert -> models.get(upsert.getIndex()))
                    .toList();
            return result.getMatchedCount() + created.size() == models.size() - removals
                    && created.containsAll(inserts)
                    && result.getDeletedCount() == removals;
        }
    }
}
