package dev.leasehold.engine.internal.mongo.documents;

import java.time.Instant;
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonNumber;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** What the server makes of an update, for the operators of this package. Another one is an error. */
final class GoldenUpdate {

    /** Takes the place of the time of the server. */
    static final Instant SERVER_TIME = Instant.parse("2073-03-03T09:40:00Z");

    private GoldenUpdate() {}

    static void apply(BsonDocument update, BsonDocument document) {
        boolean isInsert = document.isEmpty();
        update.forEach((operator, fields) -> fields.asDocument().forEach((path, value) -> {
            if (!operator.equals("$setOnInsert") || isInsert) {
                change(document, operator, path, value);
            }
        }));
    }

    private static void change(BsonDocument document, String operator, String path, BsonValue value) {
        int dot = path.indexOf('.');
        if (dot >= 0) {
            change(document.getDocument(path.substring(0, dot)), operator, path.substring(dot + 1), value);
            return;
        }
        switch (operator) {
            case "$set", "$setOnInsert" -> document.put(path, value);
            case "$currentDate" -> document.put(path, new BsonDateTime(SERVER_TIME.toEpochMilli()));
            case "$unset" -> document.remove(path);
            case "$inc" -> document.put(path, sum(document.get(path), value.asNumber()));
            case "$addToSet" -> {
                BsonArray values = document.getArray(path, new BsonArray()).clone();
                if (!values.contains(value)) {
                    values.add(value);
                }
                document.put(path, values);
            }
            case "$push" -> {
                BsonArray values = document.getArray(path, new BsonArray()).clone();
                values.addAll(value.asDocument().getArray("$each"));
                document.put(path, values);
            }
            case "$pull" ->
                document.put(
                        path,
                        new BsonArray(document.getArray(path).stream()
                                .filter(each -> !isPulled(value.asDocument(), each.asDocument()))
                                .toList()));
            default -> throw new IllegalArgumentException("no rule for " + operator);
        }
    }

    private static boolean isPulled(BsonDocument condition, BsonDocument element) {
        return condition.entrySet().stream().allMatch(part -> {
            BsonValue found = element.get(part.getKey());
            return part.getValue().isDocument()
                    ? part.getValue().asDocument().getArray("$in").contains(found)
                    : part.getValue().equals(found);
        });
    }

    private static BsonInt64 sum(@Nullable BsonValue before, BsonNumber change) {
        return new BsonInt64((before == null ? 0 : before.asInt64().getValue()) + change.longValue());
    }
}
