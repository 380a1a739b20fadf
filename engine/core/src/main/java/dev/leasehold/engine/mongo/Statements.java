package dev.leasehold.engine.mongo;

import com.mongodb.client.model.DeleteOneModel;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.WriteModel;
import dev.leasehold.engine.store.ClockStatement;
import dev.leasehold.engine.store.ClockWrite;
import dev.leasehold.engine.store.GuardedTransaction;
import dev.leasehold.engine.store.LeaseWrite;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.UuidRepresentation;

/** What is sent: each guard with its change. */
final class Statements {

    private static final BsonInt64 ONE = new BsonInt64(1);

    private final Guards guards;
    private final LeaseCodec leases;

    Statements(Guards guards, LeaseCodec leases) {
        this.guards = guards;
        this.leases = leases;
    }

    /** The clock's statement first. Deletes come last: between updates they would split the one command into several. */
    List<WriteModel<BsonDocument>> of(GuardedTransaction transaction) {
        List<WriteModel<BsonDocument>> updates = new ArrayList<>();
        List<WriteModel<BsonDocument>> deletes = new ArrayList<>();
        updates.add(new UpdateOneModel<>(guards.clock(transaction.clock()), change(transaction.clock())));
        for (LeaseWrite write : transaction.writes()) {
            (write instanceof LeaseWrite.Remove ? deletes : updates).add(model(write));
        }
        updates.addAll(deletes);
        return updates;
    }

    private WriteModel<BsonDocument> model(LeaseWrite write) {
        BsonString id = leases.id(write.name());
        if (write instanceof LeaseWrite.Insert insert) {
            return new UpdateOneModel<>(
                    Guards.noLease(id), leases.insertion(insert.document()), new UpdateOptions().upsert(true));
        }
        if (write instanceof LeaseWrite.Replace replace) {
            return new UpdateOneModel<>(Guards.lease(id, replace.guard()), leases.replacement(replace.document()));
        }
        return new DeleteOneModel<>(Guards.lease(id, ((LeaseWrite.Remove) write).guard()));
    }

    private static BsonDocument change(ClockStatement statement) {
        BsonInt64 stamp = new BsonInt64(statement.stampNanos());
        BsonDocument change = tick()
                .append(
                        "$set",
                        new BsonDocument(Fields.entry(statement.writer(), Fields.TIME), stamp)
                                .append(Fields.entry(statement.writer(), Fields.TXN), stamp));
        return statement.raiseTokenFloorTo() == null
                ? change
                : change.append(
                        "$max",
                        new BsonDocument(Fields.TOKEN_FLOOR, new BsonInt64(statement.raiseTokenFloorTo())));
    }

    /** A write of the clock document alone. */
    UpdateOneModel<BsonDocument> of(ClockWrite write) {
        if (write instanceof ClockWrite.Register register) {
            BsonDocument entry = new BsonDocument(Fields.TIME, new BsonInt64(register.timeNanos()))
                    .append(Fields.LSID, new BsonBinary(register.driverSession(), UuidRepresentation.STANDARD));
            return new UpdateOneModel<>(
                    guards.register(register),
                    tick().append("$set", new BsonDocument(Fields.entry(register.writer()), entry)));
        }
        if (write instanceof ClockWrite.Unlist unlist) {
            return new UpdateOneModel<>(guards.unlist(unlist), unset(Fields.entry(unlist.writer(), Fields.LSID)));
        }
        ClockWrite.Prune prune = (ClockWrite.Prune) write;
        return new UpdateOneModel<>(guards.prune(prune), unset(Fields.entry(prune.writer())));
    }

    private static BsonDocument unset(String path) {
        return tick().append("$unset", new BsonDocument(path, new BsonString("")));
    }

    /** Every write changes a byte: one that changes none would not conflict with others. */
    private static BsonDocument tick() {
        return new BsonDocument("$inc", new BsonDocument(Fields.TICKS, ONE));
    }
}
