package dev.leasehold.mergequeue.queue;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which request: one job of one attempt of one run for a commit. Two jobs of one commit are two requests, and so are two attempts of one
 * run. A caller that gives the commit alone has one request for each commit.
 *
 * @param headSha the commit that the run is for
 * @param runId the run, or empty
 * @param attempt of the run, from 1
 * @param job within the run, or empty
 */
public record RequestId(String headSha, String runId, int attempt, String job) {

    /** What each text may be made of: no dots, since the key is part of a path in a document, and none of {@link #SEPARATOR}. */
    private static final Pattern WORD = Pattern.compile("[0-9A-Za-z_-]*");

    private static final char SEPARATOR = '~';
    private static final Pattern KEY = Pattern.compile("([^~]+)(?:~([^~]*)~(\\d{1,9})~([^~]*))?");

    /** How long a commit, a run or a job may be. */
    public static final int LENGTH_MAX = 64;

    /** How many attempts of a run there may be. */
    public static final int ATTEMPT_MAX = 1_000_000;

    /**
     * Checks the parts.
     *
     * @throws IllegalArgumentException if a part breaks its rule
     */
    public RequestId {
        if (headSha.isEmpty() || !isWord(headSha) || !isWord(runId) || !isWord(job)) {
            throw new IllegalArgumentException("'" + headSha + "', '" + runId + "', '" + job
                    + "' are refused: they must be made of letters, digits, '_' and '-', at most " + LENGTH_MAX
                    + " each, the first not empty");
        }
        if (attempt < 1 || attempt > ATTEMPT_MAX) {
            throw new IllegalArgumentException(
                    "attempt " + attempt + " is refused: it must be from 1 to " + ATTEMPT_MAX);
        }
    }

    /**
     * A request that is known by its commit alone.
     *
     * @param headSha the commit
     * @return the first attempt, without a run and a job
     */
    public static RequestId of(String headSha) {
        return new RequestId(headSha, "", 1, "");
    }

    /**
     * Tells whether a text may stand for a commit, a run or a job.
     *
     * @param text may be empty
     * @return whether it is short enough and made of the right characters
     */
    public static boolean isWord(String text) {
        return text.length() <= LENGTH_MAX && WORD.matcher(text).matches();
    }

    /** {@return the one text of it, which other requests do not have} */
    public String key() {
        return isCommitAlone() ? headSha : headSha + SEPARATOR + runId + SEPARATOR + attempt + SEPARATOR + job;
    }

    /**
     * Reads the text of {@link #key()}.
     *
     * @param key as it was written
     * @return what it was made of
     * @throws IllegalArgumentException if it is no such text
     */
    public static RequestId parse(String key) {
        Matcher parts = KEY.matcher(key);
        if (!parts.matches()) {
            throw new IllegalArgumentException("'" + key + "' is no key of a request");
        }
        return parts.group(2) == null
                ? of(key)
                : new RequestId(parts.group(1), parts.group(2), Integer.parseInt(parts.group(3)), parts.group(4));
    }

    private boolean isCommitAlone() {
        return runId.isEmpty() && attempt == 1 && job.isEmpty();
    }

    /** Whether the other one is an earlier attempt of the same job. CI services start an attempt only when the one before is over. */
    boolean supersedes(RequestId other) {
        return !runId.isEmpty()
                && runId.equals(other.runId)
                && headSha.equals(other.headSha)
                && job.equals(other.job)
                && attempt > other.attempt;
    }

    /** As messages show it. */
    @Override
    public String toString() {
        return headSha
                + (runId.isEmpty() ? "" : " of run " + runId)
                + (attempt == 1 ? "" : ", attempt " + attempt)
                + (job.isEmpty() ? "" : ", job " + job);
    }
}
