package dev.leasehold.engine.internal.operations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.world.LogCapture;
import dev.leasehold.engine.world.Thrown;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Where code of callers runs. */
class CallbackThreadsTest {

    private final List<String> ran = new ArrayList<>();
    private final Executor own = task -> {
        ran.add("own");
        task.run();
    };

    @Test
    void runsWhereTheCallerWants() {
        Executor wanted = task -> {
            ran.add("wanted");
            task.run();
        };
        new CallbackThreads("billing", wanted, own).execute(() -> ran.add("task"));
        assertThat(ran).containsExactly("own", "wanted", "task");
    }

    /** One that cannot start a thread throws an error, and one that was not written in Java may throw anything. */
    @ParameterizedTest
    @MethodSource
    void whatIsRejectedRunsOnTheEnginesOwnThreadsAndIsLogged(Throwable why) {
        Executor rejecting = task -> Thrown.asItIs(why);
        try (LogCapture log = new LogCapture()) {
            new CallbackThreads("billing", rejecting, own).execute(() -> ran.add("task"));
            assertThat(ran).containsExactly("own", "task");
            assertThat(log.warningsAbout("does not take one")).hasSize(1);
        }
    }

    static Stream<Throwable> whatIsRejectedRunsOnTheEnginesOwnThreadsAndIsLogged() {
        return Stream.of(
                new RejectedExecutionException("full"),
                new Error("unable to create native thread"),
                new TimeoutException("full"));
    }

    /** Told twice, an acquisition would take the second time for one that no caller waits for any more, and give the lease back. */
    @Test
    void whatWasTakenAndRejectedAllTheSameRunsOnce() {
        Executor confused = task -> {
            task.run();
            throw new RejectedExecutionException("full");
        };
        new CallbackThreads("billing", confused, own).execute(() -> ran.add("task"));
        assertThat(ran).containsExactly("own", "task");
    }
}
