package dev.leasehold.mergequeue.config;

import java.util.regex.Pattern;

/**
 * A branch, or a pattern of branches: {@code *} stands for any characters but a slash, {@code **} for any characters.
 *
 * @param text as in the file
 */
public record BranchPattern(String text) {

    /** {@return whether it stands for just one branch} */
    public boolean isName() {
        return text.indexOf('*') < 0;
    }

    boolean fits(String branch) {
        return isName() ? text.equals(branch) : expression().matcher(branch).matches();
    }

    private Pattern expression() {
        StringBuilder expression = new StringBuilder();
        for (int at = 0; at < text.length(); at++) {
            if (text.startsWith("**", at)) {
                expression.append(".*");
                at++;
            } else if (text.charAt(at) == '*') {
                expression.append("[^/]*");
            } else {
                expression.append(Pattern.quote(text.substring(at, at + 1)));
            }
        }
        return Pattern.compile(expression.toString());
    }
}
