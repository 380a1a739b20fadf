package dev.leasehold.mergequeue.config;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Puts values of the environment into a text: <code>${NAME}</code>, <code>${NAME:-default}</code>; <code>$$</code> stands for a dollar
 * sign. It is done in each value after the file was parsed, so that a value cannot change the structure of the file.
 */
final class Environment {

    private static final Pattern REFERENCE =
            Pattern.compile("\\$(?:(\\$)|\\{([A-Za-z_][A-Za-z0-9_]*)(?::-((?:(?!\\$\\{)[^}])*))?}|(\\{))");

    /** What the JVM puts in the place of a character that the locale does not have. As part of a password it would be easy to guess. */
    private static final char REPLACED = '\uFFFD';

    private final Map<String, String> variables;

    Environment(Map<String, String> variables) {
        this.variables = variables;
    }

    String substituted(String text, int line) {
        Matcher reference = REFERENCE.matcher(text);
        StringBuilder result = new StringBuilder();
        while (reference.find()) {
            if (reference.group(4) != null) {
                throw ConfigurationException.at(
                        line,
                        "'${' begins no reference to an environment variable: ${NAME} and ${NAME:-default} are, with a default"
                                + " that contains none, and $$ stands for a dollar sign");
            }
            String value = reference.group(1) != null ? "$" : value(reference.group(2), reference.group(3), line);
            reference.appendReplacement(result, Matcher.quoteReplacement(value));
        }
        return reference.appendTail(result).toString();
    }

    private String value(String name, @Nullable String otherwise, int line) {
        String value = variables.getOrDefault(name, otherwise);
        if (value == null) {
            throw ConfigurationException.at(
                    line,
                    "environment variable " + name + " is not set; ${" + name + ":-value} would give it a default");
        }
        if (value.indexOf(REPLACED) >= 0) {
            throw ConfigurationException.at(
                    line,
                    "environment variable " + name
                            + " has characters that this process cannot read: set LC_ALL=C.UTF-8,"
                            + " or the locale in which they were written");
        }
        return value;
    }
}
