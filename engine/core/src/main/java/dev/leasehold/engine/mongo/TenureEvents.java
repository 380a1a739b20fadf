package dev.leasehold.engine.mongo;

import dev.leasehold.assertions.LeaseIds;
import dev.leasehold.engine.store.LeaseChange;
import dev.leasehold.engine.store.LeaseDocument;
import dev.leasehold.engine.store.StoredLease;
import java.util.List;
import java.util.regex.Pattern;
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
 * Which events of the collection tell that a lease of one namespace was ended, and what they tell. The server picks them, so
 * that heartbeats, renewals, assertions and other namespaces cost the client nothing.
 *
 * <p>An event says what a document has become, and not what it was before. So the claim of a vacant lease looks like
 * a take-over from its holder.
 */
final class TenureEvents {

    /** Of a writer, the whole entry: their keys have no dots. */
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

    private static final BsonDocument ANY_VALUE = new BsonDocument("$exists", BsonBoolean.TRUE);
    private static final BsonInt32 WANTED = new BsonInt32(1);

    private final String namespace;
    private final BsonString clockId;
    private final LeaseCodec codec;

    TenureEvents(String namespace) {
        this.namespace = namespace;
        this.clockId = new BsonString(LeaseIds.clockId(namespace));
        this.codec = new LeaseCodec(namespace);
    }

    /** For the server: which of them, and what of each. The id of an event is always wanted; the driver resumes by it. */
    List<BsonDocument> pipeline() {
        BsonDocument wanted = new BsonDocument(DOCUMENT, WANTED)
                .append(REMOVED_FIELDS, WANTED)
                .append(UPDATED + Fields.HOLDER, WANTED)
                .append(UPDATED + Fields.TOKEN, WANTED);
        LeaseCodec.NAMES.forEach(field -> wanted.append(PRESENT + "." + field, WANTED));
        return List.of(
                new BsonDocument("$match", anyOf(entryRemoved(), leaseEnded())), new BsonDocument("$project", wanted));
    }

    private BsonDocument entryRemoved() {
        return new BsonDocument(DOCUMENT_ID, clockId)
                .append(REMOVED_FIELDS, new BsonRegularExpression(ENTRY.pattern()));
    }

    private BsonDocument leaseEnded() {
        return anyOf(
                        new BsonDocument(OPERATION, oneOf("delete", "replace")),
                        new BsonDocument(UPDATED + Fields.HOLDER, ANY_VALUE),
                        new BsonDocument(UPDATED + Fields.TOKEN, ANY_VALUE),
                        new BsonDocument(UPDATED + Fields.PINS, new BsonDocument("$size", new BsonInt32(0))),
                        new BsonDocument(REMOVED_FIELDS, new BsonString(Fields.PINS)),
                        new BsonDocument(TRUNCATED_ARRAYS, pinsEmptied()))
                .append(DOCUMENT_ID, StoreReads.idsOfLeases(namespace));
    }

    /** How the server tells it of an update that says what the whole document is to be. */
    private static BsonDocument pinsEmptied() {
        return new BsonDocument(
                "$elemMatch",
                new BsonDocument("field", new BsonString(Fields.PINS)).append("newSize", new BsonInt32(0)));
    }

    private static BsonDocument oneOf(String... texts) {
        return new BsonDocument("$in", new BsonArray(Stream.of(texts).map(BsonString::new).toList()));
    }

    private static BsonDocument anyOf(BsonDocument... conditions) {
        return new BsonDocument("$or", new BsonArray(List.of(conditions)));
    }

    /** What an event that came through tells. */
    Stream<LeaseChange> changes(BsonDocument event) {
        BsonString id = event.getDocument(DOCUMENT).getString(Fields.ID);
        return id.equals(clockId)
                ? event.getDocument(UPDATE).getArray(REMOVED).stream().flatMap(TenureEvents::writerGone)
                : Stream.of(ofLease(id.getValue().substring(namespace.length() + 1), event));
    }

    /** A tenure that begins has a token of its own, and somebody holds it, be it the same holder as before. */
    private LeaseChange ofLease(String name, BsonDocument event) {
        BsonDocument updated =
                event.getDocument(UPDATE, new BsonDocument()).getDocument(UPDATED_FIELDS, new BsonDocument());
        boolean taken = updated.containsKey(Fields.TOKEN)
                && !(updated.containsKey(Fields.HOLDER) && updated.isNull(Fields.HOLDER));
        return taken ? new LeaseChange.Taken(name) : new LeaseChange.Freed(name, vacant(event));
    }

    /** Null as well where the document is gone by now. */
    private @Nullable LeaseDocument vacant(BsonDocument event) {
        BsonDocument present = event.isDocument(PRESENT) ? event.getDocument(PRESENT) : new BsonDocument();
        return present.isString(Fields.ID)
                        && codec.decode(present) instanceof StoredLease.Sound sound
                        && sound.document().isVacant()
                ? sound.document()
                : null;
    }

    private static Stream<LeaseChange> writerGone(BsonValue removed) {
        return ENTRY.matcher(removed.asString().getValue())
                .results()
                .map(entry -> new LeaseChange.WriterGone(entry.group(1)));
    }
}
