package dev.leasehold.assertions;

import java.nio.charset.StandardCharsets;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The rules for the names that a lease has, and for the texts that go with it; and how they are shown.
 *
 * <p>Every check returns its argument unchanged, or throws an {@link IllegalArgumentException} whose message says what
 * was refused, shows it (characters that cannot be seen are written as escapes such as {@code \}{@code u0000}, a value
 * that is far too long is cut) and states the rule. A {@code null} that slipped through is refused in the same way.
 *
 * <p>Two names are the same name only if they are equal character by character: nothing is trimmed, folded or
 * normalised.
 *
 * <p>All methods are pure and may be called by any thread.
 */
public final class LeaseNames {

    private static final int LABEL_CHARACTERS_MAX = 64;
    private static final int TEXT_BYTES_MAX = 512;
    private static final int COMMENT_CHARACTERS_MAX = 512;
    private static final int PAYLOAD_BYTES_MAX = 4_096;

    private static final String LABEL_RULE =
            "must be 1 to " + LABEL_CHARACTERS_MAX + " characters out of A-Z a-z 0-9 . _ : / -";
    private static final String PARTITION_RULE =
            LABEL_RULE + ", or such a name, a ~ and a number of 1 to " + (LeaseIds.PARTITIONS_MAX - 1);
    private static final String NO_CONTROLS = "without control characters and unpaired surrogates";
    private static final String TEXT_RULE =
            "must be 1 to " + TEXT_BYTES_MAX + " bytes in UTF-8, not white space alone, " + NO_CONTROLS;
    private static final String COMMENT_RULE =
            "must be at most " + COMMENT_CHARACTERS_MAX + " characters, " + NO_CONTROLS;
    private static final String PAYLOAD_RULE =
            "must be at most " + PAYLOAD_BYTES_MAX + " bytes in UTF-8, without unpaired surrogates";

    private LeaseNames() {}

    /**
     * Checks the name of a namespace: 1 to 64 characters out of {@code A-Z a-z 0-9 . _ : / -}.
     *
     * @param namespace the name to check
     * @return the same name
     * @throws IllegalArgumentException if it breaks the rule
     */
    public static String checkNamespace(@Nullable String namespace) {
        return check("namespace", namespace, LeaseNames::isLabel, LABEL_RULE);
    }

    /**
     * Checks a namespace or a partition of one, as documents and tenures name it: a namespace as {@link #checkNamespace}
     * allows it, alone or with a {@code ~} and a number of 1 to 63, in decimal and without leading zeros.
     *
     * @param partition the name to check
     * @return the same name
     * @throws IllegalArgumentException if it breaks the rule
     */
    public static String checkPartition(String partition) {
        return check("namespace", partition, LeaseNames::isPartition, PARTITION_RULE);
    }

    /**
     * Checks the configured name of an engine's instance: 1 to 64 characters out of {@code A-Z a-z 0-9 . _ : / -}.
     *
     * @param instance the name to check
     * @return the same name
     * @throws IllegalArgumentException if it breaks the rule
     */
    public static String checkInstance(String instance) {
        return check("instance", instance, LeaseNames::isLabel, LABEL_RULE);
    }

    /**
     * Checks the name of a lease: any Unicode text of 1 to 512 bytes in UTF-8 that is not white space alone (of {@link
     * Character#isWhitespace(int)} or {@link Character#isSpaceChar(int)}), without control characters (those of
     * {@link Character#isISOControl(int)}) and without unpaired surrogates.
     *
     * @param name the name to check
     * @return the same name
     * @throws IllegalArgumentException if it breaks the rule
     */
    public static String checkName(String name) {
        return check("lease name", name, LeaseNames::isName, TEXT_RULE);
    }

    /**
     * Checks a holder. The rule is that of {@link #checkName}.
     *
     * @param holder the holder to check
     * @return the same holder
     * @throws IllegalArgumentException if it breaks the rule
     */
    public static String checkHolder(String holder) {
        return check("holder", holder, LeaseNames::isName, TEXT_RULE);
    }

    /**
     * Checks an entity that pins a lease. The rule is that of {@link #checkName}.
     *
     * @param entity the entity to check
     * @return the same entity
     * @throws IllegalArgumentException if it breaks the rule
     */
    public static String checkEntity(String entity) {
        return check("entity", entity, LeaseNames::isName, TEXT_RULE);
    }

    /**
     * Checks the name of an occurrence of the work of a lease, such as a night or the number of a batch. The rule is that of {@link
     * #checkName}.
     *
     * @param occurrence the occurrence to check
     * @return the same occurrence
     * @throws IllegalArgumentException if it breaks the rule
     */
    public static String checkOccurrence(String occurrence) {
        return check("occurrence", occurrence, LeaseNames::isName, TEXT_RULE);
    }

    /**
     * Checks a comment: up to 512 characters of Unicode text, without control characters (line breaks are among them)
     * and without unpaired surrogates. A character is a code point: one that Java keeps as two {@code char} counts
     * once. A comment may be empty.
     *
     * @param comment the comment to check
     * @return the same comment
     * @throws IllegalArgumentException if it breaks the rule
     */
    public static String checkComment(String comment) {
        return check("comment", comment, LeaseNames::isComment, COMMENT_RULE);
    }

    /**
     * Checks a payload: any text of up to 4,096 bytes in UTF-8 without unpaired surrogates. Line breaks and other control characters are
     * allowed, since programs read it. It may be empty.
     *
     * @param payload the payload to check
     * @return the same payload
     * @throws IllegalArgumentException if it breaks the rule
     */
    public static String checkPayload(String payload) {
        return check("payload", payload, LeaseNames::isPayload, PAYLOAD_RULE);
    }

    /**
     * Shows a text that may be anything in a message: between quotation marks and in one line.
     *
     * <p>Control characters, line and paragraph separators, unpaired surrogates and format characters, such as the one that turns the
     * direction of writing, become escapes such as {@code \}{@code u202e}. Of a text of more than 512 characters the first 512 are shown,
     * and its length. Messages and log lines of this library show names, holders and ids so.
     *
     * @param text the text; null is shown as the word null, without marks
     * @return the text as it is shown
     */
    public static String quote(@Nullable String text) {
        return Quoted.of(text);
    }

    /**
     * Shows a text that may be anything in the cell of a table or on a page: as {@link #quote} does, but without marks and never cut.
     *
     * @param text the text; null is shown as the word null
     * @return the same text with escapes for what cannot be seen
     */
    public static String visible(@Nullable String text) {
        return Quoted.visible(text);
    }

    private static String check(String what, @Nullable String value, Predicate<String> rule, String ruleInWords) {
        if (value == null || !rule.test(value)) {
            throw new IllegalArgumentException(what + " " + Quoted.of(value) + " is refused: it " + ruleInWords);
        }
        return value;
    }

    private static boolean isLabel(String value) {
        if (value.isEmpty() || value.length() > LABEL_CHARACTERS_MAX) {
            return false;
        }
        for (int i = 0; i < value.length(); i++) {
            if (!isLabelCharacter(value.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isPartition(String value) {
        int mark = value.indexOf(LeaseIds.PARTITION_FOLLOWS);
        return mark < 0
                ? isLabel(value)
                : isLabel(value.substring(0, mark)) && isNumberOfPartition(value.substring(mark + 1));
    }

    /** In decimal without leading zeros, so that each partition has one name. */
    private static boolean isNumberOfPartition(String value) {
        if (value.isEmpty() || value.length() > 2 || value.charAt(0) == '0') {
            return false;
        }
        int number = 0;
        for (int i = 0; i < value.length(); i++) {
            char digit = value.charAt(i);
            if (digit < '0' || digit > '9') {
                return false;
            }
            number = 10 * number + digit - '0';
        }
        return number < LeaseIds.PARTITIONS_MAX;
    }

    private static boolean isLabelCharacter(int character) {
        return character >= 'a' && character <= 'z'
                || character >= 'A' && character <= 'Z'
                || character >= '0' && character <= '9'
                || "._:/-".indexOf(character) >= 0;
    }

    private static boolean isName(String value) {
        return !isBlank(value)
                && value.length() <= TEXT_BYTES_MAX
                && isCleanText(value)
                && value.getBytes(StandardCharsets.UTF_8).length <= TEXT_BYTES_MAX;
    }

    /** An empty one too. The one test knows no-break spaces, the other one separators that are no spaces. */
    private static boolean isBlank(String value) {
        for (int i = 0; i < value.length(); i += Character.charCount(value.codePointAt(i))) {
            int character = value.codePointAt(i);
            if (!Character.isWhitespace(character) && !Character.isSpaceChar(character)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isComment(String value) {
        return value.codePointCount(0, value.length()) <= COMMENT_CHARACTERS_MAX && isCleanText(value);
    }

    private static boolean isPayload(String value) {
        return value.length() <= PAYLOAD_BYTES_MAX
                && value.codePoints().noneMatch(character -> Character.getType(character) == Character.SURROGATE)
                && value.getBytes(StandardCharsets.UTF_8).length <= PAYLOAD_BYTES_MAX;
    }

    /** An unpaired surrogate has no form in UTF-8. Stored as something else, two names could become one. */
    static boolean isCleanText(String value) {
        for (int i = 0; i < value.length(); i += Character.charCount(value.codePointAt(i))) {
            int character = value.codePointAt(i);
            if (Character.isISOControl(character) || Character.getType(character) == Character.SURROGATE) {
                return false;
            }
        }
        return true;
    }
}
