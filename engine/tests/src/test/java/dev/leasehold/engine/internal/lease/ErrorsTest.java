package dev.leasehold.engine.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.world.LogCapture;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Memory, threads or stacks that run out in a thread of a caller leave no caller waiting, and no lease held without a holder that knows. */
class ErrorsTest {

    private static final long SECOND = SteppedLeases.SECOND;
    private static final LeaseRequest ONE = LeaseRequest.of("one").holder("h");
    /** It stands for an {@link OutOfMemoryError}, which would end the tests as well. */
    private static final Error NO_MEMORY = new InternalError("out of memory");

    private final SteppedLeases a = new SteppedLeases();

    @AutoClose
    private final LogCapture log = new LogCapture();

    private void assertThatNoneHolds() {
        assertThat(a.holding("one")).isNull();
        assertThat(a.leaseManager.held()).isZero();
        assertThat(a.leaseManager.waiting()).isZero();
    }

    @Test
    void acquisitionWhoseCallerCannotBeToldIsGivenBack() {
        a.throwAtNextCallback(NO_MEMORY);

        CompletableFuture<Acquisition> acquisition = a.waits(ONE, Duration.ZERO);
        a.runtime.runFor(SECOND);

        assertThat(acquisition).isCompletedExceptionally();
        assertThat(catchThrowable(acquisition::join)).hasCause(NO_MEMORY);
        assertThatNoneHolds();
    }

    @Test
    void acquisitionWhoseCallerCannotWaitIsGivenBack() {
        a.runtime.throwAtNextAwait(new StackOverflowError());

        assertThatThrownBy(() -> a.acquire(ONE)).isInstanceOf(StackOverflowError.class);
        a.runtime.runFor(SECOND);

        assertThatNoneHolds();
    }

    @Test
    void attemptWhoseAnswerCouldNotBePassedOnEndsWithItsTime() throws InterruptedException {
        a.store.onWrite(write -> {
            a.runtime.throwAtNextTaskOf("-handles", NO_MEMORY);
            return write.send();
        });
        // The answers of a round that several share are handed to the thread of the loop.
        CompletableFuture<Acquisition> other = a.asks(LeaseRequest.of("other"), Duration.ZERO);
        CompletableFuture<Acquisition> acquisition = a.waits(ONE, Duration.ZERO);

        a.runtime.runFor(2 * SteppedLeases.BUDGET);

        assertThat(acquisition.join().orElseThrow().isHeld()).isTrue();
        acquisition.join().orElseThrow().close();
        other.join().orElseThrow().close();
        assertThatNoneHolds();
    }

    @Test
    void endThatCouldNotBePassedOnKeepsNoOtherFromBeingPassedOn() throws InterruptedException {
        Lease lease = a.acquire(ONE);
        Lease other = a.acquire("other");
        a.runtime.runDue();
        a.clock.advance(SteppedLeases.SESSION);
        int waiting = a.runtime.tasksWaiting();
        a.runtime.throwAtNextTaskOf("-handles", NO_MEMORY);
        assertThatThrownBy(lease::isHeld).isSameAs(NO_MEMORY);

        assertThat(other.isHeld()).isFalse();

        assertThat(a.runtime.tasksWaiting()).isEqualTo(waiting + 1);
    }

    @Test
    void acquisitionForWhichNoThreadCanBeStartedIsGivenBack() {
        a.runtime.throwBehindNextTaskOf("by hand", NO_MEMORY);
        assertThatThrownBy(() -> a.acquire(ONE)).isSameAs(NO_MEMORY);
        a.runtime.runDue();
        a.runtime.throwBehindNextTaskOf("by hand", NO_MEMORY);
        assertThatThrownBy(() -> a.leaseManager.acquireAsync(ONE, SteppedLeases.HOUR))
                .isSameAs(NO_MEMORY);

        a.runtime.runFor(SECOND);

        assertThatNoneHolds();
    }
}
