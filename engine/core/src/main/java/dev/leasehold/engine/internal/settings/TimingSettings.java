package dev.leasehold.engine.internal.settings;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The four engine settings that depend on each other. Missing ones are derived from those that are set, so each can be changed alone; those
 * that are set are validated against each other.
 */
public record TimingSettings(Duration session, Duration heartbeat, Duration operation, Duration command) {

    public static final Duration SHORTEST_BUDGET = Duration.ofMillis(100);
    public static final Duration LONGEST_BUDGET = Duration.ofHours(1);
    private static final Duration LONGEST_SESSION = Duration.ofDays(1);
    private static final Duration SHORTEST_HEARTBEAT = Duration.ofMillis(10);

    private static final Duration USUAL_SESSION = Duration.ofSeconds(30);
    private static final Duration USUAL_OPERATION = Duration.ofSeconds(10);
    private static final Duration USUAL_COMMAND = Duration.ofSeconds(5);
    private static final int PARTS = 3;

    /**
     * Derives and validates the settings; null for one that is not set.
     *
     * @throws IllegalArgumentException if one is out of its range, or two do not fit
     */
    public static TimingSettings of(
            @Nullable Duration session,
            @Nullable Duration heartbeat,
            @Nullable Duration operation,
            @Nullable Duration command) {
        inRange("session length", session, SHORTEST_BUDGET, LONGEST_SESSION);
        inRange("heartbeat period", heartbeat, SHORTEST_HEARTBEAT, LONGEST_SESSION);
        inRange("operation budget", operation, SHORTEST_BUDGET, LONGEST_BUDGET);
        inRange("command budget", command, SHORTEST_BUDGET, LONGEST_BUDGET);
        Duration operationBudget = operation == null ? operationFor(session, command) : operation;
        Duration sessionLength = session == null ? sessionFor(operationBudget, heartbeat) : session;
        return new TimingSettings(
                        sessionLength,
                        heartbeat == null ? sessionLength.dividedBy(PARTS) : heartbeat,
                        operationBudget,
                        command == null ? commandFor(operationBudget) : command)
                .checked();
    }

    /** One that is not set is in its range. */
    private static void inRange(String what, @Nullable Duration value, Duration shortest, Duration longest) {
        if (value != null) {
            Arguments.durationNanos(what, value, shortest, longest);
        }
    }

    private static Duration operationFor(@Nullable Duration session, @Nullable Duration command) {
        Duration fitting = session == null ? USUAL_OPERATION : shorter(USUAL_OPERATION, session.dividedBy(PARTS));
        return longer(command == null ? SHORTEST_BUDGET : command, longer(SHORTEST_BUDGET, fitting));
    }

    private static Duration sessionFor(Duration operation, @Nullable Duration heartbeat) {
        Duration fitting = longer(USUAL_SESSION, operation.multipliedBy(PARTS));
        return heartbeat == null ? fitting : longer(fitting, shorter(LONGEST_SESSION, heartbeat.multipliedBy(PARTS)));
    }

    private static Duration commandFor(Duration operation) {
        return longer(SHORTEST_BUDGET, shorter(USUAL_COMMAND, operation.dividedBy(2)));
    }

    private TimingSettings checked() {
        if (session.compareTo(operation) <= 0) {
            throw refused("session length", session, "longer than the operation budget, which is " + operation);
        }
        if (heartbeat.compareTo(session.minus(heartbeat)) >= 0) {
            throw refused("heartbeat period", heartbeat, "below half of the session length, which is " + session);
        }
        if (command.compareTo(operation) > 0) {
            throw refused("command budget", command, "at most the operation budget, which is " + operation);
        }
        return this;
    }

    private IllegalArgumentException refused(String what, Duration value, String rule) {
        return new IllegalArgumentException(what + " " + value + " is refused: it must be " + rule
                + " (session length " + session + ", heartbeat period " + heartbeat + ", operation budget " + operation
                + ", command budget " + command + "; what is not set follows from what is)");
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }
}
