package dev.leasehold.assertions;

import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Shows a text that may be anything in one line of a message. */
final class Quoted {

    /** Not below any length that a rule allows, so that only a text which is itself too long is ever cut. */
    static final int SHOWN_CHARACTERS_MAX = 512;

    private Quoted() {}

    static String of(@Nullable String text) {
        if (text == null) {
            return "null";
        }
        StringBuilder quoted = new StringBuilder("'");
        text.codePoints().limit(SHOWN_CHARACTERS_MAX).forEach(character -> append(quoted, character));
        quoted.append('\'');
        int characters = text.codePointCount(0, text.length());
        if (characters > SHOWN_CHARACTERS_MAX) {
            quoted.append("... (").append(characters).append(" characters)");
        }
        return quoted.toString();
    }

    static String visible(@Nullable String text) {
        if (text == null) {
            return "null";
        }
        if (text.codePoints().allMatch(Quoted::isVisible)) {
            return text;
        }
        StringBuilder shown = new StringBuilder();
        text.codePoints().forEach(character -> append(shown, character));
        return shown.toString();
    }

    private static void append(StringBuilder quoted, int character) {
        if (isVisible(character)) {
            quoted.appendCodePoint(character);
            return;
        }
        for (char unit : Character.toChars(character)) {
            quoted.append("\\u").append(HexFormat.of().toHexDigits(unit));
        }
    }

    private static boolean isVisible(int character) {
        return switch (Character.getType(character)) {
            // Format characters too: one that turns the direction of writing would disguise the rest of the message.
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }
}
