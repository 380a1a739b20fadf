package dev.leasehold.examples.quotes;

import java.util.List;

/** Code without the indentation that all of its lines share: a page shows it further to the left than the source. */
final class Indentation {

    private Indentation() {}

    static List<String> strip(List<String> lines) {
        return String.join("\n", lines)
                .stripIndent()
                .lines()
                .map(String::stripTrailing)
                .toList();
    }
}
