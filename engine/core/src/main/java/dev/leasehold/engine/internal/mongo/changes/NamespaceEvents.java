package dev.leasehold.engine.internal.mongo.changes;

import dev.leasehold.engine.LeaseEvent;
import dev.leasehold.engine.LeaseEvent.LeaseChange;
import dev.leasehold.engine.LeaseEvent.WriterChange;
import dev.leasehold.engine.LeaseEvents;
import dev.leasehold.engine.internal.mongo.connection.StoreContext;
import dev.leasehold.engine.internal.mongo.documents.Fields;
import dev.leasehold.engine.internal.store.LeaseDocument;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.jspecify.annotations.Nullable;

/**
 * The events of a namespace for people: begin and end of tenures, pins, removals, registered and removed writers.
 * Heartbeats, renewals and assertions are not among them.
 */
public final class NamespaceEvents extends ChangeStream<LeaseEvent> implements LeaseEvents {

    /** Paths of a lease. An added pin ends in its index in the array. */
    private static final Pattern OF_LEASE =
            Pattern.compile("^(" + Fields.HOLDER + "|" + Fields.TOKEN + "|" + Fields.PINS + "([.][0-9]+)?)$");

    /** Paths of a writer: its whole entry, its session or its driver session. The keys have no dots. */
    private static final Pattern OF_WRITER =
            Pattern.compile("^" + Fields.WRITERS + "[.]([^.]+)([.](" + Fields.SESSION + "|" + Fields.LSID + "))?$");

    private static final String TIME = "clusterTime";
    private static final String POSITION = "_data";

    /** Whether a changed field matches. Only an expression can match field names: a query would read dots as paths. */
    private static final String ANY_FIELD_MATCHES = """
        {$expr: {$anyElementTrue: [{$map: {
            input: {$concatArrays: [
                {$map: {input: {$objectToArray: {$ifNull: ['$updateDescription.updatedFields', {}]}}, in: '$$this.k'}},
                {$ifNull: ['$updateDescription.removedFields', []]},
                {$map: {input: {$ifNull: ['$updateDescription.truncatedArrays', []]}, in: '$$this.field'}}]},
            in: {$regexMatch: {input: '$$this', regex: '%s'}}}}]}}\
        """;

    /**
     * The position of the newest event that was read: these texts are in the order of the changes. A stream that is opened after a failure
     * begins with the newest change, which may be that one. Used by the awaiting thread alone.
     */
    private String newest = "";

    /** That of the newest change from before the first stream; null before it. Used by the awaiting thread alone. */
    private @Nullable BsonTimestamp before;

    public NamespaceEvents(StoreContext context) {
        super(context);
    }

    @Override
    BsonDocument selection(BsonDocument ofClocks, BsonDocument ofLeases, BsonDocument ofQueues) {
        BsonDocument whole = new BsonDocument(OPERATION, oneOf(Stream.of("insert", "delete", "replace")));
        return any(List.of(
                all(ofClocks, anyFieldMatches(OF_WRITER)),
                all(ofLeases, any(List.of(whole, anyFieldMatches(OF_LEASE))))));
    }

    private static BsonDocument anyFieldMatches(Pattern pattern) {
        return BsonDocument.parse(ANY_FIELD_MATCHES.formatted(pattern.pattern()));
    }

    @Override
    List<String> wanted() {
        return List.of(OPERATION, TIME, UPDATE);
    }

    @Override
    void onBegin(BsonTimestamp newest) {
        before = before == null ? newest : before;
    }

    @Override
    Stream<LeaseEvent> decode(BsonDocument event) {
        String position = event.getDocument(Fields.ID).getString(POSITION).getValue();
        BsonTimestamp time = event.getTimestamp(TIME);
        if (position.compareTo(newest) <= 0 || before != null && time.compareTo(before) <= 0) {
            return Stream.empty();
        }
        newest = position;
        Subject subject = Subject.of(event);
        Instant serverTime = Instant.ofEpochSecond(time.getTime());
        return subject.lease() == null
                ? ofWriters(subject.partition(), serverTime, event)
                : Stream.of(ofLease(subject.partition(), subject.lease(), serverTime, event));
    }

    private static Stream<LeaseEvent> ofWriters(String partition, Instant serverTime, BsonDocument event) {
        Stream<LeaseEvent> added = matches(updated(event).keySet().stream(), Fields.LSID)
                .map(found -> ofWriter(partition, serverTime, found, WriterChange.CAME, WriterChange.SESSION_BEGAN));
        Stream<LeaseEvent> removed = matches(removed(event), Fields.SESSION)
                .map(found -> ofWriter(partition, serverTime, found, WriterChange.GONE, WriterChange.CLOSED));
        return Stream.concat(added, removed);
    }

    private static Stream<MatchResult> matches(Stream<String> fields, String ignored) {
        return fields.<MatchResult>flatMap(field -> OF_WRITER.matcher(field).results())
                .filter(found -> !ignored.equals(found.group(3)));
    }

    private static LeaseEvent ofWriter(
            String partition, Instant serverTime, MatchResult found, WriterChange ofEntry, WriterChange ofPart) {
        return new LeaseEvent.OfWriter(
                partition, serverTime, found.group(1), found.group(3) == null ? ofEntry : ofPart);
    }

    private static LeaseEvent ofLease(String partition, String name, Instant serverTime, BsonDocument event) {
        BsonDocument updated = updated(event);
        LeaseDocument latest = latest(partition, event);
        LeaseDocument same = latest == null || isOfAnotherTenure(latest, updated) ? null : latest;
        LeaseChange change = change(event.getString(OPERATION).getValue(), updated, same);
        return new LeaseEvent.OfLease(
                partition,
                serverTime,
                name,
                change,
                holder(change, updated, same),
                token(change, updated, latest),
                same == null || change == LeaseChange.ENDED ? null : same.comment(),
                latest == null ? Set.of() : latest.pins());
    }

    /** The document is read after the event, and may show a later write. */
    private static boolean isOfAnotherTenure(LeaseDocument latest, BsonDocument updated) {
        Long set = tokenIn(updated);
        return set != null && set != latest.token();
    }

    private static LeaseChange change(String operation, BsonDocument updated, @Nullable LeaseDocument same) {
        return switch (operation) {
            case "insert" -> LeaseChange.ACQUIRED;
            case "delete" -> LeaseChange.REMOVED;
            case "replace" -> LeaseChange.REPLACED;
            default -> ofUpdate(updated, same);
        };
    }

    private static LeaseChange ofUpdate(BsonDocument updated, @Nullable LeaseDocument same) {
        if (updated.containsKey(Fields.TOKEN)) {
            return isForcedExpiry(updated, same) ? LeaseChange.FORCE_EXPIRED : LeaseChange.ACQUIRED;
        }
        return updated.containsKey(Fields.HOLDER) ? LeaseChange.ENDED : LeaseChange.PINS_CHANGED;
    }

    /**
     * Only a forced expiry moves the token of a lease and leaves it vacant. If it was vacant before, and kept free, neither
     * the holder nor the begin of a tenure changes.
     */
    private static boolean isForcedExpiry(BsonDocument updated, @Nullable LeaseDocument same) {
        if (updated.containsKey(Fields.HOLDER)) {
            return updated.isNull(Fields.HOLDER);
        }
        return !updated.containsKey(Fields.SINCE) && (same == null || same.isVacant());
    }

    private static @Nullable String holder(LeaseChange change, BsonDocument updated, @Nullable LeaseDocument latest) {
        if (updated.containsKey(Fields.HOLDER)) {
            return updated.isString(Fields.HOLDER)
                    ? updated.getString(Fields.HOLDER).getValue()
                    : null;
        }
        return latest == null || change != LeaseChange.ACQUIRED ? null : latest.holder();
    }

    /** The event of an end has no token. As long as the lease is vacant, the document has it. */
    private static @Nullable Long token(LeaseChange change, BsonDocument updated, @Nullable LeaseDocument latest) {
        Long set = tokenIn(updated);
        if (set != null || latest == null) {
            return set;
        }
        return change == LeaseChange.ACQUIRED || change == LeaseChange.ENDED && latest.isVacant()
                ? (Long) latest.token()
                : null;
    }
}
