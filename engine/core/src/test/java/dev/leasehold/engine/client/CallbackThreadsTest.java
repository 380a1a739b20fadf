package dev.leasehold.engine.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.byhand.LogCapture;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

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
        assertThat(ran).containsExactly("wanted", "task");
    }

    @Test
    void whatIsRejectedRunsOnTheEnginesOwnThreadsAndIsLogged() {
        Executor rejecting = task -> {
            throw new RejectedExecutionException("full");
        };
        try (LogCapture log = new LogCapture()) {
            new CallbackThreads("billing", rejecting, own).execute(() -> ran.add("task"));
            assertThat(ran).containsExactly("own", "task");
            assertThat(log.warningsAbout("does not take one")).hasSize(1);
        }
    }
}
