package dev.leasehold.assertions;

import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.conversions.Bson;

/**
 * A filter or an update that is made anew for each use, and the same whatever the codecs. A plain document would not
 * do: the driver's {@code Updates.combine} adds to the document that it is given.
 */
record Rendered(Supplier<BsonDocument> document) implements Bson {

    @Override
    public <T> BsonDocument toBsonDocument(Class<T> documentClass, CodecRegistry codecRegistry) {
        return document.get();
    }

    @Override
    public String toString() {
        return document.get().toString();
    }
}
