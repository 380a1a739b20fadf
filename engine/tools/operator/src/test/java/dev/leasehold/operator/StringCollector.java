package dev.leasehold.operator;

import java.io.PrintWriter;
import java.io.StringWriter;

/** Output that is read while it is written. */
final class StringCollector {

    private final StringWriter text = new StringWriter();

    PrintWriter writer() {
        return new PrintWriter(text, true);
    }

    String text() {
        return text.toString();
    }
}
