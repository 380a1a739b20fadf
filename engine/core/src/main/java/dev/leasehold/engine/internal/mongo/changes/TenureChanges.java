package dev.leasehold.engine.internal.mongo.changes;

import dev.leasehold.engine.internal.mongo.connection.StoreContext;
import dev.leasehold.engine.internal.mongo.documents.Fields;
import dev.leasehold.engine.internal.store.LeaseChange;
import dev.leasehold.engine.internal.store.LeaseChanges;
import dev.leasehold.engine.internal.store.LeaseDocument;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/**
 * The begin and end of tenures, for engines.
 *
 * <p>An event shows the new state of a document, not the old one. So a claim of a vacant lease looks like a take-over.
 */
public final class TenureChanges extends ChangeStream<LeaseChange> implements LeaseChanges {

    /** The path of a writer's whole entry; the keys have no dots. */
    private static final Pattern ENTRY = Pattern.compile("^" + Fields.WRITERS + "[.]([^.]+)$");

    /** The collection is gone, or has another name. These events are about no document. */
    private static final Set<String> ENDS = Set.of("drop", "rename", "dropDatabase", "invalidate");

    private static final String INSERT = "insert";
    private static final String DELETE = "delete";
    private static final String REPLACE = "replace";
    private static final String WRITERS = UPDATE + "." + UPDATED + "." + Fields.WRITERS;
    private static final String REMOVED_FIELDS = UPDATE + "." + REMOVED;
    private static final String HOLDER = UPDATE + "." + UPDATED + "." + Fields.HOLDER;
    private static final String TOKEN = UPDATE + "." + UPDATED + "." + Fields.TOKEN;
    private static final String PAYLOAD = UPDATE + "." + UPDATED + "." + Fields.PAYLOAD;
    private static final BsonDocument ANY_VALUE = new BsonDocument("$exists", BsonBoolean.TRUE);

    /** The forms of the event when the last pin is removed; the last if an update replaced the whole document. */
    private static final List<BsonDocument> PINS_EMPTIED = List.of(
            BsonDocument.parse("{'updateDescription.updatedFields.pins': {$size: 0}}"),
            BsonDocument.parse("{'updateDescription.removedFields': 'pins'}"),
            BsonDocument.parse("{'updateDescription.truncatedArrays': {$elemMatch: {field: 'pins', newSize: 0}}}"));

    /** Only an enqueue counts a ticket. The first one of a queue inserts its document. */
    private static final BsonDocument TICKET_SENT =
            new BsonDocument(UPDATE + "." + UPDATED + "." + Fields.TICKETS, ANY_VALUE);
    /** A first tenure, and another payload. */
    private static final List<BsonDocument> DESCRIBED = List.of(
            new BsonDocument(OPERATION, new BsonString(INSERT)),
            new BsonDocument(PAYLOAD, ANY_VALUE),
            new BsonDocument(REMOVED_FIELDS, new BsonString(Fields.PAYLOAD)));

    private final boolean observing;

    /** @param observing whether what only observers have to know is reported as well */
    public TenureChanges(StoreContext context, boolean observing) {
        super(context);
        this.observing = observing;
    }

    @Override
    BsonDocument selection(BsonDocument ofClocks, BsonDocument ofLeases, BsonDocument ofQueues) {
        BsonDocument changed = any(Stream.of(
                        Stream.of(
                                new BsonDocument(OPERATION, oneOf(Stream.of(DELETE, REPLACE))),
                                new BsonDocument(HOLDER, ANY_VALUE),
                                new BsonDocument(TOKEN, ANY_VALUE)),
                        PINS_EMPTIED.stream(),
                        observing ? DESCRIBED.stream() : Stream.<BsonDocument>empty())
                .flatMap(conditions -> conditions)
                .toList());
        BsonDocument changedWriters = any(List.of(
                new BsonDocument(OPERATION, oneOf(Stream.of(DELETE, REPLACE))),
                new BsonDocument(WRITERS, ANY_VALUE),
                new BsonDocument(REMOVED_FIELDS, new BsonString(Fields.WRITERS)),
                new BsonDocument(REMOVED_FIELDS, new BsonRegularExpression(ENTRY.pattern()))));
        return any(List.of(
                new BsonDocument(OPERATION, oneOf(ENDS.stream().sorted())),
                all(ofClocks, changedWriters),
                all(ofLeases, changed),
                all(ofQueues, any(List.of(new BsonDocument(OPERATION, new BsonString(INSERT)), TICKET_SENT)))));
    }

    @Override
    List<String> wanted() {
        return observing
                ? List.of(OPERATION, REMOVED_FIELDS, HOLDER, TOKEN, PAYLOAD)
                : List.of(OPERATION, REMOVED_FIELDS, HOLDER, TOKEN);
    }

    @Override
    Stream<LeaseChange> decode(BsonDocument event) {
        String operation = event.getString(OPERATION).getValue();
        if (ENDS.contains(operation)) {
            return partitions().stream().map(LeaseChange.ClockLost::new);
        }
        Subject subject = Subject.of(event);
        String lease = subject.lease();
        if (lease == null) {
            return ofClock(subject.partition(), operation, event);
        }
        if (subject.queue()) {
            return Stream.of(new LeaseChange.Queued(lease));
        }
        LeaseDocument latest = latest(subject.partition(), event);
        return Stream.of(
                operation.equals(INSERT) || changesPayloadAlone(event)
                        ? new LeaseChange.Described(lease, latest)
                        : ofLease(lease, updated(event), latest));
    }

    /** The begin and the end of a tenure may change the payload too. */
    private static boolean changesPayloadAlone(BsonDocument event) {
        BsonDocument updated = updated(event);
        return event.containsKey(UPDATE)
                && !updated.containsKey(Fields.HOLDER)
                && !updated.containsKey(Fields.TOKEN)
                && (updated.containsKey(Fields.PAYLOAD) || removed(event).anyMatch(Fields.PAYLOAD::equals));
    }

    /** Of an update that removes no entry only its kind was sent: it has replaced the map of writers. */
    private static Stream<LeaseChange> ofClock(String partition, String operation, BsonDocument event) {
        if (operation.equals(DELETE)) {
            return Stream.of(new LeaseChange.ClockLost(partition));
        }
        List<LeaseChange> gone =
                event.containsKey(UPDATE) ? writersGone(partition, event).toList() : List.of();
        return gone.isEmpty() ? Stream.of(new LeaseChange.ClockReplaced(partition)) : gone.stream();
    }

    private static Stream<LeaseChange> writersGone(String partition, BsonDocument event) {
        return removed(event)
                .flatMap(field -> ENTRY.matcher(field).results())
                .map(entry -> new LeaseChange.WriterGone(partition, entry.group(1)));
    }

    /**
     * A new tenure has a new token and a holder, even if it is the same holder as before. A forced expiry moves the token
     * as well. If the lease was vacant and kept free, its event shows no change of the holder, but the document shows that
     * there is none.
     */
    private static LeaseChange ofLease(String name, BsonDocument updated, @Nullable LeaseDocument latest) {
        boolean taken = updated.containsKey(Fields.TOKEN)
                && !(updated.containsKey(Fields.HOLDER) && updated.isNull(Fields.HOLDER))
                && !(latest != null && latest.isVacant() && Objects.equals(tokenIn(updated), latest.token()));
        return taken ? new LeaseChange.Taken(name, latest) : new LeaseChange.Freed(name, latest);
    }
}
