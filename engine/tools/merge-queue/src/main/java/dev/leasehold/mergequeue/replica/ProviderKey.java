package dev.leasehold.mergequeue.replica;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Which shared resource: a branch of a repository.
 *
 * @param owner of the repository
 * @param repo its name
 * @param baseRef the branch that runs are to be merged into; may contain slashes
 */
public record ProviderKey(String owner, String repo, String baseRef) {

    /** Their paths would be those of other routes, of which some are open to all. */
    public static final List<String> RESERVED_OWNERS = List.of("health", "metrics", "openapi.json");

    /** Not of dots alone, which clients and proxies take for folders. */
    private static final Pattern NAME = Pattern.compile("(?!\\.+$)[A-Za-z0-9_.-]{1,100}");
    /** What git lets a part of a name be made of, without what cannot be seen; nor the star, which is for patterns. */
    private static final String PART = "[^/\\p{C}\\p{Z}~^:?*\\[\\\\]+";

    /** In parts between slashes, none of them empty or made of dots alone. */
    private static final Pattern REF = Pattern.compile("(?!.*(?:^|/)\\.+(?:/|$))" + PART + "(?:/" + PART + ")*");

    /** A path that ends so means an order to the branch before it. */
    private static final Pattern ORDER = Pattern.compile("(?:.*/)?(?:acquire|aquire|release|withdraw)");

    private static final int REF_BYTES_MAX = 200;
    private static final String UNRESERVED = "-._~/";

    /**
     * Checks the parts.
     *
     * @param owner of the repository
     * @param repo its name
     * @param baseRef the branch
     * @throws IllegalArgumentException if a part breaks its rule
     */
    public ProviderKey {
        check("owner", NAME.matcher(owner).matches(), "1 to 100 letters, digits, '_', '.' and '-', not dots alone");
        check(
                "owner",
                !RESERVED_OWNERS.contains(owner.toLowerCase(Locale.ROOT)),
                "none of " + String.join(", ", RESERVED_OWNERS));
        check("repo", NAME.matcher(repo).matches(), "1 to 100 letters, digits, '_', '.' and '-', not dots alone");
        check(
                "base ref",
                baseRef.getBytes(UTF_8).length <= REF_BYTES_MAX
                        && REF.matcher(baseRef).matches(),
                "a branch as git allows it, of at most 200 bytes in UTF-8, without spaces and '~^:?*[\\', in parts between slashes,"
                        + " none of them dots alone");
        check(
                "base ref",
                !ORDER.matcher(baseRef).matches(),
                "a branch whose last part is none of acquire, aquire, release and withdraw");
    }

    /**
     * Reads the text of {@link #id()}.
     *
     * @param id as it was written
     * @return empty if it is no such text
     */
    public static Optional<ProviderKey> parse(String id) {
        String[] parts = id.split("/", 3);
        try {
            return parts.length < 3 ? Optional.empty() : Optional.of(new ProviderKey(parts[0], parts[1], parts[2]));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static void check(String what, boolean fits, String rule) {
        if (!fits) {
            throw new IllegalArgumentException(what + " is refused: it must be " + rule);
        }
    }

    /** {@return the three parts, with slashes between} */
    public String id() {
        return owner + "/" + repo + "/" + baseRef;
    }

    /** {@return the path of the provider at a service, percent-encoded} */
    public String path() {
        StringBuilder path = new StringBuilder("/");
        for (byte one : id().getBytes(UTF_8)) {
            boolean plain = one >= '0' && one <= '9'
                    || one >= 'A' && one <= 'Z'
                    || one >= 'a' && one <= 'z'
                    || UNRESERVED.indexOf(one) >= 0;
            path.append(plain ? String.valueOf((char) one) : String.format(Locale.ROOT, "%%%02X", one & 0xFF));
        }
        return path.toString();
    }
}
