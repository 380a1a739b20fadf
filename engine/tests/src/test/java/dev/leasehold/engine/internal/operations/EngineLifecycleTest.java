package dev.leasehold.engine.internal.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseEngineClosedException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.UnsupportedDeploymentException;
import dev.leasehold.engine.internal.runtime.EngineThread;
import dev.leasehold.engine.internal.runtime.SystemRuntime;
import dev.leasehold.engine.world.ScriptedStore;
import dev.leasehold.engine.world.SteppedRuntime;
import dev.leasehold.engine.world.TestClock;
import dev.leasehold.engine.world.Thrown;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Starting and closing: nothing stays open, whatever gives up first. */
class EngineLifecycleTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Tenure TENURE = new Tenure(SteppedEngine.NAMESPACE, "one", "h", 1);
    private static final String THREAD = "leasehold-lifecycle";

    private final SteppedRuntime runtime = new SteppedRuntime(new TestClock(TestClock.Z));
    private final ScriptedStore store = new ScriptedStore();
    private final CountDownLatch mayOpen = new CountDownLatch(1);

    @AfterEach
    void clearInterrupt() {
        Thread.interrupted();
        mayOpen.countDown();
    }

    @Test
    void startOpensTheStoreOnceAndWritesNothing() {
        LeaseEngine engine = SteppedEngine.start("lifecycle", SteppedEngine.BUDGET, runtime, () -> store);

        assertThat(engine.namespace()).isEqualTo("lifecycle");
        assertThat(store.opens()).isEqualTo(1);
        assertThat(store.calls()).isZero();
    }

    @Test
    void engineForWhoseEndNoThreadCouldBeStartedIsClosedByTheNextClose() {
        LeaseEngine engine = SteppedEngine.start("lifecycle", SteppedEngine.BUDGET, runtime, () -> store);
        InternalError noThread = new InternalError("no thread is to be had");
        runtime.throwAtNextTaskOf("-handles", noThread);
        assertThatThrownBy(engine::close).isSameAs(noThread);

        engine.close();
        runtime.runDue();

        assertThat(store.closes()).isEqualTo(1);
        assertThat(runtime.isQuiet()).isTrue();
    }

    static Stream<Throwable> reasonsNotToOpen() {
        return Stream.of(
                new UnsupportedDeploymentException("a standalone server", null),
                new NoClassDefFoundError("com/mongodb/Something"));
    }

    @ParameterizedTest
    @MethodSource("reasonsNotToOpen")
    void storeThatCannotOpenIsClosedOnceAndItsReasonTold(Throwable reason) {
        store.onOpen(() -> Thrown.asItIs(reason));

        assertThatThrownBy(() -> SteppedEngine.start("lifecycle", SteppedEngine.BUDGET, runtime, () -> store))
                .isSameAs(reason);

        assertThat(store.closes()).isEqualTo(1);
        assertThat(runtime.isQuiet()).isTrue();
    }

    @Test
    void storeThatCannotBeMadeLeavesNoThread() {
        IllegalStateException closedClient = new IllegalStateException("state should be: open");

        assertThatThrownBy(() -> SteppedEngine.start("lifecycle", SteppedEngine.BUDGET, runtime, () -> {
                    throw closedClient;
                }))
                .isSameAs(closedClient);

        assertThat(runtime.isQuiet()).isTrue();
    }

    /** Its store is open by then, and nothing would be left that could be closed. */
    @ParameterizedTest
    @ValueSource(strings = {THREAD + "-handles", THREAD + "-watch"})
    void engineThatCouldNotStartAThreadLeavesNothingOpen(String thread) {
        Error noThread = new Error("unable to create native thread");
        SteppedRuntime full = new SteppedRuntime(new TestClock(TestClock.Z)) {
            @Override
            public EngineThread startThread(String name) {
                if (name.equals(thread)) {
                    throw noThread;
                }
                return super.startThread(name);
            }
        };

        assertThatThrownBy(() -> SteppedEngine.start("lifecycle", SteppedEngine.BUDGET, full, () -> store))
                .isSameAs(noThread);
        full.runDue();

        assertThat(store.closes()).isEqualTo(1);
        assertThat(full.namesOfLiveThreads()).doesNotContain(THREAD, THREAD + "-handles");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void storeThatOpensOrFailsToTooLateIsClosedOnce(boolean opens) {
        store.onOpen(() -> {
            waitToOpen();
            if (!opens) {
                throw new LeaseUnavailableException("no database", null);
            }
        });

        assertThatThrownBy(() -> SteppedEngine.start("lifecycle", 1_000_000, new SystemRuntime(), () -> store))
                .isInstanceOf(LeaseUnavailableException.class)
                .hasMessageContaining("lifecycle")
                .hasMessageContaining("within 1 ms");
        assertThat(store.closes()).isZero();
        mayOpen.countDown();

        awaitNoThread();
        assertThat(store.closes()).isEqualTo(1);
    }

    @Test
    void interruptedStartKeepsTheFlagAndLeavesNothingOpen() {
        store.onOpen(this::waitToOpen);
        Thread.currentThread().interrupt();

        assertThatThrownBy(
                        () -> SteppedEngine.start("lifecycle", SteppedEngine.BUDGET, new SystemRuntime(), () -> store))
                .isInstanceOf(LeaseUnavailableException.class)
                .hasMessageContaining("interrupted")
                .hasCauseInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isTrue();
        mayOpen.countDown();

        awaitNoThread();
        assertThat(store.closes()).isEqualTo(1);
    }

    @Test
    void interruptedCloseKeepsTheFlagAndGoesOnInTheBackground() {
        LeaseEngine engine = SteppedEngine.start("lifecycle", SteppedEngine.BUDGET, runtime, () -> store);
        Thread.currentThread().interrupt();

        engine.close();

        assertThat(store.closes()).isZero();
        assertThat(Thread.interrupted()).isTrue();
        runtime.runDue();
        assertThat(store.closes()).isEqualTo(1);
    }

    @Test
    void storeThatOpensWhileTheStarterGivesUpIsClosedOnce() {
        SteppedRuntime impatient = new SteppedRuntime(new TestClock(TestClock.Z)) {
            @Override
            public boolean await(CompletableFuture<?> future, long timeoutNanos) {
                runDue();
                return false;
            }
        };

        assertThatThrownBy(() -> SteppedEngine.start("lifecycle", SteppedEngine.BUDGET, impatient, () -> store))
                .isInstanceOf(LeaseUnavailableException.class);
        impatient.runDue();

        assertThat(store.closes()).isEqualTo(1);
        assertThat(impatient.isQuiet()).isTrue();
    }

    @Test
    void closingFromTwoThreadsClosesOnceAndBothComeBack() throws Exception {
        LeaseEngine engine = SteppedEngine.start("lifecycle", SteppedEngine.BUDGET, new SystemRuntime(), () -> store);
        CyclicBarrier together = new CyclicBarrier(2);
        CompletableFuture<?> other =
                CompletableFuture.runAsync(() -> closeTogether(engine, together), task -> new Thread(task).start());

        closeTogether(engine, together);
        other.get(60, TimeUnit.SECONDS);

        awaitNoThread();
        assertThat(store.closes()).isEqualTo(1);
    }

    @Test
    void operationsAfterCloseAreRefusedBeforeAnythingIsSent() {
        LeaseEngine engine = SteppedEngine.start(SteppedEngine.NAMESPACE, SteppedEngine.BUDGET, runtime, () -> store);
        engine.close();

        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> engine.tenures().claim("one", "h", MINUTE),
                () -> engine.tenures().takeOver("one", "h", MINUTE),
                () -> engine.tenures().extend(TENURE, MINUTE),
                () -> engine.tenures().release(TENURE),
                () -> engine.tenures().expire("one"),
                () -> engine.refresh(List.of("one")),
                engine::leases,
                engine::housekeeping)) {
            assertThatThrownBy(call)
                    .isInstanceOf(LeaseEngineClosedException.class)
                    .hasMessageContaining("billing");
        }
        assertThat(store.calls()).isZero();
    }

    @Test
    void readUnderWayWhenTheEngineIsClosedIsToldSo() {
        LeaseEngine engine = SteppedEngine.start(SteppedEngine.NAMESPACE, SteppedEngine.BUDGET, runtime, () -> store);
        store.onRead(() -> {
            engine.close();
            throw new LeaseUnavailableException("no database", null);
        });

        assertThatThrownBy(() -> engine.refresh(List.of("one"))).isInstanceOf(LeaseEngineClosedException.class);
    }

    private void waitToOpen() {
        try {
            mayOpen.await();
        } catch (InterruptedException e) {
            throw new AssertionError("the engine's thread was interrupted", e);
        }
    }

    private static void closeTogether(LeaseEngine engine, CyclicBarrier together) {
        try {
            together.await(60, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        engine.close();
    }

    private static void awaitNoThread() {
        await().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().equals(THREAD)));
    }
}
