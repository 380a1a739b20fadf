package dev.leasehold.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@WithReplicaSet
class LossExampleIT {

    private final LeaseEngine engine;
    private final LeaseEngine another;
    private final CompletableFuture<String> alarm = new CompletableFuture<>();
    private Lease lease;

    LossExampleIT(TestDatabase database) {
        engine = ExampleEngine.start(database);
        another = ExampleEngine.start(database);
    }

    @BeforeEach
    void acquire() throws InterruptedException {
        lease = engine.tryAcquire("work").orElseThrow();
    }

    @AfterEach
    void closeEngines() {
        engine.close();
        another.close();
    }

    @Test
    void allStepsAreDoneUnderALeaseThatIsHeld() {
        List<String> done = new ArrayList<>();

        LossExample.steps(
                lease,
                List.<Runnable>of(() -> done.add("first"), () -> done.add("second"))
                        .iterator());

        assertThat(done).containsExactly("first", "second");
    }

    @Test
    void noStepIsDoneAfterTheLeaseWasGivenUp() {
        List<String> done = new ArrayList<>();

        LossExample.steps(
                lease,
                List.<Runnable>of(() -> done.add("first"), lease::close, () -> done.add("third"))
                        .iterator());

        assertThat(done).containsExactly("first");
    }

    @Test
    void aCallbackThatComesLateInterruptsNothingElse(TestDatabase database) throws Exception {
        BlockingQueue<Runnable> callbacks = new LinkedBlockingQueue<>();
        try (LeaseEngine late = LeaseEngine.builder(database.newClient())
                .database(database.name())
                .namespace("late")
                .callbackExecutor(callbacks::add)
                .build()) {
            callbacks.clear(); // the engine has tried whether it runs in place
            LossExample.interruptible(late.tryAcquire("work").orElseThrow(), alarm::complete, late::close);

            callbacks.take().run();

            assertThat(Thread.interrupted()).isFalse();
        }
    }

    @Test
    void longWorkIsInterruptedWhenAnOperatorEndsTheTenure() throws Exception {
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();

        LossExample.interruptible(lease, alarm::complete, () -> interrupted.complete(isInterruptedWhileOthersForce()));

        assertThat(interrupted).isCompletedWithValue(true);
        assertThat(alarm.join()).isNotBlank();
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void theEndOfTheEngineRaisesNoAlarm() throws Exception {
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();

        LossExample.interruptible(lease, alarm::complete, () -> {
            engine.close();
            interrupted.complete(waitsInVain());
        });

        assertThat(interrupted).isCompletedWithValue(true);
        assertThat(alarm).isNotDone();
    }

    @Test
    void whatTheWorkThrowsIsThrown() {
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> LossExample.interruptible(lease, alarm::complete, () -> {
                    throw new IllegalStateException("scripted");
                }))
                .withRootCauseInstanceOf(IllegalStateException.class);
    }

    private boolean isInterruptedWhileOthersForce() {
        try {
            another.admin().forceExpire("work", "hangs").orElseThrow();
        } catch (InterruptedException e) {
            return true;
        }
        return waitsInVain();
    }

    /** Whether this thread is interrupted. */
    private static boolean waitsInVain() {
        try {
            new CountDownLatch(1).await();
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }
}
