package dev.leasehold.simulator.store;

import dev.leasehold.simulator.history.Change;
import dev.leasehold.simulator.history.Change.ClockRow;
import dev.leasehold.simulator.history.Change.LeaseRow;
import dev.leasehold.simulator.history.Change.StripeRow;
import dev.leasehold.simulator.history.Change.TicketRow;
import dev.leasehold.simulator.history.Change.WriterRow;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

/** A document as stored. Immutable: a write puts another object in its place, which shows that the document was written. */
final class Document {

    private static final ClockRow NO_CLOCK = new ClockRow(0, 0, new TreeMap<>());
    /** Where a damaged lease keeps its token until it is repaired. */
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

    /** The writers that are registered with this driver session: one whose registration had no answer registers again under another name. */
    Stream<String> registeredBy(UUID driverSession) {
        BsonValue id = new BsonBinary(driverSession);
        return bson.getDocument("writers").entrySet().stream()
                .filter(entry -> id.equals(entry.getValue().asDocument().get("lsid")))
                .map(Map.Entry::getKey);
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

    /** A write as the history shows it. */
    static Change change(String id, @Nullable Document before, @Nullable Document after) {
        if (Ids.isOfCaller(id)) {
            long value = Objects.requireNonNull(after).bson.getInt64("value").getValue();
            return new Change.OfCaller(Ids.nameOfCallers(id), value);
        }
        if (Ids.isOfClock(id)) {
            return new Change.OfClock(
                    Ids.partitionOfClock(id),
                    before == null ? NO_CLOCK : before.clockRow(),
                    after == null ? NO_CLOCK : after.clockRow());
        }
        if (Ids.isOfQueue(id)) {
            return new Change.OfQueue(Ids.nameOfQueue(id), after == null ? List.of() : after.tickets());
        }
        if (Ids.isOfRecord(id)) {
            BsonDocument record = Objects.requireNonNull(after == null ? before : after).bson;
            return new Change.OfOccurrence(
                    record.getString("name").getValue(),
                    record.getString("occurrence").getValue(),
                    after == null ? null : record.getString("holder").getValue(),
                    record.getInt64("token").getValue());
        }
        if (Ids.isOfStripe(id)) {
            return new Change.OfStripe(
                    Ids.nameOfLease(id), Ids.numberOfStripe(id), after == null ? null : after.stripeRow());
        }
        return new Change.OfLease(
                Ids.nameOfLease(id),
                before == null ? null : before.leaseRow(),
                after == null ? null : after.leaseRow());
    }

    LeaseRow leaseRow() {
        LeaseRow made = leaseRow;
        if (made == null) {
            boolean sound = bson.isInt64("token");
            made = new LeaseRow(
                    holder(),
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

    private @Nullable String holder() {
        return bson.isString("holder") ? bson.getString("holder").getValue() : null;
    }

    private Set<String> pins() {
        Set<String> pins = new TreeSet<>();
        bson.getArray("pins", new BsonArray())
                .forEach(pin -> pins.add(pin.asString().getValue()));
        return pins.isEmpty() ? Set.of() : Collections.unmodifiableSet(pins);
    }

    private List<TicketRow> tickets() {
        BsonValue waiters = bson.get("waiters");
        if (waiters == null || !waiters.isArray()) {
            return List.of();
        }
        return waiters.asArray().stream()
                .map(BsonValue::asDocument)
                .map(ticket -> new TicketRow(
                        ticket.getString("writer").getValue(),
                        ticket.getInt64("stamp").getValue(),
                        ticket.getString("holder").getValue(),
                        ticket.getInt32("priority").getValue()))
                .toList();
    }

    private StripeRow stripeRow() {
        Long token = number(bson, "token");
        Long gates = number(bson, "gates");
        return new StripeRow(holder(), token == null ? 0 : token, gates == null ? 0 : gates);
    }

    private ClockRow clockRow() {
        ClockRow made = clockRow;
        if (made == null) {
            SortedMap<String, WriterRow> rows = new TreeMap<>();
            for (Map.Entry<String, BsonValue> writer :
                    bson.getDocument("writers").entrySet()) {
                BsonDocument entry = writer.getValue().asDocument();
                long timeNanos = entry.getInt64("time").getValue();
                rows.put(writer.getKey(), new WriterRow(timeNanos, number(entry, "txn"), number(entry, "session")));
            }
            long ticks = bson.getInt64("ticks").getValue();
            made = new ClockRow(ticks, bson.getInt64("tokenFloor").getValue(), rows);
            clockRow = made;
        }
        return made;
    }

    /** Null also for what is no such number, which only a change by hand can have put there. */
    private static @Nullable Long number(BsonDocument of, String field) {
        return of.isInt64(field) ? (Long) of.getInt64(field).getValue() : null;
    }
}
