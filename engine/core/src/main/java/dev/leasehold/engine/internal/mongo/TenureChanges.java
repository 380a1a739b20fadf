package dev.leasehold.engine.internal.mongo;

import dev.leasehold.engine.internal.store.LeaseChange;
import dev.leasehold.engine.internal.store.LeaseChanges;
import dev.leasehold.engine.internal.store.LeaseDocument;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonRegularExpression;
import org.jspecify.annotations.Nullable;

/**
 * The begin and end of tenures, for engines.
 *
 * <p>An event shows the new state of a document, not the old one. So a claim of a vacant lease looks like a take-over.
 */
final class TenureChanges extends ChangeStream<LeaseChange> implements LeaseChanges {

    /** The path of a writer's whole entry; the keys have no dots. */
    private static final Pattern ENTRY = Pattern.compile("^" + Fields.WRITERS + "[.]([^.]+)$");

    private static final String REMOVED_FIELDS = UPDATE + "." + REMOVED;
    private static final String HOLDER = UPDATE + "." + UPDATED + "." + Fields.HOLDER;
    private static final String TOKEN = UPDATE + "." + UPDATED + "." + Fields.TOKEN;
    private static final BsonDocument ANY_VALUE = new BsonDocument("$exists", BsonBoolean.TRUE);

    /** The forms of the event when the last pin is removed; the last if an update replaced the whole document. */
    private static final List<BsonDocument> PINS_EMPTIED = List.of(
            BsonDocument.parse("{'updateDescription.updatedFields.pins': {$size: 0}}"),
            BsonDocument.parse("{'updateDescription.removedFields': 'pins'}"),
            BsonDocument.parse("{'updateDescription.truncatedArrays': {$elemMatch: {field: 'pins', newSize: 0}}}"));

    TenureChanges(StoreContext context) {
        super(context);
    }

    @Override
    BsonDocument selection(BsonDocument ofClocks, BsonDocument ofLeases) {
        BsonDocument changed = any(Stream.concat(
                        Stream.of(
                                new BsonDocument(OPERATION, oneOf(Stream.of("delete", "replace"))),
                                new BsonDocument(HOLDER, ANY_VALUE),
                                new BsonDocument(TOKEN, ANY_VALUE)),
                        PINS_EMPTIED.stream())
                .toList());
        BsonDocument writerGone = ofClocks.append(REMOVED_FIELDS, new BsonRegularExpression(ENTRY.pattern()));
        return any(List.of(writerGone, all(ofLeases, changed)));
    }

    @Override
    List<String> wanted() {
        return List.of(REMOVED_FIELDS, HOLDER, TOKEN);
    }

    @Override
    Stream<LeaseChange> decode(BsonDocument event) {
        Subject subject = Subject.of(event);
        String lease = subject.lease();
        return lease == null
                ? writersGone(subject.partition(), event)
                : Stream.of(ofLease(lease, updated(event), latest(subject.partition(), event)));
    }

    private static Stream<LeaseChange> writersGone(String partition, BsonDocument event) {
        return removed(event)
                .flatMap(field -> ENTRY.matcher(field).results())
                .map(entry -> new LeaseChange.WriterGone(partition, entry.group(1)));
    }

    /** A new tenure has a new token and a holder, even if it is the same holder as before. */
    private static LeaseChange ofLease(String name, BsonDocument updated, @Nullable LeaseDocument latest) {
        boolean taken = updated.containsKey(Fields.TOKEN)
                && !(updated.containsKey(Fields.HOLDER) && updated.isNull(Fields.HOLDER));
        return taken ? new LeaseChange.Taken(name, latest) : new LeaseChange.Freed(name, latest);
    }
}
