package dev.leasehold.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.RunResult;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.provider.mongo.MongoLockProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Instances of two releases run at the same time while the newer one is rolled out. */
@WithReplicaSet
class ShedLockExampleIT {

    /** What an instance of a release does when the job is due. */
    enum Release {
        ZERO(ShedLockExample::runInReleaseZero),
        ONE(instance -> uninterrupted(instance::runInReleaseOne)),
        TWO(instance -> uninterrupted(instance::runInReleaseTwo));

        private final Consumer<ShedLockExample> run;

        Release(Consumer<ShedLockExample> run) {
            this.run = run;
        }

        private interface Run {
            void run() throws InterruptedException;
        }

        private static void uninterrupted(Run run) {
            try {
                run.run();
            } catch (InterruptedException e) {
                throw new AssertionError("nothing interrupts", e);
            }
        }
    }

    private final TestDatabase database;
    private final LeaseEngine one;
    private final LeaseEngine other;
    private final List<String> ran = new CopyOnWriteArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    ShedLockExampleIT(TestDatabase database) {
        this.database = database;
        one = ExampleEngine.start(database);
        other = ExampleEngine.start(database);
    }

    @AfterEach
    void close() throws InterruptedException {
        threads.shutdown();
        assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
        one.close();
        other.close();
    }

    private void run(Release release, LeaseEngine engine, Runnable job) {
        MongoLockProvider provider = new MongoLockProvider(database.database());
        release.run.accept(new ShedLockExample(engine, new DefaultLockingTaskExecutor(provider), job));
    }

    /** Runs the job in one release while that of another is at it. */
    private void runWhileItRunsIn(Release release, Release later) throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        CompletableFuture<Void> first = CompletableFuture.runAsync(
                () -> run(release, one, () -> {
                    ran.add("first");
                    running.countDown();
                    awaitUninterrupted(mayEnd);
                }),
                threads);
        assertThat(running.await(60, TimeUnit.SECONDS)).isTrue();
        try {
            run(later, other, () -> ran.add("second"));
        } finally {
            mayEnd.countDown();
        }
        first.get(60, TimeUnit.SECONDS);
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError("nothing interrupts", e);
        }
    }

    @ParameterizedTest
    @CsvSource({"ZERO, ZERO", "ZERO, ONE", "ONE, ZERO", "ONE, ONE", "ONE, TWO", "TWO, ONE", "TWO, TWO"})
    void neighbouringReleasesNeverRunTheJobAtTheSameTime(Release release, Release later) throws Exception {
        runWhileItRunsIn(release, later);
        assertThat(ran).containsExactly("first");

        run(later, other, () -> ran.add("third"));
        assertThat(ran).as("what is skipped keeps nothing locked").containsExactly("first", "third");
    }

    @Test
    void withoutTheReleaseInBetweenBothRunTheJob() throws Exception {
        runWhileItRunsIn(Release.ZERO, Release.TWO);
        assertThat(ran).containsExactly("first", "second");
    }

    @Test
    void taskThatLosesItsLeaseStopsAtTheNextStep() {
        List<String> sent = new CopyOnWriteArrayList<>();
        assertThatThrownBy(() -> ShedLockExample.sendAll(one, List.of("first", "second", "third"), invoice -> {
                    sent.add(invoice);
                    if (sent.size() == 2) {
                        one.close();
                    }
                }))
                .isInstanceOf(LeaseNotHeldException.class);
        assertThat(sent).containsExactly("first", "second");
    }

    @Test
    void taskThatKeepsItsLeaseSendsEverything() throws InterruptedException {
        assertThat(ShedLockExample.sendAll(one, List.of("first", "second"), ran::add))
                .isEqualTo(new RunResult.Ran<>(2, true));
        assertThat(ran).containsExactly("first", "second");
    }
}
