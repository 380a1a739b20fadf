package dev.leasehold.engine.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseLoss.Reason;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.world.LogCapture;
import dev.leasehold.engine.world.Thrown;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What code of callers may do when it is told of a loss. */
class CallbacksTest {

    private static final long SECOND = SteppedLeases.SECOND;
    private static final LeaseRequest ONE = LeaseRequest.of("one").holder("h");

    private final SteppedLeases a = new SteppedLeases();

    private void lose(Lease lease) {
        a.vacate(lease.name());
        a.leaseManager.onLost(lease.tenure(), Reason.TAKEN_OVER);
    }

    /** In a language without checked exceptions a callback may throw any. */
    @ParameterizedTest
    @MethodSource
    void whatItThrowsIsLogged(Throwable thrown) throws InterruptedException {
        Lease lease = a.acquire(ONE);
        lease.onLost(loss -> Thrown.asItIs(thrown));
        a.runtime.runDue();
        try (LogCapture log = new LogCapture()) {
            lose(lease);
            a.runtime.runDue();
            assertThat(log.warningsAbout("the callback for its loss has thrown"))
                    .hasSize(1);
        }
    }

    static Stream<Throwable> whatItThrowsIsLogged() {
        return Stream.of(new IllegalStateException("thrown"), new StackOverflowError(), new IOException("thrown"));
    }

    @Test
    void closesItsHandle() throws InterruptedException {
        Lease lease = a.acquire(ONE);
        List<String> told = new ArrayList<>();
        lease.onLost(loss -> {
            lease.close();
            told.add("closed");
        });
        a.runtime.runDue();
        lose(lease);
        a.runtime.runFor(SECOND);
        assertThat(told).containsExactly("closed");
        assertThat(a.leaseManager.held()).isZero();
    }

    @Test
    void closesTheEngine() throws InterruptedException {
        Lease lease = a.acquire(ONE);
        Lease other = a.acquire("two");
        List<Reason> told = new ArrayList<>();
        other.onLost(loss -> told.add(loss.reason()));
        CompletableFuture<Void> closed = new CompletableFuture<>();
        lease.onLost(loss -> a.leaseManager.close(true).thenAccept(closed::complete));
        a.runtime.runDue();
        lose(lease);
        a.runtime.runDue();
        assertThat(closed).isDone();
        assertThat(told).containsExactly(Reason.CLOSED);
    }

    @Test
    void acquiresTheLeaseAnewForTheSameHolder() throws InterruptedException {
        Lease lease = a.acquire(ONE);
        List<Acquisition> again = new ArrayList<>();
        lease.onLost(loss -> {
            try {
                again.add(a.leaseManager.tryAcquire(ONE, Duration.ofSeconds(1)));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        a.runtime.runDue();
        lose(lease);
        a.runtime.runFor(SECOND);
        assertThat(again).hasSize(1);
        assertThat(again.get(0).orElseThrow().token()).isEqualTo(2);
        assertThat(lease.isHeld()).isFalse();
    }
}
