package dev.leasehold.engine.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.world.LogCapture;
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

    private final FakeLeaseManager fake = new FakeLeaseManager();
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
        assertThat(fake.operations.holding("one")).isNull();
        assertThat(fake.leaseManager.held()).isZero();
        assertThat(fake.leaseManager.waiting()).isZero();
    }

    @Test
    void acquisitionWhoseCallerCannotBeToldIsGivenBack() {
        fake.throwAtNextCallback(NO_MEMORY);

        CompletableFuture<Acquisition> acquisition = fake.waits(ONE, Duration.ZERO);
        fake.runtime.runFor(SECOND);

        assertThat(acquisition).isCompletedExceptionally();
        assertThat(catchThrowable(acquisition::join)).hasCause(NO_MEMORY);
        assertThatNobodyHolds();
    }

    @Test
    void acquisitionWhoseCallerCannotWaitIsGivenBack() {
        fake.runtime.throwAtNextAwait(new StackOverflowError());

        assertThatThrownBy(() -> fake.acquire(ONE)).isInstanceOf(StackOverflowError.class);
        fake.runtime.runFor(SECOND);

        assertThatNobodyHolds();
    }

    @Test
    void attemptWhoseAnswerCouldNotBePassedOnEndsWithItsTime() throws InterruptedException {
        fake.operations.script(operation -> {
            fake.runtime.throwAtNextTaskOf("-handles", NO_MEMORY);
            fake.operations.answer(operation);
        });
        CompletableFuture<Acquisition> acquisition = fake.waits(ONE, Duration.ZERO);

        fake.runtime.runFor(2 * FakeLeaseManager.BUDGET);

        assertThat(acquisition.join().orElseThrow().isHeld()).isTrue();
        acquisition.join().orElseThrow().close();
        assertThatNobodyHolds();
    }

    @Test
    void endThatCouldNotBePassedOnKeepsNoOtherFromBeingPassedOn() throws InterruptedException {
        Lease lease = fake.acquire(ONE);
        Lease other = fake.acquire("other");
        fake.runtime.runDue();
        fake.clock.advance(FakeOperations.SESSION_NANOS);
        int waiting = fake.runtime.tasksWaiting();
        fake.runtime.throwAtNextTaskOf("-handles", NO_MEMORY);
        assertThatThrownBy(lease::isHeld).isSameAs(NO_MEMORY);

        assertThat(other.isHeld()).isFalse();

        assertThat(fake.runtime.tasksWaiting()).isEqualTo(waiting + 1);
    }

    @Test
    void acquisitionForWhichNoThreadCanBeStartedIsGivenBack() {
        fake.runtime.throwBehindNextTaskOf("-handles", NO_MEMORY);
        assertThatThrownBy(() -> fake.acquire(ONE)).isSameAs(NO_MEMORY);
        fake.runtime.throwBehindNextTaskOf("-handles", NO_MEMORY);
        assertThatThrownBy(() -> fake.leaseManager.acquireAsync(ONE, FakeLeaseManager.HOUR))
                .isSameAs(NO_MEMORY);

        fake.runtime.runFor(SECOND);

        assertThatNobodyHolds();
    }
}
