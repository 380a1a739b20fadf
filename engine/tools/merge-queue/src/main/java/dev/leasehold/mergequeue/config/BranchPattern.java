package dev.leasehold.mergequeue.config;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A branch, or a pattern of branches: {@code *} stands for any characters but a slash, {@code **} for any characters.
 *
 * @param text as in the file
 */
public record BranchPattern(String text) {

    private static final Pattern STAR = Pattern.compile("\\*{1,2}");

    /** {@return whether it stands for just one branch} */
    public boolean isName() {
        return text.indexOf('*') < 0;
    }

    /** Whether this fits all that the other fits. No text but a star of this one fits a star. */
    boolean covers(BranchPattern other) {
        return fits(other.text().replace("**", "*")) && fits(other.text().replace("**", "*/*/*"));
    }

    boolean fits(String branch) {
        return isName() ? text.equals(branch) : expression().matcher(branch).matches();
    }

    private Pattern expression() {
        StringBuilder expression = new StringBuilder();
        Matcher star = STAR.matcher(text);
        int from = 0;
        while (star.find()) {
            // A run at a time: a character outside the basic plane is two chars, which match nothing when quoted one by
            // one.
            expression.append(Pattern.quote(text.substring(from, star.start())));
            expression.append(star.end() - star.start() > 1 ? ".*" : "[^/]*");
            from = star.end();
        }
        return Pattern.compile(
                expression.append(Pattern.quote(text.substring(from))).toString());
    }
}
