package dev.leasehold.engine.internal.commit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.rules.Request;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The caller goes at the very moment at which the engine commits or answers: whichever wins, both agree. */
class PendingOperationRacesTest {

    private static final int ROUNDS = 5_000;

    private final ExecutorService threads = Executors.newFixedThreadPool(2);

    @AfterEach
    void stopThreads() throws InterruptedException {
        threads.shutdownNow();
        assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void operationIsEitherAbandonedOrCommittedAndAnswered() throws Exception {
        race(PendingOperation::cancel, PendingOperationRacesTest::commitAndAnswer, (operation, abandoned, answered) -> {
            assertThat(abandoned).isNotEqualTo(answered);
            assertThat(operation.answer().isDone()).isEqualTo(answered);
        });
    }

    @Test
    void operationIsEitherAbandonedOrFailed() throws Exception {
        race(PendingOperation::cancel, PendingOperationRacesTest::fail, (operation, abandoned, failed) -> {
            assertThat(abandoned).isNotEqualTo(failed);
            assertThat(operation.answer().isDone()).isEqualTo(failed);
        });
    }

    @Test
    void committingOperationIsEitherForsakenOrAnswered() throws Exception {
        race(
                operation -> {
                    operation.beginCommit();
                    return operation;
                },
                PendingOperation::detach,
                PendingOperationRacesTest::answer,
                (operation, forsaken, answered) -> {
                    assertThat(forsaken).isNotEqualTo(answered);
                    assertThat(operation.answer().isDone()).isEqualTo(answered);
                });
    }

    @Test
    void abandonedOperationIsNeverTriedAgain() throws Exception {
        race(PendingOperation::cancel, PendingOperationRacesTest::missAndTryAgain, (operation, abandoned, answered) -> {
            assertThat(abandoned).isNotEqualTo(answered);
            assertThat(operation.isOver()).isTrue();
        });
    }

    private static boolean commitAndAnswer(PendingOperation operation) {
        return operation.beginCommit() && answer(operation);
    }

    private static boolean missAndTryAgain(PendingOperation operation) {
        operation.beginCommit();
        operation.commitDidNotHappen();
        return commitAndAnswer(operation);
    }

    private static boolean answer(PendingOperation operation) {
        boolean mine = operation.claimAnswer();
        if (mine) {
            operation.complete(PendingOperationTest.DONE);
        }
        return mine;
    }

    private static boolean fail(PendingOperation operation) {
        operation.fail(new LeaseUnavailableException("no database", null));
        return operation.answer().isDone();
    }

    private interface Check {
        void of(PendingOperation operation, boolean callersResult, boolean enginesResult);
    }

    private void race(
            Function<PendingOperation, Boolean> caller, Function<PendingOperation, Boolean> engine, Check check)
            throws Exception {
        race(operation -> operation, caller, engine, check);
    }

    private void race(
            Function<PendingOperation, PendingOperation> given,
            Function<PendingOperation, Boolean> caller,
            Function<PendingOperation, Boolean> engine,
            Check check)
            throws Exception {
        CyclicBarrier start = new CyclicBarrier(2);
        for (int round = 0; round < ROUNDS; round++) {
            PendingOperation operation =
                    given.apply(new PendingOperation("billing", new Request.Expire("nightly"), Long.MAX_VALUE));
            CompletableFuture<Boolean> callers = together(start, () -> caller.apply(operation));
            CompletableFuture<Boolean> engines = together(start, () -> engine.apply(operation));
            check.of(operation, callers.get(60, TimeUnit.SECONDS), engines.get(60, TimeUnit.SECONDS));
        }
    }

    private CompletableFuture<Boolean> together(CyclicBarrier start, Supplier<Boolean> action) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        start.await(60, TimeUnit.SECONDS);
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                    return action.get();
                },
                threads);
    }
}
