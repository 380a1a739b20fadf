package dev.leasehold.simulator.store;

import dev.leasehold.simulator.world.SimulatorFailure;
import java.util.function.UnaryOperator;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** A guarded write of one document. */
interface Statement {

    String documentId();

    /** What becomes of the document, judged and done at one instant. */
    Effect on(@Nullable Document found);

    /** The id that a filter asks for. */
    static String idIn(BsonDocument filter) {
        if (!filter.isString("_id")) {
            throw new SimulatorFailure("a filter without the id of one document: " + filter);
        }
        return filter.getString("_id").getValue();
    }

    /**
     * An update of the document that the filter finds.
     *
     * @param makes whether the document is made where there is none
     */
    record OfUpdate(BsonDocument filter, BsonDocument update, boolean makes) implements Statement {

        @Override
        public String documentId() {
            return idIn(filter);
        }

        @Override
        public Effect on(@Nullable Document found) {
            try {
                if (found == null) {
                    return makes ? Effect.writes(new Document(Update.inserted(filter, update))) : Effect.MISSES;
                }
                if (!Filter.matches(filter, found.bson())) {
                    return makes ? Effect.COLLIDES : Effect.MISSES;
                }
                BsonDocument after = Update.applied(found.bson(), update);
                return Effect.writes(after == found.bson() ? found : new Document(after));
            } catch (Update.Refused e) {
                return new Effect(Effect.Kind.REFUSED, null, e.code());
            }
        }
    }

    /** The removal of the document that the filter finds. */
    record OfRemoval(BsonDocument filter) implements Statement {

        @Override
        public String documentId() {
            return idIn(filter);
        }

        @Override
        public Effect on(@Nullable Document found) {
            return found != null && Filter.matches(filter, found.bson()) ? Effect.REMOVES : Effect.MISSES;
        }
    }

    /** What somebody makes of a document by hand, if it is there. */
    record ByHand(String documentId, UnaryOperator<BsonDocument> change) implements Statement {

        @Override
        public Effect on(@Nullable Document found) {
            BsonDocument after = found == null ? null : change.apply(found.bson());
            if (found == null || after == null) {
                return Effect.MISSES;
            }
            return after == found.bson() ? Effect.MISSES : Effect.writes(new Document(after));
        }
    }

    /**
     * What a statement does.
     *
     * @param kind whether it does anything
     * @param after what the document is then; null when it is removed, and when nothing is done. The same object as before is a
     *     write that changes no byte
     * @param code of the error with which it is refused; 0 for none
     */
    record Effect(Kind kind, @Nullable Document after, int code) {

        /** Whether a statement does anything. */
        enum Kind {
            WRITES,
            MISSES,
            COLLIDES,
            REFUSED
        }

        static final Effect MISSES = new Effect(Kind.MISSES, null, 0);
        /** A first document was there already. */
        static final Effect COLLIDES = new Effect(Kind.COLLIDES, null, DriverErrors.DUPLICATE_KEY);

        static final Effect REMOVES = new Effect(Kind.WRITES, null, 0);

        static Effect writes(Document after) {
            return new Effect(Kind.WRITES, after, 0);
        }
    }
}
