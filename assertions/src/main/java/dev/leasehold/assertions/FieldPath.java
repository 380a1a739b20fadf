package dev.leasehold.assertions;

import java.util.Arrays;

/** The name of a field in a caller's document, or the path to it. */
final class FieldPath {

    private FieldPath() {}

    static String check(String path) {
        if (path == null || !LeaseNames.isCleanText(path) || !areParts(path)) {
            throw new IllegalArgumentException("field " + Quoted.of(path)
                    + " is refused: no part of it, between the dots, may be empty, start with $,"
                    + " or have control characters or unpaired surrogates");
        }
        return path;
    }

    /** A part with a {@code $} is not a name but an operator of the update, one that can reach into arrays. */
    private static boolean areParts(String path) {
        // Without the limit a trailing dot would go unnoticed.
        return Arrays.stream(path.split("\\.", -1)).allMatch(part -> !part.isEmpty() && !part.startsWith("$"));
    }
}
