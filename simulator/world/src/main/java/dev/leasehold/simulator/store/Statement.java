package dev.leasehold.simulator.store;

import org.jspecify.annotations.Nullable;

/** A guarded write of one document. */
interface Statement {

    String documentId();

    /** What becomes of the document, judged and done at one instant. */
    Effect on(@Nullable Document found);

    /**
     * What a statement does.
     *
     * @param kind whether it does anything
     * @param after what the document is then; null when it is removed, and when nothing is done. The same object as before is a
     *     write that changes no byte
     */
    record Effect(Kind kind, @Nullable Document after) {

        /** Whether a statement does anything. */
        enum Kind {
            WRITES,
            MISSES,
            COLLIDES
        }

        static final Effect MISSES = new Effect(Kind.MISSES, null);
        /** A first document was there already. */
        static final Effect COLLIDES = new Effect(Kind.COLLIDES, null);

        static final Effect REMOVES = new Effect(Kind.WRITES, null);

        static Effect writes(Document after) {
            return new Effect(Kind.WRITES, after);
        }
    }
}
