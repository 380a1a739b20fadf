package dev.leasehold.mergequeue.replica;

import java.util.regex.Pattern;

/**
 * Which shared resource: a branch of a repository.
 *
 * @param owner of the repository
 * @param repo its name
 * @param baseRef the branch that runs are to be merged into; may contain slashes
 */
public record ProviderKey(String owner, String repo, String baseRef) {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,100}");
    /** What a name of a branch may be made of, in parts between slashes, none of them empty or made of dots alone. */
    private static final Pattern REF =
            Pattern.compile("(?!.*(?:^|/)\\.+(?:/|$))[A-Za-z0-9_.+=@#-]+(?:/[A-Za-z0-9_.+=@#-]+)*");

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
        check("owner", NAME.matcher(owner).matches(), "1 to 100 letters, digits, '_', '.' and '-'");
        check("repo", NAME.matcher(repo).matches(), "1 to 100 letters, digits, '_', '.' and '-'");
        check(
                "base ref",
                baseRef.length() <= REF_LENGTH_MAX && REF.matcher(baseRef).matches(),
                "a branch of at most 200 letters, digits and '_.+=@#-', in parts between slashes");
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
