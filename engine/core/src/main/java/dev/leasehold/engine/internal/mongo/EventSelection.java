package dev.leasehold.engine.internal.mongo;

import dev.leasehold.assertions.LeaseIds;
import dev.leasehold.engine.LeaseEvent;
import dev.leasehold.engine.LeaseEvent.LeaseChange;
import dev.leasehold.engine.LeaseEvent.WriterChange;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.StoredLease;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Selects the events for people in one namespace: begin and end of tenures, pins, removals, registered and removed
 * writers. The server selects them, so heartbeats, renewals and assertions are not sent.
 */
final class EventSelection implements ChangeStream.Selection<LeaseEvent> {

    /** Paths of a lease. An added pin ends in its index in the array. */
    private static final Pattern OF_LEASE =
            Pattern.compile("^(" + Fields.HOLDER + "|" + Fields.TOKEN + "|" + Fields.PINS + "(\\.\\d+)?)$");

    /** Paths of a writer: its whole entry, its session or its driver session. The keys have no dots. */
    private static final Pattern OF_WRITER =
            Pattern.compile("^" + Fields.WRITERS + "\\.([^.]+)(\\.(" + Fields.SESSION + "|" + Fields.LSID + "))?$");

    private static final String ID = "documentKey." + Fields.ID;
    private static final String UPDATE = "updateDescription";
    private static final String UPDATED = "updatedFields";
    private static final String REMOVED = "removedFields";
    private static final String TRUNCATED = "truncatedArrays";
    private static final String PRESENT = "fullDocument";
    private static final String OPERATION = "operationType";
    private static final String TIME = "clusterTime";

    private static final BsonInt32 WANTED = new BsonInt32(1);

    /** By the id of the clock document, with which the ids of the leases begin. */
    private final Map<String, String> partitions;

    private final Map<String, LeaseCodec> codecs;

    EventSelection(List<String> partitions) {
        this.partitions = partitions.stream().collect(Collectors.toMap(LeaseIds::clockId, Function.identity()));
        this.codecs = partitions.stream().collect(Collectors.toMap(LeaseIds::clockId, LeaseCodec::new));
    }

    /** The document of writers is not projected: it may be large. */
    @Override
    public List<BsonDocument> pipeline() {
        BsonDocument wanted = new BsonDocument("documentKey", WANTED)
                .append(OPERATION, WANTED)
                .append(TIME, WANTED)
                .append(UPDATE, WANTED);
        LeaseCodec.NAMES.forEach(field -> wanted.append(PRESENT + "." + field, WANTED));
        return List.of(
                new BsonDocument("$match", anyOf(Stream.concat(Stream.of(ofWriters()), Stream.of(ofLeases())))),
                new BsonDocument("$project", wanted));
    }

    private BsonDocument ofWriters() {
        return allOf(
                new BsonDocument(
                        ID,
                        new BsonDocument(
                                "$in",
                                new BsonArray(partitions.keySet().stream()
                                        .map(BsonString::new)
                                        .toList()))),
                new BsonDocument("$expr", anyFieldMatches(OF_WRITER)));
    }

    private BsonDocument ofLeases() {
        BsonDocument ids = anyOf(
                partitions.values().stream().map(partition -> new BsonDocument(ID, StoreReads.idsOfLeases(partition))));
        BsonDocument change = anyOf(Stream.of(
                new BsonDocument(
                        OPERATION,
                        new BsonDocument(
                                "$in",
                                new BsonArray(List.of(
                                        new BsonString("insert"),
                                        new BsonString("delete"),
                                        new BsonString("replace"))))),
                new BsonDocument("$expr", anyFieldMatches(OF_LEASE))));
        return allOf(ids, change);
    }

    /** Only an expression can match field names: a query would read their dots as paths. */
    private static BsonDocument anyFieldMatches(Pattern pattern) {
        return new BsonDocument(
                "$anyElementTrue",
                new BsonArray(List.of(new BsonDocument(
                        "$map",
                        new BsonDocument("input", namesOfFields())
                                .append(
                                        "in",
                                        new BsonDocument(
                                                "$regexMatch",
                                                new BsonDocument("input", new BsonString("$$this"))
                                                        .append("regex", new BsonString(pattern.pattern()))))))));
    }

    private static BsonDocument namesOfFields() {
        BsonDocument updated = new BsonDocument(
                "$map",
                new BsonDocument(
                                "input",
                                new BsonDocument("$objectToArray", orEmpty(UPDATE + "." + UPDATED, new BsonDocument())))
                        .append("in", new BsonString("$$this.k")));
        BsonDocument truncated = new BsonDocument(
                "$map",
                new BsonDocument("input", orEmpty(UPDATE + "." + TRUNCATED, new BsonArray()))
                        .append("in", new BsonString("$$this.field")));
        return new BsonDocument(
                "$concatArrays",
                new BsonArray(List.of(updated, orEmpty(UPDATE + "." + REMOVED, new BsonArray()), truncated)));
    }

    private static BsonDocument orEmpty(String field, BsonValue empty) {
        return new BsonDocument("$ifNull", new BsonArray(List.of(new BsonString("$" + field), empty)));
    }

    private static BsonDocument anyOf(Stream<BsonDocument> conditions) {
        return new BsonDocument("$or", new BsonArray(conditions.toList()));
    }

    private static BsonDocument allOf(BsonDocument... conditions) {
        return new BsonDocument("$and", new BsonArray(List.of(conditions)));
    }

    @Override
    public Stream<LeaseEvent> read(BsonDocument event) {
        String id = event.getDocument("documentKey").getString(Fields.ID).getValue();
        Instant serverTime = Instant.ofEpochSecond(event.getTimestamp(TIME).getTime());
        String partition = partitions.get(id);
        if (partition != null) {
            return ofWriters(partition, serverTime, event.getDocument(UPDATE));
        }
        int end = id.indexOf('#');
        return Stream.of(ofLease(id.substring(0, end), id.substring(end + 1), serverTime, event));
    }

    private static Stream<LeaseEvent> ofWriters(String partition, Instant serverTime, BsonDocument update) {
        Stream<LeaseEvent> added = update.getDocument(UPDATED, new BsonDocument()).keySet().stream()
                .flatMap(field -> OF_WRITER.matcher(field).results().map(found -> found))
                .filter(found -> !Fields.LSID.equals(found.group(3)))
                .map(found -> new LeaseEvent.OfWriter(
                        partition,
                        serverTime,
                        found.group(1),
                        found.group(3) == null ? WriterChange.CAME : WriterChange.SESSION_BEGAN));
        Stream<LeaseEvent> removed = update.getArray(REMOVED, new BsonArray()).stream()
                .map(field -> OF_WRITER.matcher(field.asString().getValue()))
                .filter(Matcher::matches)
                .filter(found -> !Fields.SESSION.equals(found.group(3)))
                .map(found -> new LeaseEvent.OfWriter(
                        partition,
                        serverTime,
                        found.group(1),
                        found.group(3) == null ? WriterChange.GONE : WriterChange.CLOSED));
        return Stream.concat(added, removed);
    }

    private LeaseEvent ofLease(String clockId, String name, Instant serverTime, BsonDocument event) {
        BsonDocument updated = event.getDocument(UPDATE, new BsonDocument()).getDocument(UPDATED, new BsonDocument());
        LeaseChange change = change(event.getString(OPERATION).getValue(), updated);
        LeaseDocument latest = latest(Objects.requireNonNull(codecs.get(clockId)), event);
        return new LeaseEvent.OfLease(
                Objects.requireNonNull(partitions.get(clockId)),
                serverTime,
                name,
                change,
                holder(change, updated, latest),
                token(change, updated, latest),
                latest == null || change == LeaseChange.ENDED || isOfAnotherTenure(latest, updated)
                        ? null
                        : latest.comment(),
                latest == null ? Set.of() : latest.pins());
    }

    /** The document is read after the event, and may show a later write. */
    private static boolean isOfAnotherTenure(LeaseDocument latest, BsonDocument updated) {
        return updated.isInt64(Fields.TOKEN) && updated.getInt64(Fields.TOKEN).getValue() != latest.token();
    }

    private static LeaseChange change(String operation, BsonDocument updated) {
        return switch (operation) {
            case "insert" -> LeaseChange.ACQUIRED;
            case "delete" -> LeaseChange.REMOVED;
            case "replace" -> LeaseChange.REPLACED;
            default -> ofUpdate(updated);
        };
    }

    /** Only a forced expiry moves the token of a lease and leaves it vacant. */
    private static LeaseChange ofUpdate(BsonDocument updated) {
        boolean vacant = updated.containsKey(Fields.HOLDER) && updated.isNull(Fields.HOLDER);
        if (updated.containsKey(Fields.TOKEN)) {
            return vacant ? LeaseChange.FORCE_EXPIRED : LeaseChange.ACQUIRED;
        }
        return updated.containsKey(Fields.HOLDER) ? LeaseChange.ENDED : LeaseChange.PINS_CHANGED;
    }

    private static @Nullable String holder(LeaseChange change, BsonDocument updated, @Nullable LeaseDocument latest) {
        if (updated.containsKey(Fields.HOLDER)) {
            return updated.isString(Fields.HOLDER)
                    ? updated.getString(Fields.HOLDER).getValue()
                    : null;
        }
        return latest == null || change != LeaseChange.ACQUIRED || isOfAnotherTenure(latest, updated)
                ? null
                : latest.holder();
    }

    /** The event of an end has no token. As long as the lease is vacant, the document has it. */
    private static @Nullable Long token(LeaseChange change, BsonDocument updated, @Nullable LeaseDocument latest) {
        if (updated.isInt64(Fields.TOKEN)) {
            return updated.getInt64(Fields.TOKEN).getValue();
        }
        if (latest != null && (change == LeaseChange.ACQUIRED || change == LeaseChange.ENDED && latest.isVacant())) {
            return latest.token();
        }
        return null;
    }

    /** Null also if the document no longer exists. */
    private static @Nullable LeaseDocument latest(LeaseCodec codec, BsonDocument event) {
        BsonDocument present = event.isDocument(PRESENT) ? event.getDocument(PRESENT) : new BsonDocument();
        return present.isString(Fields.ID) && codec.decode(present) instanceof StoredLease.Sound sound
                ? sound.document()
                : null;
    }
}
