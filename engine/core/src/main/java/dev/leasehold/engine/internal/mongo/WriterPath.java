package dev.leasehold.engine.internal.mongo;

/** Where the entry of a writer lies in the clock document. */
final class WriterPath {

    static final String RULE =
            "must be 1 to 256 characters without '.' and '$', since it is a key in the map of writers";

    /** An engine's own names are far shorter. Longer ones would swell every read that asks for their entries. */
    private static final int LENGTH_MAX = 256;

    private WriterPath() {}

    /** Whether a text can be a key. A dot would be read as a path by the server, and a dollar sign as an operator. */
    static boolean isKey(String writer) {
        return !writer.isEmpty()
                && writer.length() <= LENGTH_MAX
                && writer.indexOf('.') < 0
                && writer.indexOf('$') < 0
                && writer.indexOf('\0') < 0;
    }

    static String of(String writer) {
        if (!isKey(writer)) {
            throw new IllegalArgumentException("writer '" + writer + "' is refused: it " + RULE);
        }
        return Fields.WRITERS + "." + writer;
    }

    static String of(String writer, String field) {
        return of(writer) + "." + field;
    }
}
