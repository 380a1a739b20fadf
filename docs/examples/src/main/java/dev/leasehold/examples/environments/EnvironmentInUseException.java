package dev.leasehold.examples.environments;

import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.LeaseStatus;
import java.util.Optional;

/** The lease of an environment was refused. Has no stack trace, since it is an answer and no failure. */
public final class EnvironmentInUseException extends Exception {

    private static final long serialVersionUID = 1L;

    private final String environment;
    private final LeaseState state;

    EnvironmentInUseException(String environment, LeaseState state) {
        super("environment '" + environment + "' is in use: " + state.describe(), null, false, false);
        this.environment = environment;
        this.state = state;
    }

    /** {@return which one} */
    public String environment() {
        return environment;
    }

    /** {@return how its lease stands: active; or expired or free, if another instance was faster, or an operator pinned it} */
    public LeaseStatus status() {
        return state.status();
    }

    /**
     * The holder, since when on the holder's clock, the comment, and when it is over at the latest on this instance's clock.
     *
     * @return nothing if it is not held
     */
    public Optional<LeaseState.Held> held() {
        return state instanceof LeaseState.Held held ? Optional.of(held) : Optional.empty();
    }
}
