package dev.leasehold.spring;

import org.jspecify.annotations.Nullable;

/** What an engine answers. One that a test has mocked answers null to all that it was not told to answer. */
final class Answered {

    private Answered() {}

    /**
     * An answer that is there.
     *
     * @param method of the engine
     * @throws IllegalStateException if it is null
     */
    static <T> T by(String method, @Nullable T answer) {
        if (answer == null) {
            throw new IllegalStateException(refusal(method));
        }
        return answer;
    }

    static String refusal(String method) {
        return "LeaseEngine." + method
                + " has answered null, as a mock does that was not told what to answer: tell it, or have a real engine";
    }
}
