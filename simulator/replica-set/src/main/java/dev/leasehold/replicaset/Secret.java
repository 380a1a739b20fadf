package dev.leasehold.replicaset;

import java.security.SecureRandom;
import java.util.HexFormat;

/** Keys and passwords, each used for one set or one user. */
final class Secret {

    private static final int BYTES = 24;
    private static final SecureRandom RANDOM = new SecureRandom();

    private Secret() {}

    /** Letters and digits, which mean nothing special in a URI or a key file. */
    static String random() {
        byte[] bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
