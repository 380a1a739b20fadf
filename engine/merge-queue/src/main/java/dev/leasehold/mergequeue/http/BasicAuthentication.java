package dev.leasehold.mergequeue.http;

import dev.leasehold.mergequeue.config.Configuration.Credentials;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Compares what callers show, in a time that does not depend on how much of it is right. */
final class BasicAuthentication {

    private static final String SCHEME = "basic ";

    private final byte[] expected;

    BasicAuthentication(Credentials credentials) {
        this.expected =
                digest((credentials.username() + ":" + credentials.password()).getBytes(StandardCharsets.UTF_8));
    }

    boolean accepts(@Nullable String header) {
        if (header == null || !header.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
            return false;
        }
        try {
            byte[] shown =
                    Base64.getDecoder().decode(header.substring(SCHEME.length()).strip());
            return MessageDigest.isEqual(expected, digest(shown));
        } catch (IllegalArgumentException e) {
            return false; // not Base64
        }
    }

    /** Digests are of equal length, so the comparison does not tell that of the password either. */
    private static byte[] digest(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
