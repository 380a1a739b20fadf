package dev.leasehold.pekko;

import dev.leasehold.assertions.LeaseNames;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The names that Pekko gives, as names that the engine allows. Most stay as they are. One that breaks the engine's rule is cut and
 * cleaned, and gets its hash behind it, by which two such names stay two.
 */
final class LeaseTexts {

    private static final int BYTES_MAX = 512;
    private static final int COMMENT_MAX = 512;
    private static final char HASH_FOLLOWS = '~';
    private static final int HASH_DIGITS = 64;
    private static final int CUT_BYTES_MAX = BYTES_MAX - HASH_DIGITS - 1;

    /** A name that looks as if it had been mapped is mapped too, or it might be that of another. */
    private static final Pattern MAPPED =
            Pattern.compile(".*" + HASH_FOLLOWS + "[0-9a-f]{" + HASH_DIGITS + "}", Pattern.DOTALL);

    private LeaseTexts() {}

    /** The name of a lease or a holder for what Pekko calls so. Different texts have different names. */
    static String name(String text) {
        return isAllowed(text) && !MAPPED.matcher(text).matches()
                ? text
                : cut(clean(text), CUT_BYTES_MAX) + HASH_FOLLOWS + hash(text);
    }

    /** What people are shown beside names that had to be changed; null where none had. */
    static @Nullable String comment(String leaseName, String ownerName) {
        if (name(leaseName).equals(leaseName) && name(ownerName).equals(ownerName)) {
            return null;
        }
        String comment = "lease '" + clean(leaseName) + "' of owner '" + clean(ownerName) + "'";
        int length = comment.codePointCount(0, comment.length());
        return length <= COMMENT_MAX
                ? comment
                : comment.substring(0, comment.offsetByCodePoints(0, COMMENT_MAX - 1)) + "…";
    }

    private static boolean isAllowed(String text) {
        try {
            LeaseNames.checkName(text);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static String clean(String text) {
        StringBuilder cleaned = new StringBuilder();
        text.codePoints()
                .map(character ->
                        Character.isISOControl(character) || Character.getType(character) == Character.SURROGATE
                                ? '_'
                                : character)
                .forEach(cleaned::appendCodePoint);
        return cleaned.toString();
    }

    private static String cut(String text, int bytesMax) {
        int bytes = 0;
        int end = 0;
        while (end < text.length()) {
            int next = end + Character.charCount(text.codePointAt(end));
            bytes += text.substring(end, next).getBytes(StandardCharsets.UTF_8).length;
            if (bytes > bytesMax) {
                break;
            }
            end = next;
        }
        return text.substring(0, end);
    }

    /** Of the characters as Java keeps them: an unpaired surrogate has no form in UTF-8, and two of them would be one. */
    private static String hash(String text) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (int i = 0; i < text.length(); i++) {
                digest.update((byte) (text.charAt(i) >> 8));
                digest.update((byte) text.charAt(i));
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
