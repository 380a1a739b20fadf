package dev.leasehold.engine.internal.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.leasehold.engine.world.LogCapture;
import dev.leasehold.engine.world.SteppedRuntime;
import dev.leasehold.engine.world.TestClock;
import dev.leasehold.engine.world.Thrown;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The one place where errors in threads of an engine are caught. */
class FailStopTest {

    private static final Error NO_MEMORY = new InternalError("out of memory");

    private final SteppedRuntime runtime = new SteppedRuntime(new TestClock(TestClock.Z));
    private final FailStop failStop = new FailStop(runtime);
    private final EngineThread thread = failStop.startThread("one");
    private final List<Error> ended = new ArrayList<>();

    @AutoClose
    private final LogCapture log = new LogCapture();

    private static void fail() {
        throw NO_MEMORY;
    }

    @Test
    @DisplayName("The first error of any thread ends the engine once, and the threads go on for the close")
    void firstErrorEndsTheEngineOnce() {
        failStop.onFailure(ended::add);
        List<String> ran = new ArrayList<>();
        thread.execute(FailStopTest::fail);
        thread.executeAfter(1, FailStopTest::fail);
        failStop.startThread("other").executeAfter(2, () -> ran.add("other"));

        runtime.runFor(10);

        assertThat(ended).containsExactly(NO_MEMORY);
        assertThat(failStop.failure()).isSameAs(NO_MEMORY);
        assertThat(ran).containsExactly("other");
    }

    /** No part of the engine has caught it, so what it has left behind is as unknown as behind an error. */
    @Test
    void checkedExceptionOfCodeThatWasNotWrittenInJavaEndsTheEngineToo() {
        IOException noRoute = new IOException("no route");
        failStop.onFailure(ended::add);
        thread.execute(() -> Thrown.asItIs(noRoute));
        List<String> ran = new ArrayList<>();
        thread.execute(() -> ran.add("the close"));

        runtime.runDue();

        assertThat(ended).singleElement().satisfies(error -> assertThat(error).hasCause(noRoute));
        assertThat(ran).containsExactly("the close");
    }

    @Test
    void errorFromBeforeAnythingListensIsToldToWhatDoes() {
        thread.execute(FailStopTest::fail);
        runtime.runDue();

        failStop.onFailure(ended::add);

        assertThat(ended).containsExactly(NO_MEMORY);
    }

    @Test
    @DisplayName("Errors that come again and again are logged the 1st, 2nd, 4th, 8th time and so on, and fill no disk")
    void errorsThatComeAgainFillNoLog() {
        for (int i = 0; i < 1_000; i++) {
            // As of a class that is gone: each use of it makes another error.
            thread.execute(() -> {
                throw new NoClassDefFoundError("gone");
            });
        }

        runtime.runDue();

        assertThat(log.messages(Level.ERROR)).hasSize(10);
    }

    @Test
    void taskWithoutAnErrorEndsNothing() {
        failStop.onFailure(ended::add);
        thread.execute(() -> {});

        runtime.runDue();

        assertThat(ended).isEmpty();
        assertThat(failStop.failure()).isNull();
    }
}
