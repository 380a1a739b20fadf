package dev.leasehold.engine.internal.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseEngineClosedException;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseLoss.Reason;
import dev.leasehold.engine.LeaseOutcomeUnknownException;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.world.LogCapture;
import dev.leasehold.engine.world.ScriptedStore;
import dev.leasehold.engine.world.SteppedRuntime;
import dev.leasehold.engine.world.TestClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** An error in a thread of the engine ends it: nothing is valid any more, every caller is told, and nothing stays open. */
class FailStopTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    /** It stands for an {@link OutOfMemoryError}, which would end the tests as well. */
    private static final Error NO_MEMORY = new InternalError("out of memory");

    private final SteppedRuntime runtime = new SteppedRuntime(new TestClock(TestClock.Z));
    private final ScriptedStore store = new ScriptedStore();
    private final LeaseEngine engine =
            SteppedEngine.start(SteppedEngine.NAMESPACE, SteppedEngine.BUDGET, runtime, () -> store);
    private final List<LeaseLoss> losses = new ArrayList<>();
    private Lease lease;
    private Tenure tenure;
    private LogCapture log;

    @BeforeEach
    void hold() throws InterruptedException {
        log = new LogCapture();
        lease = engine.tryAcquire(LeaseRequest.of("lease")).orElseThrow();
        lease.onLost(losses::add);
        tenure = engine.tenures().claim("tenure", "h", MINUTE).orElseThrow();
        runtime.runDue();
    }

    @AfterEach
    void stopLog() {
        log.close();
    }

    private void assertThatTheEngineHasFailed() {
        assertThat(lease.isHeld()).isFalse();
        assertThat(engine.tenures().isHeld(tenure)).isFalse();
        assertThat(losses).singleElement().satisfies(loss -> {
            assertThat(loss.reason()).isEqualTo(Reason.ENGINE_FAILED);
            assertThat(loss.cause()).isSameAs(NO_MEMORY);
            assertThat(loss.message()).contains("out of memory");
        });
        assertThat(engine.health().ready()).isFalse();
        assertThat(engine.health().detail()).contains("error", "out of memory");
        assertThatThrownBy(() -> engine.tenures().claim("one", "h", MINUTE))
                .isInstanceOf(LeaseEngineClosedException.class);
        assertThat(log.messages(Level.ERROR))
                .anySatisfy(line -> assertThat(line).contains("leasehold-billing", "an error has ended the engine"));
        assertThat(store.closes()).isEqualTo(1);
        assertThat(runtime.isQuiet()).isTrue();
    }

    @Test
    @DisplayName("One that is thrown behind the commit: it is not known whether it was carried out")
    void errorBehindACommitEndsTheEngine() {
        store.onCommit((transaction, mayCommit) -> {
            store.apply(transaction, mayCommit);
            throw NO_MEMORY;
        });

        assertThatThrownBy(() -> engine.tenures().claim("one", "h", MINUTE))
                .isInstanceOf(LeaseOutcomeUnknownException.class);
        runtime.runDue();

        assertThatTheEngineHasFailed();
    }

    @Test
    void errorInAReadEndsTheEngine() {
        store.onRead(ScriptedStore.failing(NO_MEMORY));

        assertThatThrownBy(() -> engine.refresh(List.of("one"))).isInstanceOf(LeaseEngineClosedException.class);
        runtime.runDue();

        assertThatTheEngineHasFailed();
    }

    @Test
    void errorInAHeartbeatEndsTheEngineAndTellsWaiters() {
        CompletableFuture<Acquisition> waiting = engine.tryAcquireAsync(
                        LeaseRequest.of("lease").waitAtMost(Duration.ofHours(1)))
                .toCompletableFuture();
        runtime.runDue();
        store.onClockWrite(() -> {
            throw NO_MEMORY;
        });

        runtime.runFor(20 * SteppedEngine.SECOND);

        assertThat(waiting).isCompletedExceptionally();
        assertThatTheEngineHasFailed();
    }

    @Test
    @DisplayName("An error in the thread of the handles ends it as well")
    void errorInTheThreadOfTheHandlesEndsTheEngine() throws InterruptedException {
        Lease other = engine.tryAcquire(LeaseRequest.of("other")).orElseThrow();
        log.throwAtNext(Level.WARN, NO_MEMORY);

        engine.tenures().release(other.tenure());
        runtime.runDue();

        assertThatTheEngineHasFailed();
    }

    @Test
    @DisplayName("The leases that the session kept are free for others at once")
    void whatTheSessionKeptIsFree() {
        store.onRead(ScriptedStore.failing(NO_MEMORY));
        assertThatThrownBy(() -> engine.refresh(List.of("one"))).isInstanceOf(LeaseEngineClosedException.class);
        runtime.runDue();

        assertThat(store.writerNames()).isEmpty();
    }

    @Test
    void closingItOnceMoreIsHarmless() {
        errorInAReadEndsTheEngine();

        engine.close();

        assertThat(store.closes()).isEqualTo(1);
    }
}
