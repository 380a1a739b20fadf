package dev.leasehold.engine.mongo;

/** Where the entry of a writer lies in the clock document. */
final class WriterPath {

    static final String RULE = "must be a text without '.' and '$', since it is a key in the map of writers";

    private WriterPath() {}

    /** Whether a text can be a key. A dot would be read as a path by the server, and a dollar sign as an operator. */
    static boolean isKey(String writer) {
        return !writer.isEmpty() && writer.chars().noneMatch(character -> ".$\0".indexOf(character) >= 0);
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
