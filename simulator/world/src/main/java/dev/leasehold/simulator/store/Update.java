package dev.leasehold.simulator.store;

import dev.leasehold.simulator.world.SimulatorFailure;
import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * What an update makes of a document, as a server does it. It knows the operators that engines and assertions use, and fails loudly at
 * any other. The contract suite compares each of them with a real server.
 */
final class Update {

    private static final int BAD_VALUE = 2;
    private static final int TYPE_MISMATCH = 14;
    private static final int PATH_NOT_VIABLE = 28;

    private final BsonDocument after;
    private final boolean inserts;
    private boolean changes;

    private Update(BsonDocument before, boolean inserts) {
        this.after = copy(before);
        this.inserts = inserts;
    }

    /** The server carries none of it out. */
    static final class Refused extends RuntimeException {

        private static final long serialVersionUID = 1L;
        private final int code;

        Refused(int code, String message) {
            super(message, null, false, false);
            this.code = code;
        }

        int code() {
            return code;
        }
    }

    /** The document afterwards; the same object if no byte is changed. */
    static BsonDocument applied(BsonDocument before, BsonDocument update) {
        Update running = new Update(before, false);
        running.run(update);
        return running.changes ? running.after : before;
    }

    /** The document that an upsert makes, with the fields that its filter wants to be equal to something. */
    static BsonDocument inserted(BsonDocument filter, BsonDocument update) {
        BsonDocument first = new BsonDocument();
        filter.forEach((field, wanted) -> {
            if (!wanted.isDocument()) {
                first.put(field, wanted);
            }
        });
        Update running = new Update(first, true);
        running.run(update);
        return running.after;
    }

    private void run(BsonDocument update) {
        for (Map.Entry<String, BsonValue> operator : update.entrySet()) {
            for (Map.Entry<String, BsonValue> change :
                    operator.getValue().asDocument().entrySet()) {
                run(operator.getKey(), change.getKey(), change.getValue());
            }
        }
    }

    private void run(String operator, String path, BsonValue value) {
        switch (operator) {
            case "$set" -> put(path, value);
            case "$setOnInsert" -> {
                if (inserts) {
                    put(path, value);
                }
            }
            case "$unset" -> put(path, null);
            case "$inc" -> put(path, sum(path, at(path), value));
            case "$max" -> put(path, greater(at(path), value));
            case "$addToSet" -> put(path, with(array(path), value));
            case "$push" -> put(path, pushed(array(path), value.asDocument()));
            case "$pull" -> {
                if (at(path) != null) {
                    put(path, without(array(path), value));
                }
            }
            default -> throw new SimulatorFailure("an update with " + operator);
        }
    }

    // ---- values ----

    private static BsonValue sum(String path, @Nullable BsonValue before, BsonValue more) {
        if (before == null) {
            return more;
        }
        if (!before.isNumber()) {
            throw new Refused(TYPE_MISMATCH, "Cannot apply $inc to a value of non-numeric type at " + path);
        }
        if (before.isDouble() || more.isDouble()) {
            return new BsonDouble(
                    before.asNumber().doubleValue() + more.asNumber().doubleValue());
        }
        long sum = before.asNumber().longValue() + more.asNumber().longValue();
        return before.isInt32() && more.isInt32() && sum == (int) sum ? new BsonInt32((int) sum) : new BsonInt64(sum);
    }

    private static BsonValue greater(@Nullable BsonValue before, BsonValue value) {
        if (before != null && !BsonOrder.areComparable(before, value)) {
            throw new SimulatorFailure(
                    "a maximum of values of types " + before.getBsonType() + " and " + value.getBsonType());
        }
        return before == null || BsonOrder.compare(value, before) > 0 ? value : before;
    }

    private BsonArray array(String path) {
        BsonValue found = at(path);
        if (found != null && !found.isArray()) {
            throw new Refused(BAD_VALUE, "Cannot apply $addToSet, $push or $pull to a non-array value at " + path);
        }
        return found == null ? new BsonArray() : found.asArray();
    }

    private static BsonArray with(BsonArray array, BsonValue value) {
        if (array.contains(value)) {
            return array;
        }
        BsonArray longer = new BsonArray(array);
        longer.add(value);
        return longer;
    }

    /** As many of all as the slice lets, from the first on. */
    private static BsonArray pushed(BsonArray array, BsonDocument value) {
        BsonArray longer = new BsonArray(array);
        longer.addAll(value.getArray("$each"));
        int most = value.getInt32("$slice").getValue();
        if (most <= 0 || value.size() > 2) {
            throw new SimulatorFailure("an update with $push of " + value);
        }
        return longer.size() <= most ? longer : new BsonArray(longer.subList(0, most));
    }

    /** A document is a condition of the elements that are documents. */
    private static BsonArray without(BsonArray array, BsonValue value) {
        return new BsonArray(
                array.stream().filter(each -> !isPulled(each, value)).toList());
    }

    private static boolean isPulled(BsonValue each, BsonValue value) {
        return value.isDocument()
                ? each.isDocument() && Filter.matches(value.asDocument(), each.asDocument())
                : BsonOrder.isEqual(each, value);
    }

    // ---- paths ----

    private @Nullable BsonValue at(String path) {
        BsonValue at = after;
        for (String key : path.split("\\.")) {
            at = at != null && at.isDocument() ? at.asDocument().get(key) : null;
        }
        return at;
    }

    /** Null takes the field away. Documents on the way are replaced by copies, since others have them too. */
    private void put(String path, @Nullable BsonValue value) {
        BsonDocument parent = after;
        String rest = path;
        for (int dot = rest.indexOf('.'); dot >= 0; dot = rest.indexOf('.')) {
            String key = rest.substring(0, dot);
            BsonValue child = parent.get(key);
            if (value == null && (child == null || !child.isDocument())) {
                return;
            }
            if (child != null && !child.isDocument()) {
                throw new Refused(PATH_NOT_VIABLE, "Cannot create field in element " + key);
            }
            BsonDocument copied = child == null ? new BsonDocument() : copy(child.asDocument());
            parent.put(key, copied);
            parent = copied;
            rest = rest.substring(dot + 1);
        }
        BsonValue before = value == null ? parent.remove(rest) : parent.put(rest, value);
        changes |= value == null ? before != null : !value.equals(before);
    }

    private static BsonDocument copy(BsonDocument of) {
        BsonDocument copy = new BsonDocument(of.size() + 2);
        copy.putAll(of);
        return copy;
    }
}
