package dev.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leasehold.engine.RunResult.Ran;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The calls as one writes them first: each compiles without a cast, and does what its name says. */
class ShortCallsIT extends WithEngines {

    private final List<String> done = new ArrayList<>();
    private TestEngine a;
    private TestEngine b;

    @BeforeEach
    void startBoth() {
        a = engines.start("a");
        b = engines.start("b");
    }

    private void work() {
        done.add("work");
    }

    private void workUnder(Lease lease) {
        done.add("work under " + lease.token());
    }

    private static int failing(Lease lease) throws IOException {
        throw new IOException("work under " + lease.token());
    }

    @Test
    void taskRunsByTheNameOfTheLease() throws InterruptedException {
        RunResult<@Nullable Void> ran = a.engine().runWhileHeld("name", () -> work());
        assertThat(ran).isEqualTo(new Ran<>(null, true));
        assertThat(a.engine().runWhileHeld("name", this::work).ran()).isTrue();
        RunResult<Long> result = a.engine().runWhileHeld("name", lease -> lease.token());
        assertThat(result).isEqualTo(new Ran<>(3L, true));
        assertThat(a.engine().runWhileHeld("name", Lease::isHeld)).isEqualTo(new Ran<>(true, true));
        a.engine().runWhileHeld("name", lease -> {
            workUnder(lease);
            return null;
        });
        assertThatThrownBy(() -> a.engine().runWhileHeld("name", lease -> failing(lease)))
                .isInstanceOf(IOException.class)
                .hasMessage("work under 6");

        assertThat(done).containsExactly("work", "work", "work under 5");
        assertThat(engines.shortForm("name")).isEqualTo("-/6");
    }

    @Test
    void taskIsSkippedWhileAnotherHoldsTheLease() throws InterruptedException {
        a.acquires("name");

        assertThat(b.engine().runWhileHeld("name", this::work).ran()).isFalse();
        assertThat(b.engine().runWhileHeld(LeaseRequest.of("name"), this::work).ran())
                .isFalse();
        assertThat(b.engine().runWhileHeld(LeaseRequest.of("name"), this::work).ran())
                .isFalse();
        assertThat(b.engine().runWhileHeld("name", lease -> "ran").ran()).isFalse();
        assertThat(done).isEmpty();
    }

    @Test
    void taskWaitsForTheLease() throws Exception {
        Lease lease = a.acquires("name");
        CompletableFuture<RunResult<Long>> running = new CompletableFuture<>();
        Thread caller = new Thread(() -> {
            try {
                running.complete(b.engine()
                        .runWhileHeld(LeaseRequest.of("name").waitAtMost(Duration.ofHours(1)), held -> held.token()));
            } catch (InterruptedException e) {
                running.completeExceptionally(e);
            }
        });
        caller.start();
        untilAWaiterIsThere();

        lease.close();

        assertThat(running.get(60, TimeUnit.SECONDS)).isEqualTo(new Ran<>(2L, true));
        caller.join();
    }

    private void untilAWaiterIsThere() {
        await().until(() -> b.engine().health().waiters() == 1);
        b.settles();
    }

    @Test
    void acquireWaitsUntilTheLeaseIsHeld() throws Exception {
        Lease lease = a.engine().acquire("name");
        CompletableFuture<Lease> acquired = new CompletableFuture<>();
        Thread caller = acquiring(acquired);
        untilAWaiterIsThere();
        assertThat(acquired).isNotDone();

        lease.close();

        assertThat(acquired.get(60, TimeUnit.SECONDS).token()).isEqualTo(2);
        caller.join();
    }

    @Test
    void acquireWaitsUntilItsThreadIsInterrupted() throws Exception {
        a.engine().acquire("name");
        CompletableFuture<Lease> acquired = new CompletableFuture<>();
        Thread caller = acquiring(acquired);
        untilAWaiterIsThere();

        caller.interrupt();

        assertThatThrownBy(() -> acquired.get(60, TimeUnit.SECONDS)).hasCauseInstanceOf(InterruptedException.class);
        caller.join();
        await().until(() -> b.engine().health().waiters() == 0);
    }

    private Thread acquiring(CompletableFuture<Lease> acquired) {
        Thread caller = new Thread(() -> {
            try {
                acquired.complete(b.engine().acquire("name"));
            } catch (InterruptedException | RuntimeException e) {
                acquired.completeExceptionally(e);
            }
        });
        caller.start();
        return caller;
    }
}
