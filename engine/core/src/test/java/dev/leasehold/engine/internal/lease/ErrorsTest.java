package dev.leasehold.engine.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.fakes.LogCapture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Memory, threads or stacks that run out in a thread of a caller leave nobody waiting and no lease held for nobody. */
class ErrorsTest {

    private static final long SECOND = FakeLeaseManager.SECOND;
    private static final LeaseRequest ONE = LeaseRequest.of("one").holder("h");
    /** It stands for an {@link OutOfMemoryError}, which would end the tests as well. */
    private static final Error NO_MEMORY = new InternalError("out of memory");

    private final FakeLeaseManager hand = new FakeLeaseManager();
    private final List<LeaseLoss> losses = new ArrayList<>();
    private LogCapture log;

    @BeforeEach
    void captureLog() {
        log = new LogCapture();
    }

    @AfterEach
    void stopLog() {
        log.close();
    }

    private void assertThatNobodyHolds() {
        assertThat(hand.operations.holding("one")).isNull();
        assertThat(hand.leaseManager.held()).isZero();
        assertThat(hand.leaseManager.waiting()).isZero();
    }

    @Test
    void acquisitionWhoseCallerCannotBeToldIsGivenBack() {
        hand.throwAtNextCallback(NO_MEMORY);

        CompletableFuture<Acquisition> acquisition = hand.waits(ONE, Duration.ZERO);
        hand.runtime.runFor(SECOND);

        assertThat(acquisition).isCompletedExceptionally();
        assertThat(catchThrowable(acquisition::join)).hasCause(NO_MEMORY);
        assertThatNobodyHolds();
    }

    @Test
    void acquisitionWhoseCallerCannotWaitIsGivenBack() {
        hand.runtime.throwAtNextAwait(new StackOverflowError());

        assertThatThrownBy(() -> hand.acquire(ONE)).isInstanceOf(StackOverflowError.class);
        hand.runtime.runFor(SECOND);

        assertThatNobodyHolds();
    }

    @Test
    void attemptWhoseAnswerCouldNotBePassedOnEndsWithItsTime() throws InterruptedException {
        hand.operations.script(operation -> {
            hand.runtime.throwAtNextTaskOf("-handles", NO_MEMORY);
            hand.operations.answer(operation);
        });
        CompletableFuture<Acquisition> acquisition = hand.waits(ONE, Duration.ZERO);

        hand.runtime.runFor(2 * FakeLeaseManager.BUDGET);

        assertThat(acquisition.join().orElseThrow().isHeld()).isTrue();
        acquisition.join().orElseThrow().close();
        assertThatNobodyHolds();
    }

    @Test
    void endThatCouldNotBePassedOnKeepsNoOtherFromBeingPassedOn() throws InterruptedException {
        Lease lease = hand.acquire(ONE);
        Lease other = hand.acquire("other");
        hand.runtime.runDue();
        hand.clock.advance(FakeOperations.SESSION_NANOS);
        int waiting = hand.runtime.tasksWaiting();
        hand.runtime.throwAtNextTaskOf("-handles", NO_MEMORY);
        assertThatThrownBy(lease::isHeld).isSameAs(NO_MEMORY);

        assertThat(other.isHeld()).isFalse();

        assertThat(hand.runtime.tasksWaiting()).isEqualTo(waiting + 1);
    }

    @Test
    void acquisitionForWhichNoThreadCanBeStartedIsGivenBack() {
        hand.runtime.throwBehindNextTaskOf("-handles", NO_MEMORY);
        assertThatThrownBy(() -> hand.acquire(ONE)).isSameAs(NO_MEMORY);
        hand.runtime.throwBehindNextTaskOf("-handles", NO_MEMORY);
        assertThatThrownBy(() -> hand.leaseManager.acquireAsync(ONE, FakeLeaseManager.HOUR))
                .isSameAs(NO_MEMORY);

        hand.runtime.runFor(SECOND);

        assertThatNobodyHolds();
    }
}
