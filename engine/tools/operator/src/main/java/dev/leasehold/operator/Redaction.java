package dev.leasehold.operator;

import java.util.regex.Pattern;

/** Takes connection strings out of what is printed: they carry passwords. */
final class Redaction {

    private static final Pattern URI = Pattern.compile("mongodb(\\+srv)?://[^\\s'\"]*", Pattern.CASE_INSENSITIVE);

    private Redaction() {}

    static String of(String text) {
        return URI.matcher(text).replaceAll("mongodb://(not shown)");
    }
}
