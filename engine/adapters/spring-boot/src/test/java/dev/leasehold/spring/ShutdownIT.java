package dev.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.engine.Lease;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

@WithReplicaSet
class ShutdownIT {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    /** The ways in which a method, or what it begins, runs under a lease. */
    enum Kind {
        LEASED(Job::leased),
        LEADER_ONLY(Job::leaderOnly),
        LEASED_STAGE(job -> awaitEnd(job.leasedStage())),
        LEADER_ONLY_STAGE(job -> awaitEnd(job.leaderOnlyStage())),
        LEASED_MONO(job -> awaitEnd(job.leasedMono().toFuture())),
        LEADER_ONLY_FLUX(job -> awaitEnd(job.leaderOnlyFlux().then().toFuture()));

        private final Consumer<Job> call;

        Kind(Consumer<Job> call) {
            this.call = call;
        }
    }

    /** Whether by a value or because it is cancelled. */
    private static void awaitEnd(CompletionStage<Void> stage) {
        stage.exceptionally(failure -> {
                    assertThat(failure).isInstanceOf(CancellationException.class);
                    return null;
                })
                .toCompletableFuture()
                .join();
    }

    static class Job {

        private final List<String> log;
        private final String name;
        private final boolean endsWhenTheApplicationStops;
        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch mayEnd = new CountDownLatch(1);

        Job(List<String> log, String name, boolean endsWhenTheApplicationStops) {
            this.log = log;
            this.name = name;
            this.endsWhenTheApplicationStops = endsWhenTheApplicationStops;
        }

        @Leased(name = "report")
        public void leased() {
            work();
        }

        @LeaderOnly("mail")
        public void leaderOnly() {
            work();
        }

        @Leased(name = "report-stage")
        public CompletionStage<Void> leasedStage() {
            return stage();
        }

        @LeaderOnly("mail-stage")
        public CompletableFuture<Void> leaderOnlyStage() {
            return stage();
        }

        @Leased(name = "report-mono")
        public Mono<Void> leasedMono() {
            return mono();
        }

        @LeaderOnly("mail-flux")
        public Flux<Void> leaderOnlyFlux() {
            return mono().flux();
        }

        /** Ends when it may, or when it is cancelled before. */
        private CompletableFuture<Void> stage() {
            Lease lease = LeaseHolder.requireHeld();
            CompletableFuture<Void> end = new CompletableFuture<>() {
                @Override
                public boolean cancel(boolean mayInterruptIfRunning) {
                    logEnd("is interrupted", lease);
                    return super.cancel(mayInterruptIfRunning);
                }
            };
            begins();
            Thread ending = new Thread(
                    () -> {
                        try {
                            mayEnd.await();
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                            return;
                        }
                        logEnd("ends", lease);
                        end.complete(null);
                    },
                    "ending");
            ending.setDaemon(true);
            ending.start();
            return end;
        }

        private Mono<Void> mono() {
            return Mono.fromFuture(stage());
        }

        private void begins() {
            log.add(name + " begins");
            begun.countDown();
        }

        private void logEnd(String how, Lease lease) {
            log.add(name + " " + how + (lease.isHeld() ? ", held" : ", lost"));
        }

        private void work() {
            Lease lease = LeaseHolder.requireHeld();
            begins();
            String how;
            try {
                mayEnd.await();
                how = "ends";
            } catch (InterruptedException e) {
                how = "is interrupted";
            }
            logEnd(how, lease);
        }

        boolean hasBegun() {
            return begun.getCount() == 0;
        }

        void mayEnd() {
            mayEnd.countDown();
        }

        void schedulersHaveStopped() {
            if (endsWhenTheApplicationStops) {
                mayEnd();
            }
        }
    }

    static class WithJob {
        @Bean
        Job job(List<String> log, @Value("${test.name}") String name, @Value("${test.ends}") boolean ends) {
            return new Job(log, name, ends);
        }

        /** Stops when schedulers, which are of the default phase, have stopped. */
        @Bean
        SmartLifecycle afterSchedulers(Job job) {
            return new SmartLifecycle() {
                private volatile boolean isRunning;

                @Override
                public void start() {
                    isRunning = true;
                }

                @Override
                public void stop() {
                    isRunning = false;
                    job.schedulersHaveStopped();
                }

                @Override
                public boolean isRunning() {
                    return isRunning;
                }

                @Override
                public int getPhase() {
                    return DEFAULT_PHASE - 1;
                }
            };
        }
    }

    private final List<String> log = new CopyOnWriteArrayList<>();

    private ConfigurableApplicationContext start(
            TestDatabase database, String name, boolean ends, String shutdownTime) {
        return Application.builder(
                        database,
                        WithJob.class,
                        "test.ends=" + ends,
                        "test.name=" + name,
                        "spring.lifecycle.timeout-per-shutdown-phase=" + shutdownTime)
                .web(WebApplicationType.NONE)
                .initializers(context -> context.getBeanFactory().registerSingleton("log", log))
                .run();
    }

    /** Calls it again and again, as a scheduler does. */
    private static CompletableFuture<Void> running(Kind kind, ConfigurableApplicationContext application) {
        Job proxy = application.getBean(Job.class);
        Job job = (Job) Objects.requireNonNull(AopProxyUtils.getSingletonTarget(proxy));
        return CompletableFuture.runAsync(
                () -> await().atMost(LIMIT).until(() -> {
                    kind.call.accept(proxy);
                    return job.hasBegun();
                }),
                task -> new Thread(task, "caller").start());
    }

    private void stopOneWhileAnotherIsReady(Kind kind, TestDatabase database, boolean ends, String shutdownTime)
            throws Exception {
        try (ConfigurableApplicationContext first = start(database, "first", ends, shutdownTime)) {
            CompletableFuture<Void> before = running(kind, first);
            await().atMost(LIMIT).until(() -> log.size() == 1 || before.isDone());
            assertThat(before).isNotDone();
            try (ConfigurableApplicationContext second = start(database, "second", true, "30s")) {
                second.getBean(Job.class).mayEnd();
                CompletableFuture<Void> after = running(kind, second);

                Application.stop(first);

                after.get();
                before.get();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName(
            "A method that runs when its application stops is waited for, under its lease, before another process runs it")
    void runningMethodIsWaitedFor(Kind kind, TestDatabase database) throws Exception {
        stopOneWhileAnotherIsReady(kind, database, true, "60s");

        assertThat(log).containsExactly("first begins", "first ends, held", "second begins", "second ends, held");
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName(
            "A method that runs longer than the shutdown time is interrupted, and another process runs it when it has returned")
    void methodThatRunsTooLongIsInterrupted(Kind kind, TestDatabase database) throws Exception {
        stopOneWhileAnotherIsReady(kind, database, false, "100ms");

        assertThat(log)
                .containsExactly("first begins", "first is interrupted, held", "second begins", "second ends, held");
    }
}
