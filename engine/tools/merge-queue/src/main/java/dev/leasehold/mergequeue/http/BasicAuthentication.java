package dev.leasehold.mergequeue.http;

import dev.leasehold.mergequeue.config.Configuration.Credentials;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Compares what callers show with all that is known, in a time that does not depend on how much of it is right. */
final class BasicAuthentication {

    private static final String SCHEME = "basic ";

    private final List<Known> known;

    BasicAuthentication(List<Credentials> credentials) {
        this.known = credentials.stream().map(Known::of).toList();
    }

    private record Known(Credentials credentials, byte[] digest) {

        static Known of(Credentials credentials) {
            String shown = credentials.username() + ":" + credentials.password();
            return new Known(credentials, BasicAuthentication.digest(shown.getBytes(StandardCharsets.UTF_8)));
        }
    }

    /** Which credentials the header has, if they are known. */
    Optional<Credentials> credentials(@Nullable String header) {
        if (header == null || !header.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
            return Optional.empty();
        }
        byte[] shown;
        try {
            shown = digest(
                    Base64.getDecoder().decode(header.substring(SCHEME.length()).strip()));
        } catch (IllegalArgumentException e) {
            return Optional.empty(); // not Base64
        }
        Optional<Credentials> found = Optional.empty();
        for (Known one : known) {
            if (MessageDigest.isEqual(one.digest(), shown)) {
                found = Optional.of(one.credentials());
            }
        }
        return found;
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
