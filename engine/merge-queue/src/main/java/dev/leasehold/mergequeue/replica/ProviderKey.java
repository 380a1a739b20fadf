package dev.leasehold.mergequeue.replica;

import java.util.List;
import java.util.Locale;
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
    /** What a name of a branch may be made of, in parts between slashes, none of them empty or made of dots alone. */
    private static final Pattern REF =
            Pattern.compile("(?!.*(?:^|/)\\.+(?:/|$))[A-Za-z0-9_.+=@#-]+(?:/[A-Za-z0-9_.+=@#-]+)*");

    /** A path that ends so means an order to the branch before it. */
    private static final Pattern ORDER = Pattern.compile("(?:.*/)?(?:acquire|aquire|release|withdraw)");

    private static final int REF_LENGTH_MAX = 200;

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
                baseRef.length() <= REF_LENGTH_MAX && REF.matcher(baseRef).matches(),
                "a branch of at most 200 letters, digits and '_.+=@#-', in parts between slashes");
        check(
                "base ref",
                !ORDER.matcher(baseRef).matches(),
                "a branch whose last part is none of acquire, aquire, release and withdraw");
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
}
