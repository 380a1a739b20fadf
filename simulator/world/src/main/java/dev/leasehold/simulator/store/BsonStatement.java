package dev.leasehold.simulator.store;

import dev.leasehold.simulator.world.SimulatorFailure;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** An update of a lease or of a gate stripe by a caller, in the words of the driver. It understands fields that are equal, and how to set and add. */
final class BsonStatement implements Statement {

    private final BsonDocument filter;
    private final BsonDocument update;
    private boolean modified;

    BsonStatement(BsonDocument filter, BsonDocument update) {
        this.filter = filter;
        this.update = update;
    }

    /** The id that a filter asks for. */
    static String idIn(BsonDocument filter) {
        if (filter.get("_id") == null || !filter.get("_id").isString()) {
            throw new SimulatorFailure("a filter without the id of one document: " + filter);
        }
        return filter.getString("_id").getValue();
    }

    @Override
    public String documentId() {
        return idIn(filter);
    }

    /** Whether it changed a byte of a document that it found. */
    boolean hasModified() {
        return modified;
    }

    @Override
    public Effect on(@Nullable Document found) {
        BsonDocument before = LeaseBson.of(found);
        if (found == null || before == null || !matches(filter, before)) {
            return Effect.MISSES;
        }
        BsonDocument after = updated(before);
        modified = !after.equals(before);
        return Effect.writes(modified ? LeaseBson.after(found, after) : found);
    }

    static boolean matches(BsonDocument filter, BsonDocument document) {
        for (Map.Entry<String, BsonValue> field : filter.entrySet()) {
            BsonValue wanted = field.getValue();
            if (field.getKey().equals("_id")) {
                // By that the document was found.
                continue;
            }
            if (field.getKey().startsWith("$") || field.getKey().contains(".") || wanted.isDocument()) {
                throw new SimulatorFailure("a filter of more than equal fields: " + filter);
            }
            if (!isEqual(wanted, document.get(field.getKey()))) {
                return false;
            }
        }
        return true;
    }

    /** Numbers of different types are equal on the server, and a missing field is as good as null. */
    private static boolean isEqual(BsonValue wanted, @Nullable BsonValue found) {
        if (found == null) {
            return wanted.isNull();
        }
        return wanted.isNumber() && found.isNumber()
                ? wanted.asNumber().longValue() == found.asNumber().longValue()
                : wanted.equals(found);
    }

    private BsonDocument updated(BsonDocument before) {
        BsonDocument after = before.clone();
        for (Map.Entry<String, BsonValue> operator : update.entrySet()) {
            for (Map.Entry<String, BsonValue> change :
                    operator.getValue().asDocument().entrySet()) {
                switch (operator.getKey()) {
                    case "$set" -> after.put(change.getKey(), change.getValue());
                    case "$inc" -> after.put(change.getKey(), sum(before.get(change.getKey()), change.getValue()));
                    default -> throw new SimulatorFailure("an update with " + operator.getKey());
                }
            }
        }
        return after;
    }

    private static BsonValue sum(@Nullable BsonValue before, BsonValue more) {
        long sum = more.asNumber().longValue()
                + (before == null ? 0 : before.asNumber().longValue());
        return new BsonInt64(sum);
    }
}
