package dev.leasehold.operator;

import java.util.regex.Pattern;

/** Takes connection strings out of what is printed: they carry passwords. */
final class Redaction {

    /** A password may have any character, so it ends with the last {@code @} that there is. */
    private static final Pattern URI = Pattern.compile(
            "mongodb(\\+srv)?://(?:.*@[^\\s'\"]*|[^\\s'\"]+)", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private Redaction() {}

    static String of(String text) {
        return URI.matcher(text).replaceAll("mongodb://(not shown)");
    }
}
