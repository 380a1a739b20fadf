package dev.leasehold.engine.mongo;

import dev.leasehold.assertions.LeaseIds;
import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.engine.mongo.StoredFields.Breach;
import dev.leasehold.engine.store.LeaseDocument;
import dev.leasehold.engine.store.StoredLease;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Lease documents to BSON and back. */
final class LeaseCodec {

    private final String namespace;

    LeaseCodec(String namespace) {
        this.namespace = namespace;
    }

    /** What a stored document is. Fields that the engine does not know are passed over. */
    StoredLease decode(BsonDocument stored) {
        String id = stored.getString(Fields.ID).getValue();
        try {
            return new StoredLease.Sound(document(id, new StoredFields(stored)));
        } catch (Breach e) {
            return new StoredLease.Corrupt(nameIn(id), id, e.field(), e.found());
        }
    }

    private LeaseDocument document(String id, StoredFields stored) throws Breach {
        String name = nameAsIn(id, stored);
        String holder = stored.textOrNull(Fields.HOLDER);
        long token = stored.int64(Fields.TOKEN);
        if (token < 1) {
            throw new Breach(Fields.TOKEN, token + ", where 1 or more is expected");
        }
        Long expiry = stored.optionalStamp(Fields.EXPIRY);
        if (holder == null && expiry != null) {
            throw new Breach(Fields.EXPIRY, expiry + ", where a vacant lease has none");
        }
        return new LeaseDocument(
                namespace,
                name,
                checkedHolder(holder),
                token,
                stored.text(Fields.WRITER),
                stored.stamp(Fields.WRITTEN),
                expiry,
                stored.int64(Fields.GATES),
                stored.optionalText(Fields.COMMENT),
                stored.date(Fields.SINCE));
    }

    private String nameAsIn(String id, StoredFields stored) throws Breach {
        if (!Fields.LEASE_TYPE.equals(stored.text(Fields.TYPE))) {
            throw new Breach(Fields.TYPE, "'" + stored.text(Fields.TYPE) + "', where 'lease' is expected");
        }
        String storedNamespace = stored.text(Fields.NAMESPACE);
        if (!storedNamespace.equals(namespace)) {
            throw new Breach(Fields.NAMESPACE, "'" + storedNamespace + "', where the id says '" + namespace + "'");
        }
        String name = stored.text(Fields.NAME);
        if (!name.equals(nameIn(id))) {
            throw new Breach(Fields.NAME, "'" + name + "', where the id says '" + nameIn(id) + "'");
        }
        try {
            return LeaseNames.checkName(name);
        } catch (IllegalArgumentException e) {
            throw new Breach(Fields.NAME, String.valueOf(e.getMessage()));
        }
    }

    private static @Nullable String checkedHolder(@Nullable String holder) throws Breach {
        try {
            return holder == null ? null : LeaseNames.checkHolder(holder);
        } catch (IllegalArgumentException e) {
            throw new Breach(Fields.HOLDER, String.valueOf(e.getMessage()));
        }
    }

    private String nameIn(String id) {
        return id.substring(namespace.length() + 1);
    }

    BsonString id(String name) {
        return new BsonString(LeaseIds.leaseId(namespace, name));
    }

    /** The first document of a name. */
    BsonDocument insertion(LeaseDocument document) {
        BsonDocument update = replacement(document);
        update.getDocument("$set")
                .append(Fields.TYPE, new BsonString(Fields.LEASE_TYPE))
                .append(Fields.NAMESPACE, new BsonString(document.namespace()))
                .append(Fields.NAME, new BsonString(document.name()))
                .append(Fields.GATES, new BsonInt64(document.gates()));
        return update;
    }

    /** New contents for a document that is there: what the engine does not know stays, and so do the gates. */
    BsonDocument replacement(LeaseDocument document) {
        BsonDocument set = new BsonDocument(Fields.HOLDER, textOrNull(document.holder()))
                .append(Fields.TOKEN, new BsonInt64(document.token()))
                .append(Fields.WRITER, new BsonString(document.writer()))
                .append(Fields.WRITTEN, new BsonInt64(document.writtenNanos()))
                .append(Fields.SINCE, new BsonDateTime(document.since().toEpochMilli()));
        BsonDocument unset = new BsonDocument();
        setOrUnset(set, unset, Fields.EXPIRY, document.expiryNanos() == null ? null : new BsonInt64(document.expiryNanos()));
        setOrUnset(set, unset, Fields.COMMENT, document.comment() == null ? null : new BsonString(document.comment()));
        BsonDocument update = new BsonDocument("$set", set);
        return unset.isEmpty() ? update : update.append("$unset", unset);
    }

    private static BsonValue textOrNull(@Nullable String text) {
        return text == null ? BsonNull.VALUE : new BsonString(text);
    }

    private static void setOrUnset(BsonDocument set, BsonDocument unset, String field, @Nullable BsonValue value) {
        if (value == null) {
            unset.append(field, new BsonString(""));
        } else {
            set.append(field, value);
        }
    }
}
