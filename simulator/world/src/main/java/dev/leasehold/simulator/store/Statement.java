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
     * What a statement does.
     *
     * @param matches whether it writes; the same document as before is a write that changes no byte
     * @param after what the document is then; null when it is removed, and when nothing is done
     * @param error the code with which it is refused; 0 for none
     */
    record Effect(boolean matches, @Nullable Document after, int error) {
        private static final Effect NONE = new Effect(false, null, 0);

        private static Effect writes(@Nullable Document after) {
            return new Effect(true, after, 0);
        }

        private static Effect refused(int error) {
            return new Effect(false, null, error);
        }
    }

    /** An update of the document that the filter finds; an upsert inserts it where there is none. */
    record OfUpdate(BsonDocument filter, BsonDocument update, boolean upsert) implements Statement {
        @Override
        public String documentId() {
            return idIn(filter);
        }

        @Override
        public Effect on(@Nullable Document found) {
            try {
                if (found == null) {
                    return upsert ? Effect.writes(new Document(Update.inserted(filter, update))) : Effect.NONE;
                }
                if (!Filter.matches(filter, found.bson())) {
                    return upsert ? Effect.refused(DriverErrors.DUPLICATE_KEY) : Effect.NONE;
                }
                BsonDocument after = Update.applied(found.bson(), update);
                return Effect.writes(after == found.bson() ? found : new Document(after));
            } catch (Update.Refused e) {
                return Effect.refused(e.code());
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
            return found != null && Filter.matches(filter, found.bson()) ? Effect.writes(null) : Effect.NONE;
        }
    }

    /** What an operator makes of a document by hand, if it is there. */
    record ByHand(String documentId, UnaryOperator<BsonDocument> change) implements Statement {
        @Override
        public Effect on(@Nullable Document found) {
            BsonDocument after = found == null ? null : change.apply(found.bson());
            return found == null || after == found.bson() || after == null
                    ? Effect.NONE
                    : Effect.writes(new Document(after));
        }
    }

    /** A document that is put into its place by hand, whatever is there. */
    record Put(BsonDocument document) implements Statement {
        @Override
        public String documentId() {
            return idIn(document);
        }

        @Override
        public Effect on(@Nullable Document found) {
            return Effect.writes(new Document(document));
        }
    }
}
