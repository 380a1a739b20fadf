package dev.leasehold.examples.environments;

import java.util.Locale;
import java.util.Set;

/** What an instance does to an environment. */
public enum Action {
    /** Tests what is deployed. Nothing else may be going on. */
    VERIFICATION {
        @Override
        public boolean isSafeBeside(Set<Action> running) {
            return running.isEmpty();
        }
    },
    /** Deploys. No verification may be going on. */
    ACTUATION {
        @Override
        public boolean isSafeBeside(Set<Action> running) {
            return !running.contains(VERIFICATION);
        }
    };

    /**
     * Whether this may begin.
     *
     * @param running what is going on in the environment
     */
    public abstract boolean isSafeBeside(Set<Action> running);

    /** In comments, metrics and documents. */
    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Action ofText(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }
}
