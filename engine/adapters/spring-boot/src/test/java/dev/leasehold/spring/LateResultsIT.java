package dev.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseRefusedException;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Methods whose work goes on when they have returned: the lease is held until what they returned has ended. */
@WithReplicaSet
class LateResultsIT {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private ConfigurableApplicationContext application;
    private Jobs jobs;
    private LeaseEngine engine;

    static class Jobs {

        private final AtomicInteger calls = new AtomicInteger();

        @Leased(name = "stage")
        public CompletableFuture<String> stage(Callable<CompletableFuture<String>> work) throws Exception {
            LeaseHolder.requireHeld();
            return work.call();
        }

        @Leased(name = "stage-throwing", skipped = Skipped.THROW)
        public CompletionStage<String> throwing() {
            return CompletableFuture.completedStage("ran");
        }

        @Leased(name = "minimal")
        public CompletionStage<String> minimal(CompletableFuture<String> work) {
            return work.minimalCompletionStage();
        }

        @Async
        @Leased(name = "async")
        public CompletableFuture<String> async(CountDownLatch mayEnd) throws InterruptedException {
            mayEnd.await();
            LeaseHolder.requireHeld();
            return CompletableFuture.completedFuture(Thread.currentThread().getName());
        }

        @Leased(name = "mono", shared = true)
        public Mono<String> mono(Callable<Mono<String>> work) throws Exception {
            calls.incrementAndGet();
            LeaseHolder.requireHeld();
            return work.call();
        }

        @Leased(name = "mono", shared = true, waitTime = "10m")
        public Mono<String> waiting() {
            calls.incrementAndGet();
            return Mono.just("ran");
        }

        @Leased(name = "mono", shared = true, skipped = Skipped.THROW)
        public Mono<String> throwingMono() {
            return Mono.just("ran");
        }

        @Leased(name = "flux-#{#name}")
        public Flux<String> flux(String name, Flux<String> work, @Nullable Lease lease) {
            return work.map(value -> {
                Objects.requireNonNull(lease).requireHeld();
                return value + " under " + lease.name();
            });
        }

        @Leased(name = "anything")
        public Object anything(Object result) {
            return result;
        }

        @Leased(name = "anything-gated", gated = true)
        public Object anythingGated(Object result) {
            return result;
        }

        @LeaderOnly("anything-led")
        public Object anythingLed(Object result) {
            return result;
        }

        @Leased(name = "outer", shared = true)
        public Tenures inside(Jobs proxy, CompletableFuture<String> work) {
            return new Tenures(LeaseHolder.requireHeld(), proxy.innerStage(work));
        }

        @Leased(name = "outer", shared = true)
        public CompletionStage<String> innerStage(CompletableFuture<String> work) {
            return work.thenApply(value -> value);
        }

        int calls() {
            return calls.get();
        }
    }

    /** What a call has given away: its lease, and what goes on. */
    record Tenures(Lease lease, CompletionStage<String> inner) {}

    static class Ticker {

        private final AtomicInteger held = new AtomicInteger();

        @Scheduled(fixedDelay = 20)
        @Leased(name = "ticker")
        public Mono<Void> tick() {
            return Mono.deferContextual(context -> {
                context.get(Lease.class).requireHeld();
                held.incrementAndGet();
                return Mono.empty();
            });
        }

        int held() {
            return held.get();
        }
    }

    static class Observed implements ObservationHandler<Observation.Context> {

        private final List<String> log = new CopyOnWriteArrayList<>();

        @Override
        public boolean supportsContext(Observation.Context context) {
            return "leasehold.leased".equals(context.getName());
        }

        @Override
        public void onStart(Observation.Context context) {
            log(context, "started");
        }

        @Override
        public void onStop(Observation.Context context) {
            log(
                    context,
                    context.getLowCardinalityKeyValue("outcome").getValue()
                            + (context.getError() == null ? "" : ", error"));
        }

        private void log(Observation.Context context, String entry) {
            if (!context.getLowCardinalityKeyValue("method").getValue().contains("Ticker")) {
                log.add(entry);
            }
        }

        List<String> log() {
            return List.copyOf(log);
        }
    }

    @EnableAsync
    @EnableScheduling
    static class WithJobs {
        @Bean
        Jobs jobs() {
            return new Jobs();
        }

        @Bean
        Ticker ticker() {
            return new Ticker();
        }

        @Bean
        Observed observed() {
            return new Observed();
        }
    }

    @BeforeEach
    void start(TestDatabase database) {
        application = Application.start(database, WithJobs.class);
        jobs = application.getBean(Jobs.class);
        engine = application.getBean(LeaseEngine.class);
    }

    @AfterEach
    void stop() {
        application.close();
    }

    private boolean isFree(String lease) throws InterruptedException {
        try (Lease held = engine.tryAcquire(lease).asOptional().orElse(null)) {
            return held != null;
        }
    }

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    // ---- what no type tells ----

    @Test
    @DisplayName(
            "A method that returns an Object may not return one behind which work goes on, which fails with its name")
    void objectIsNoLateResult() throws Exception {
        await().atMost(LIMIT)
                .until(() -> application.getBean(LeaderElections.class).isLeader("anything-led"));
        assertThat(jobs.anything("ran")).isEqualTo("ran");
        assertThat(jobs.anything(List.of("ran"))).isEqualTo(List.of("ran"));
        assertThat(jobs.anythingGated("ran")).isEqualTo("ran");
        assertThat(jobs.anythingLed("ran")).isEqualTo("ran");

        isRefused("Jobs.anything returned a reactor.core.publisher.Mono", () -> jobs.anything(Mono.just("late")));
        isRefused("Jobs.anything returned a java.util.concurrent.Comp", () -> jobs.anything(new CompletableFuture<>()));
        isRefused("Jobs.anythingGated returned a java.util.stream", () -> jobs.anythingGated(Stream.of("late")));
        isRefused("Jobs.anythingLed returned a reactor.core.publisher.Flux", () -> jobs.anythingLed(Flux.just("late")));

        assertThat(isFree("anything")).isTrue();
    }

    private static void isRefused(String words, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(words)
                .hasMessageContaining("declare that it returns CompletionStage");
    }

    // ---- stages ----

    @Test
    @DisplayName("The lease of a stage is held until the stage ends, and is free when the caller is told")
    void stageHoldsItsLease() throws Exception {
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletableFuture<String> result = jobs.stage(() -> work);

        assertThat(isFree("stage")).isFalse();
        assertThat(result).isNotDone();
        assertThat(get(jobs.stage(() -> CompletableFuture.completedFuture("second"))))
                .isNull();
        assertThat(application.getBean(Observed.class).log()).containsExactly("started", "started", "skipped");

        work.complete("ran");
        assertThat(get(result)).isEqualTo("ran");
        assertThat(isFree("stage")).isTrue();
        assertThat(application.getBean(Observed.class).log()).endsWith("skipped", "ran");
    }

    @Test
    @DisplayName("A stage ends though work of the application, which may wait for it, fills the common pool")
    void stageEndsBesideABusyPool() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        for (int i = 0; i < ForkJoinPool.getCommonPoolParallelism(); i++) {
            ForkJoinPool.commonPool().submit(() -> over.await(120, TimeUnit.SECONDS));
        }
        try {
            assertThat(get(jobs.stage(() -> CompletableFuture.completedFuture("ran"))))
                    .isEqualTo("ran");
            assertThat(jobs.mono(() -> Mono.just("ran")).block(LIMIT)).isEqualTo("ran");
        } finally {
            over.countDown();
        }
    }

    @Test
    @DisplayName("The failure of a stage reaches the caller, and the lease is released; so it is if the method throws")
    void failingStageReleases() throws Exception {
        CompletableFuture<String> result =
                jobs.stage(() -> CompletableFuture.failedFuture(new IOException("disk full")));
        assertThatThrownBy(() -> get(result))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOf(IOException.class)
                .hasMessage("disk full");
        assertThat(isFree("stage")).isTrue();
        assertThat(application.getBean(Observed.class).log()).containsExactly("started", "ran, error");

        assertThatThrownBy(() -> jobs.stage(() -> {
                    throw new IOException("no disk");
                }))
                .isInstanceOf(IOException.class)
                .hasMessage("no disk");
        assertThat(isFree("stage")).isTrue();
    }

    @Test
    @DisplayName("To cancel the result cancels the work, and releases the lease")
    void cancelledStageReleases() throws Exception {
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletableFuture<String> result = jobs.stage(() -> work);

        assertThat(result.cancel(true)).isTrue();

        assertThat(work).isCancelled();
        assertThat(result).isCancelled();
        await().atMost(LIMIT).until(() -> isFree("stage"));
    }

    @Test
    @DisplayName("To cancel the result of a stage that cannot be cancelled keeps the lease until the stage has ended")
    void stageThatCannotBeCancelledKeepsItsLease() throws Exception {
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletableFuture<String> result = jobs.minimal(work).toCompletableFuture();

        assertThat(result.cancel(true)).isTrue();

        assertThat(isFree("minimal")).isFalse();
        work.complete("ran");
        await().atMost(LIMIT).until(() -> isFree("minimal"));
    }

    @Test
    @DisplayName("A refusal is the failure of the stage, if skipped calls are to throw")
    void refusalIsTheFailureOfTheStage() throws Exception {
        try (Lease other = engine.acquire("stage-throwing")) {
            CompletionStage<String> refused = jobs.throwing();
            assertThatThrownBy(() -> get(refused))
                    .hasCauseInstanceOf(LeaseRefusedException.class)
                    .hasMessageContaining(other.holder());
        }
        assertThat(get(jobs.throwing())).isEqualTo("ran");
    }

    @Test
    @DisplayName("An asynchronous method runs under its lease on the thread of the executor")
    void asynchronousMethodHoldsItsLease() throws Exception {
        CountDownLatch mayEnd = new CountDownLatch(1);
        CompletableFuture<String> result = jobs.async(mayEnd);

        await().atMost(LIMIT).until(() -> !isFree("async"));
        assertThat(result).isNotDone();
        mayEnd.countDown();

        assertThat(get(result)).isNotEqualTo(Thread.currentThread().getName());
        assertThat(isFree("async")).isTrue();
    }

    @Test
    @DisplayName("A stage that is begun under the lease of the call around holds that lease for as long as it goes on")
    void innerStageHoldsTheLeaseOfTheCallAround() throws Exception {
        CompletableFuture<String> work = new CompletableFuture<>();
        Tenures tenures = jobs.inside(jobs, work);

        assertThat(tenures.lease().isHeld()).isTrue();
        assertThat(isFree("outer")).isFalse();

        work.complete("ran");
        assertThat(get(tenures.inner())).isEqualTo("ran");
        assertThat(isFree("outer")).isTrue();
    }

    // ---- publishers ----

    @Test
    @DisplayName(
            "Each subscription to a Mono acquires the lease, calls the method, and releases before it tells the value")
    void monoHoldsItsLease() throws Exception {
        Sinks.One<String> work = Sinks.one();
        Mono<String> mono = jobs.mono(work::asMono);
        assertThat(jobs.calls()).isZero();

        CompletableFuture<String> result = mono.toFuture();
        await().atMost(LIMIT).until(() -> jobs.calls() == 1);
        assertThat(isFree("mono")).isFalse();
        assertThat(mono.blockOptional(LIMIT)).isEmpty();
        assertThatThrownBy(() -> jobs.throwingMono().block(LIMIT)).isInstanceOf(LeaseRefusedException.class);

        work.tryEmitValue("ran").orThrow();
        assertThat(get(result)).isEqualTo("ran");
        assertThat(isFree("mono")).isTrue();
        assertThat(mono.block(LIMIT)).isEqualTo("ran");
        assertThat(jobs.calls()).isEqualTo(2);
    }

    @Test
    @DisplayName("A Flux holds the lease, which its method and its context have, until it has ended")
    void fluxHoldsItsLease() throws Exception {
        Sinks.Many<String> work = Sinks.many().unicast().onBackpressureBuffer();
        List<String> values = new CopyOnWriteArrayList<>();
        Flux<String> flux = jobs.flux(
                "north",
                work.asFlux()
                        .flatMap(value -> Mono.deferContextual(context -> Mono.just(
                                value + " with " + context.get(Lease.class).name()))),
                null);
        CompletableFuture<Void> ended = flux.doOnNext(values::add).then().toFuture();

        work.tryEmitNext("one").orThrow();
        await().atMost(LIMIT).until(() -> !values.isEmpty());
        assertThat(isFree("flux-north")).isFalse();
        work.tryEmitNext("two").orThrow();
        work.tryEmitComplete().orThrow();

        assertThat(get(ended)).isNull();
        assertThat(values)
                .containsExactly("one with flux-north under flux-north", "two with flux-north under flux-north");
        assertThat(isFree("flux-north")).isTrue();
    }

    @Test
    @DisplayName(
            "An error of a publisher, of its method, or of the name reaches the subscriber, and the lease is released")
    void failingPublisherReleases() throws Exception {
        Mono<String> failing = jobs.mono(() -> Mono.error(new UncheckedIOException(new IOException("disk full"))));
        assertThatThrownBy(() -> failing.block(LIMIT)).isInstanceOf(UncheckedIOException.class);
        assertThat(isFree("mono")).isTrue();

        Mono<String> throwing = jobs.mono(() -> {
            throw new IOException("no disk");
        });
        assertThatThrownBy(() -> throwing.block(LIMIT)).hasRootCauseMessage("no disk");
        assertThat(isFree("mono")).isTrue();

        Mono<String> none = jobs.mono(() -> null);
        assertThatThrownBy(() -> none.block(LIMIT)).isInstanceOf(NullPointerException.class);
        assertThat(isFree("mono")).isTrue();

        assertThatThrownBy(() -> jobs.flux(" ".repeat(600), Flux.empty(), null).blockLast(LIMIT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("512");
        assertThat(application.getBean(Observed.class).log())
                .containsExactly(
                        "started",
                        "ran, error",
                        "started",
                        "ran, error",
                        "started",
                        "ran, error",
                        "started",
                        "failed, error");
    }

    @Test
    @DisplayName("A subscriber that cancels releases the lease")
    void cancelledPublisherReleases() throws Exception {
        CompletableFuture<Void> cancelled = new CompletableFuture<>();
        Disposable subscription = jobs.flux(
                        "north", Flux.<String>never().doOnCancel(() -> cancelled.complete(null)), null)
                .subscribe();
        await().atMost(LIMIT).until(() -> !isFree("flux-north"));

        subscription.dispose();

        get(cancelled);
        await().atMost(LIMIT).until(() -> isFree("flux-north"));
        assertThat(application.getBean(Observed.class).log()).containsExactly("started", "ran");
    }

    @Test
    @DisplayName("A subscriber that cancels while it waits leaves no waiter and no lease behind")
    void cancelledWaitLeavesNothing() throws Exception {
        try (Lease other = engine.acquire("mono")) {
            Disposable subscription = jobs.waiting().subscribe();
            await().atMost(LIMIT).until(() -> engine.health().waiters() == 1);

            subscription.dispose();

            await().atMost(LIMIT).until(() -> engine.health().waiters() == 0);
            assertThat(other.isHeld()).isTrue();
        }
        assertThat(isFree("mono")).isTrue();
        assertThat(jobs.calls()).isZero();
    }

    @Test
    @DisplayName("A lease stays held while the method still runs whose subscriber has cancelled")
    void cancelledMethodKeepsItsLeaseUntilItReturns() throws Exception {
        CountDownLatch inMethod = new CountDownLatch(1);
        CountDownLatch mayReturn = new CountDownLatch(1);
        CompletableFuture<Boolean> heldAtEnd = new CompletableFuture<>();
        Disposable subscription = jobs.mono(() -> {
                    Lease lease = LeaseHolder.requireHeld();
                    inMethod.countDown();
                    try {
                        mayReturn.await();
                    } catch (InterruptedException e) {
                        // As a reactive scheduler interrupts what is cancelled: this method goes on all the same.
                        mayReturn.await();
                    }
                    heldAtEnd.complete(lease.isHeld());
                    return Mono.just("ran");
                })
                .subscribe();
        inMethod.await();

        subscription.dispose();

        assertThat(isFree("mono")).isFalse();
        mayReturn.countDown();
        assertThat(get(heldAtEnd)).isTrue();
        await().atMost(LIMIT).until(() -> isFree("mono"));
    }

    @Test
    @DisplayName("A publisher inside of one that holds the same lease runs under that lease, on whatever thread")
    void nestedPublisherRuns() throws Exception {
        Mono<String> nested =
                jobs.mono(() -> Mono.delay(Duration.ofMillis(1)).then(jobs.mono(() -> Mono.just("inner"))));

        assertThat(nested.block(LIMIT)).isEqualTo("inner");
        assertThat(isFree("mono")).isTrue();
    }

    @Test
    @DisplayName("A publisher inside of one with a lease of the same name in another namespace acquires its own")
    void publisherOfAnotherNamespaceHasItsOwnLease(TestDatabase database) throws Exception {
        try (ConfigurableApplicationContext other =
                        Application.start(database, WithJobs.class, "leasehold.namespace=warehouse");
                Lease held = other.getBean(LeaseEngine.class).acquire("mono")) {
            Jobs others = other.getBean(Jobs.class);
            assertThat(jobs.mono(() -> others.mono(() -> Mono.just(held.name())).defaultIfEmpty("skipped"))
                            .block())
                    .isEqualTo("skipped");
        }
    }

    @Test
    @DisplayName("A publisher inside of one whose lease was lost does not run")
    void nestedPublisherOfALostLeaseDoesNotRun() throws Exception {
        Mono<String> nested = jobs.mono(() -> {
            Lease lease = LeaseHolder.requireHeld();
            engine.admin().forceExpire("mono", "test").orElseThrow();
            await().atMost(LIMIT).until(() -> !lease.isHeld());
            return jobs.mono(() -> Mono.just("inner"));
        });

        assertThatThrownBy(() -> nested.block(LIMIT)).isInstanceOf(LeaseNotHeldException.class);
        assertThat(jobs.calls()).isEqualTo(1);
        assertThat(application.getBean(Observed.class).log()).contains("failed, error", "ran, error");
    }

    @Test
    @DisplayName("A scheduled method may return a Mono: each run has the lease")
    void scheduledMonoRuns() {
        Ticker ticker = application.getBean(Ticker.class);
        await().atMost(LIMIT).until(() -> ticker.held() > 2);
    }

    @Test
    @DisplayName("A stage that a stopping application cannot cancel ends as it ends, and then its lease is released")
    void failingCancellationLosesNothing(TestDatabase database) throws Exception {
        CountDownLatch inMethod = new CountDownLatch(1);
        CompletableFuture<String> work = new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean mayInterruptIfRunning) {
                complete("ran");
                throw new IllegalStateException("cannot be cancelled");
            }
        };
        CompletableFuture<String> result;
        try (ConfigurableApplicationContext stopped =
                Application.start(database, WithJobs.class, "spring.lifecycle.timeout-per-shutdown-phase=100ms")) {
            Jobs its = stopped.getBean(Jobs.class);
            result = CompletableFuture.supplyAsync(() -> interruptedStage(its, inMethod, work))
                    .thenCompose(stage -> stage);
            inMethod.await();
        }
        assertThat(get(result)).isEqualTo("ran");
        assertThat(isFree("stage")).isTrue();
    }

    /** The method returns its stage when it is interrupted. */
    private static CompletableFuture<String> interruptedStage(
            Jobs jobs, CountDownLatch inMethod, CompletableFuture<String> work) {
        try {
            return jobs.stage(() -> {
                inMethod.countDown();
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    return work;
                }
                throw new AssertionError();
            });
        } catch (Exception e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Test
    @DisplayName("What does not end when the application stops is cancelled, and its caller is told")
    void stoppingApplicationCancels(TestDatabase database) throws Exception {
        CompletableFuture<String> stage;
        CompletableFuture<String> mono;
        CompletableFuture<String> work = new CompletableFuture<>();
        try (ConfigurableApplicationContext stopped =
                Application.start(database, WithJobs.class, "spring.lifecycle.timeout-per-shutdown-phase=100ms")) {
            Jobs its = stopped.getBean(Jobs.class);
            stage = its.stage(() -> work);
            mono = its.mono(Mono::never).toFuture();
            await().atMost(LIMIT).until(() -> its.calls() == 1);
        }
        assertThat(work).isCancelled();
        assertThatThrownBy(() -> get(stage)).isInstanceOf(CancellationException.class);
        assertThatThrownBy(() -> get(mono))
                .isInstanceOf(CancellationException.class)
                // In its cause on a later Java.
                .hasStackTraceContaining("the application is stopping");
        assertThat(isFree("stage")).isTrue();
        assertThat(isFree("mono")).isTrue();
    }
}
