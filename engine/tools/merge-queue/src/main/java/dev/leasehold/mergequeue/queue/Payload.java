package dev.leasehold.mergequeue.queue;

import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a request is about, for people and for the run that wins. Nothing is decided from it.
 *
 * @param headRef the branch that the run is for
 * @param pullRequest its number; empty if it has none
 */
public record Payload(String headRef, OptionalLong pullRequest) {

    /** How long the name of the branch may be, in UTF-8: as long as git lets a part of a name be. */
    public static final int HEAD_REF_BYTES_MAX = 255;

    /** Of a request of which no more is known than its id. */
    static final Payload NONE = new Payload("", OptionalLong.empty());

    /** As GitHub names the branches of a merge queue, and the refs of a pull request. */
    private static final Pattern NUMBERED =
            Pattern.compile("(?:refs/heads/)?gh-readonly-queue/.+/pr-(\\d{1,15})-[0-9a-f]{7,64}"
                    + "|(?:refs/)?pull/(\\d{1,15})/(?:head|merge)");

    /**
     * Takes the number from the name of the branch if the caller gives none.
     *
     * @param headRef the branch that the run is for
     * @param given by the caller, or empty
     * @return both
     */
    public static Payload of(String headRef, OptionalLong given) {
        return new Payload(headRef, given.isPresent() ? given : numberOf(headRef));
    }

    private static OptionalLong numberOf(String headRef) {
        Matcher numbered = NUMBERED.matcher(headRef);
        if (!numbered.matches()) {
            return OptionalLong.empty();
        }
        long number = Long.parseLong(numbered.group(1) == null ? numbered.group(2) : numbered.group(1));
        return number == 0 ? OptionalLong.empty() : OptionalLong.of(number);
    }
}
