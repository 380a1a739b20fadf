package dev.leasehold.simulator.store;

import dev.leasehold.engine.internal.store.LeaseDocument;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** A lease document as callers see it, who do not use the engine's store. */
final class LeaseBson {

    private LeaseBson() {}

    /** A lease document, or a gate stripe; null for anything else. */
    static @Nullable BsonDocument of(@Nullable Document document) {
        if (document instanceof Document.Lease lease) {
            return of(lease);
        }
        return document instanceof Document.Stripe stripe ? of(stripe) : null;
    }

    private static BsonDocument of(Document.Stripe stripe) {
        return new BsonDocument("type", new BsonString("gate"))
                .append("namespace", new BsonString(stripe.namespace()))
                .append("name", new BsonString(stripe.name()))
                .append("holder", stripe.holder() == null ? BsonNull.VALUE : new BsonString(stripe.holder()))
                .append("token", new BsonInt64(stripe.token()))
                .append("gates", new BsonInt64(stripe.gates()));
    }

    private static BsonDocument of(Document.Lease lease) {
        LeaseDocument content = lease.content();
        BsonDocument bson = new BsonDocument("_id", new BsonString(Ids.lease(content.namespace(), content.name())))
                .append("type", new BsonString("lease"))
                .append("namespace", new BsonString(content.namespace()))
                .append("name", new BsonString(content.name()))
                .append("holder", content.holder() == null ? BsonNull.VALUE : new BsonString(content.holder()))
                .append("token", lease.isSound() ? new BsonInt64(content.token()) : new BsonString("damaged"))
                .append("writer", new BsonString(content.writer()))
                .append("written", new BsonInt64(content.writtenNanos()))
                .append("gates", new BsonInt64(content.gates()))
                .append("since", new BsonDateTime(content.since().toEpochMilli()));
        if (content.expiryNanos() != null) {
            bson.append("expiry", new BsonInt64(content.expiryNanos()));
        }
        if (content.comment() != null) {
            bson.append("comment", new BsonString(content.comment()));
        }
        if (!content.pins().isEmpty()) {
            List<BsonString> pins = new ArrayList<>();
            new TreeSet<>(content.pins()).forEach(pin -> pins.add(new BsonString(pin)));
            bson.append("pins", new BsonArray(pins));
        }
        if (content.stripes() > 0) {
            bson.append("stripes", new BsonInt32(content.stripes()));
        }
        return bson;
    }

    /** What a caller's write has made of the fields of a document. */
    static Document after(Document before, BsonDocument fields) {
        return before instanceof Document.Stripe stripe
                ? new Document.Stripe(
                        stripe.namespace(),
                        stripe.name(),
                        text(fields.get("holder")),
                        fields.getInt64("token").getValue(),
                        fields.getInt64("gates").getValue())
                : after((Document.Lease) before, fields);
    }

    /** One that was damaged stays so. */
    private static Document.Lease after(Document.Lease before, BsonDocument fields) {
        LeaseDocument was = before.content();
        return new Document.Lease(
                new LeaseDocument(
                        was.namespace(),
                        was.name(),
                        text(fields.get("holder")),
                        before.isSound() ? fields.getInt64("token").getValue() : was.token(),
                        fields.getString("writer").getValue(),
                        fields.getInt64("written").getValue(),
                        fields.containsKey("expiry") ? fields.getInt64("expiry").getValue() : null,
                        fields.getInt64("gates").getValue(),
                        text(fields.get("comment")),
                        Instant.ofEpochMilli(fields.getDateTime("since").getValue()),
                        pins(fields),
                        was.stripes()),
                before.isSound());
    }

    private static @Nullable String text(@Nullable BsonValue value) {
        return value == null || value.isNull() ? null : value.asString().getValue();
    }

    private static Set<String> pins(BsonDocument fields) {
        Set<String> pins = new TreeSet<>();
        fields.getArray("pins", new BsonArray())
                .forEach(pin -> pins.add(pin.asString().getValue()));
        return pins;
    }
}
