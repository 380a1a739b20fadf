package dev.leasehold.simulator.store;

import dev.leasehold.simulator.history.Change.ClockRow;
import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.Change.StripeRow;
import dev.leasehold.simulator.history.Change.WriterRow;
import java.util.Collections;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** A document as stored. Immutable: a write puts another object in its place, and so it is seen that somebody has written. */
final class Document {

    static final ClockRow NO_CLOCK = new ClockRow(0, 0, new TreeMap<>());

    /** Where a damaged lease keeps its token, for the day when it is repaired. */
    private static final String TOKEN_BEFORE = "tokenBefore";

    private final BsonDocument bson;
    private @Nullable LeaseRow leaseRow;
    private @Nullable ClockRow clockRow;

    Document(BsonDocument bson) {
        this.bson = bson;
    }

    /** Not to be changed. */
    BsonDocument bson() {
        return bson;
    }

    /** How many gate stripes a lease has. */
    int stripes() {
        return bson.isInt32("stripes") ? bson.getInt32("stripes").getValue() : 0;
    }

    /** The writers that are registered with this driver session: of a registration that nobody heard of the next one knows nothing. */
    Stream<String> registeredBy(UUID driverSession) {
        BsonValue id = new BsonBinary(driverSession);
        return bson.getDocument("writers").entrySet().stream()
                .filter(entry -> id.equals(entry.getValue().asDocument().get("lsid")))
                .map(entry -> entry.getKey());
    }

    // ---- damage ----

    /** The lease with a token that is none. */
    static BsonDocument damaged(BsonDocument lease) {
        return lease.isInt64("token") ? withToken(lease, new BsonString("damaged"), lease.get("token")) : lease;
    }

    /** The lease as it was before. */
    static BsonDocument repaired(BsonDocument lease) {
        return lease.containsKey(TOKEN_BEFORE) ? withToken(lease, lease.get(TOKEN_BEFORE), null) : lease;
    }

    private static BsonDocument withToken(BsonDocument lease, BsonValue token, @Nullable BsonValue before) {
        BsonDocument changed = new BsonDocument();
        changed.putAll(lease);
        changed.put("token", token);
        changed.remove(TOKEN_BEFORE);
        return before == null ? changed : changed.append(TOKEN_BEFORE, before);
    }

    // ---- for the history ----

    LeaseRow leaseRow() {
        LeaseRow made = leaseRow;
        if (made == null) {
            boolean sound = bson.isInt64("token");
            made = new LeaseRow(
                    text("holder"),
                    bson.getInt64(sound ? "token" : TOKEN_BEFORE).getValue(),
                    bson.getString("writer").getValue(),
                    bson.getInt64("written").getValue(),
                    number(bson, "expiry"),
                    bson.getInt64("gates").getValue(),
                    pins(),
                    sound);
            leaseRow = made;
        }
        return made;
    }

    private Set<String> pins() {
        Set<String> pins = new TreeSet<>();
        bson.getArray("pins", new BsonArray())
                .forEach(pin -> pins.add(pin.asString().getValue()));
        return pins.isEmpty() ? Set.of() : Collections.unmodifiableSet(pins);
    }

    StripeRow stripeRow() {
        return new StripeRow(
                text("holder"),
                bson.containsKey("token") ? bson.getInt64("token").getValue() : 0,
                bson.containsKey("gates") ? bson.getInt64("gates").getValue() : 0);
    }

    ClockRow clockRow() {
        ClockRow made = clockRow;
        if (made == null) {
            SortedMap<String, WriterRow> rows = new TreeMap<>();
            bson.getDocument("writers").forEach((writer, value) -> {
                BsonDocument entry = value.asDocument();
                rows.put(
                        writer,
                        new WriterRow(
                                entry.getInt64("time").getValue(), number(entry, "txn"), number(entry, "session")));
            });
            made = new ClockRow(
                    bson.getInt64("ticks").getValue(),
                    bson.getInt64("tokenFloor").getValue(),
                    rows);
            clockRow = made;
        }
        return made;
    }

    /** That of a document of a caller's own. */
    long value() {
        return bson.getInt64("value").getValue();
    }

    private @Nullable String text(String field) {
        return bson.isString(field) ? bson.getString(field).getValue() : null;
    }

    private static @Nullable Long number(BsonDocument of, String field) {
        return of.containsKey(field) ? (Long) of.getInt64(field).getValue() : null;
    }
}
