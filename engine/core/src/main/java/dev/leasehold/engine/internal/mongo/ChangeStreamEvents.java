package dev.leasehold.engine.internal.mongo;

import dev.leasehold.assertions.LeaseIds;
import dev.leasehold.engine.internal.store.LeaseChange;
import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.StoredLease;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Selects the events that show the begin or end of a tenure in any partition of one namespace, and decodes them. The
 * server selects them, so heartbeats, renewals, assertions and other namespaces cost the client nothing.
 *
 * <p>An event shows the new state of a document, not the old one. So a claim of a vacant lease looks like a take-over.
 */
final class ChangeStreamEvents implements ChangeStream.Selection<LeaseChange> {

    /** The path of a writer's whole entry; the keys have no dots. */
    private static final Pattern ENTRY = Pattern.compile("^" + Fields.WRITERS + "\\.([^.]+)$");

    private static final String OPERATION = "operationType";
    private static final String DOCUMENT = "documentKey";
    private static final String DOCUMENT_ID = DOCUMENT + "." + Fields.ID;
    private static final String UPDATE = "updateDescription";
    private static final String UPDATED_FIELDS = "updatedFields";
    private static final String UPDATED = UPDATE + "." + UPDATED_FIELDS + ".";
    private static final String REMOVED = "removedFields";
    private static final String REMOVED_FIELDS = UPDATE + "." + REMOVED;
    private static final String PRESENT = "fullDocument";
    private static final String TRUNCATED_ARRAYS = UPDATE + ".truncatedArrays";

    private static final char NAME_FOLLOWS = '#';

    private static final BsonDocument ANY_VALUE = new BsonDocument("$exists", BsonBoolean.TRUE);
    private static final BsonInt32 WANTED = new BsonInt32(1);

    private final List<String> partitions;
    private final Map<String, LeaseCodec> codecs;

    ChangeStreamEvents(List<String> partitions) {
        this.partitions = partitions;
        this.codecs = partitions.stream().collect(Collectors.toMap(LeaseIds::clockId, LeaseCodec::new));
    }

    /** The projection always keeps the id of an event, because the driver resumes by it. */
    @Override
    public List<BsonDocument> pipeline() {
        BsonDocument wanted = new BsonDocument(DOCUMENT, WANTED)
                .append(REMOVED_FIELDS, WANTED)
                .append(UPDATED + Fields.HOLDER, WANTED)
                .append(UPDATED + Fields.TOKEN, WANTED);
        LeaseCodec.NAMES.forEach(field -> wanted.append(PRESENT + "." + field, WANTED));
        return List.of(
                new BsonDocument("$match", anyOf(Stream.of(entryRemoved(), leaseEnded()))),
                new BsonDocument("$project", wanted));
    }

    private BsonDocument entryRemoved() {
        return new BsonDocument(DOCUMENT_ID, oneOf(partitions.stream().map(LeaseIds::clockId)))
                .append(REMOVED_FIELDS, new BsonRegularExpression(ENTRY.pattern()));
    }

    private BsonDocument leaseEnded() {
        return new BsonDocument("$and", new BsonArray(List.of(anyOf(leases()), anyOf(ends()))));
    }

    private Stream<BsonDocument> leases() {
        return partitions.stream().map(partition -> new BsonDocument(DOCUMENT_ID, StoreReads.idsOfLeases(partition)));
    }

    private static Stream<BsonDocument> ends() {
        return Stream.of(
                new BsonDocument(OPERATION, oneOf(Stream.of("delete", "replace"))),
                new BsonDocument(UPDATED + Fields.HOLDER, ANY_VALUE),
                new BsonDocument(UPDATED + Fields.TOKEN, ANY_VALUE),
                new BsonDocument(UPDATED + Fields.PINS, new BsonDocument("$size", new BsonInt32(0))),
                new BsonDocument(REMOVED_FIELDS, new BsonString(Fields.PINS)),
                new BsonDocument(TRUNCATED_ARRAYS, pinsEmptied()));
    }

    /** The form of the event if an update replaced the whole document. */
    private static BsonDocument pinsEmptied() {
        return new BsonDocument(
                "$elemMatch",
                new BsonDocument("field", new BsonString(Fields.PINS)).append("newSize", new BsonInt32(0)));
    }

    private static BsonDocument oneOf(Stream<String> texts) {
        return new BsonDocument("$in", new BsonArray(texts.map(BsonString::new).toList()));
    }

    private static BsonDocument anyOf(Stream<BsonDocument> conditions) {
        return new BsonDocument("$or", new BsonArray(conditions.toList()));
    }

    @Override
    public Stream<LeaseChange> read(BsonDocument event) {
        String id = event.getDocument(DOCUMENT).getString(Fields.ID).getValue();
        if (codecs.containsKey(id)) {
            return event.getDocument(UPDATE).getArray(REMOVED).stream().flatMap(removed -> writerGone(id, removed));
        }
        int end = id.indexOf(NAME_FOLLOWS);
        return Stream.of(
                ofLease(Objects.requireNonNull(codecs.get(id.substring(0, end))), id.substring(end + 1), event));
    }

    /** A new tenure has a new token and a holder, even if it is the same holder as before. */
    private LeaseChange ofLease(LeaseCodec codec, String name, BsonDocument event) {
        BsonDocument updated =
                event.getDocument(UPDATE, new BsonDocument()).getDocument(UPDATED_FIELDS, new BsonDocument());
        boolean taken = updated.containsKey(Fields.TOKEN)
                && !(updated.containsKey(Fields.HOLDER) && updated.isNull(Fields.HOLDER));
        LeaseDocument latest = latest(codec, event);
        return taken ? new LeaseChange.Taken(name, latest) : new LeaseChange.Freed(name, latest);
    }

    /** Null also if the document no longer exists. */
    private @Nullable LeaseDocument latest(LeaseCodec codec, BsonDocument event) {
        BsonDocument present = event.isDocument(PRESENT) ? event.getDocument(PRESENT) : new BsonDocument();
        return present.isString(Fields.ID) && codec.decode(present) instanceof StoredLease.Sound sound
                ? sound.document()
                : null;
    }

    private static Stream<LeaseChange> writerGone(String partition, BsonValue removed) {
        return ENTRY.matcher(removed.asString().getValue())
                .results()
                .map(entry -> new LeaseChange.WriterGone(partition, entry.group(1)));
    }
}
