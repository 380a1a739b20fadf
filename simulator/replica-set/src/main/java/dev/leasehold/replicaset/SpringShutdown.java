package dev.leasehold.replicaset;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The shutdown hooks of Spring in this JVM. All hooks of a JVM start at once and in no order, and Spring closes in its hooks the
 * applications that tests keep: these still need their database.
 */
final class SpringShutdown {

    /** Of Spring Boot, and of Spring without it. */
    private static final Set<String> HOOKS = Set.of("SpringApplicationShutdownHook", "SpringContextShutdownHook");

    private SpringShutdown() {}

    /**
     * Waits until Spring's hooks have ended. To be called in a shutdown hook.
     *
     * @param startLimit how long until the JVM has started all hooks
     * @param endLimit how long from then on
     */
    static void awaitEnd(Duration startLimit, Duration endLimit) {
        try {
            Awaiting.answer("the start of all shutdown hooks", startLimit, () -> present(haveAllHooksStarted()));
        } catch (ReplicaSetUnavailableException e) {
            // A virtual machine that starts them in another way. What runs now is all that can be seen.
        }
        try {
            Awaiting.answer(
                    "Spring's shutdown hooks",
                    endLimit,
                    () -> present(hooks().findAny().isEmpty()));
        } catch (ReplicaSetUnavailableException e) {
            // Then its applications find the set gone.
        }
    }

    private static Optional<Boolean> present(boolean answer) {
        return Optional.of(answer).filter(Boolean::booleanValue);
    }

    /** The thread that starts them joins one after the other when it has started all. */
    private static boolean haveAllHooksStarted() {
        return threads().anyMatch(thread -> {
            StackTraceElement[] frames = thread.getStackTrace();
            boolean joins = false;
            for (StackTraceElement frame : frames) {
                joins |= frame.getClassName().equals(Thread.class.getName())
                        && frame.getMethodName().equals("join");
                if (joins
                        && frame.getClassName().equals("java.lang.ApplicationShutdownHooks")
                        && frame.getMethodName().equals("runHooks")) {
                    return true;
                }
            }
            return false;
        });
    }

    private static Stream<Thread> hooks() {
        return threads().filter(thread -> HOOKS.contains(thread.getName()));
    }

    private static Stream<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream();
    }
}
