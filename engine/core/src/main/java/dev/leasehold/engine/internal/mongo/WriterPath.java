package dev.leasehold.engine.internal.mongo;

/** The path of a writer's entry in the clock document. */
final class WriterPath {

    static final String RULE =
            "must be 1 to 256 characters without '.' and '$', since it is a key in the map of writers";

    /** Names of engines are far shorter. Longer ones would enlarge every read of their entries. */
    private static final int LENGTH_MAX = 256;

    private WriterPath() {}

    /** Whether a text can be a key. The server would read a dot as a path, and a dollar sign as an operator. */
    static boolean isKey(String writer) {
        return !writer.isEmpty()
                && writer.length() <= LENGTH_MAX
                && writer.chars().noneMatch(character -> ".$\0".indexOf(character) >= 0);
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
