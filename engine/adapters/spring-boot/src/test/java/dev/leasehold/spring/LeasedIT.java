package dev.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.mongodb.client.MongoClient;
import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseRefusedException;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.WaiterDetails;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

@WithReplicaSet
class LeasedIT {

    private ConfigurableApplicationContext application;
    private Jobs jobs;
    private LeaseEngine engine;

    static class Jobs {

        @Leased(name = "report", shared = true)
        public String report(Callable<String> work) throws Exception {
            return work.call();
        }

        @Leased(name = "stock-#{#warehouse}", skipped = Skipped.THROW)
        public String count(String warehouse, @Nullable Lease lease) {
            return lease.name() + "/" + LeaseHolder.requireHeld().token();
        }

        @Leased(name = "${jobs.name}", waitTime = "${jobs.wait}")
        public String fromProperties() {
            return LeaseHolder.requireHeld().name();
        }

        @Leased(name = "report", shared = true, waitTime = "1m", priority = 7)
        public String urgent() {
            return "ran";
        }

        @Leased
        public String named() {
            return LeaseHolder.requireHeld().name();
        }

        @Leased(name = "report", shared = true)
        public Optional<String> optional() {
            return Optional.of("ran");
        }

        @Leased(name = "report", shared = true)
        public void failing() throws IOException {
            throw new IOException("disk full");
        }

        @Leased(name = "nested-#{@shops.get(#p0)}", gateStripes = 2)
        public String nested(String shop, Callable<String> work) throws Exception {
            return LeaseHolder.requireHeld().tenure() + "|" + work.call();
        }

        @Leased
        public String overloaded(String text) {
            return LeaseHolder.requireHeld().name();
        }

        @Leased
        public String overloaded(int number) {
            return LeaseHolder.requireHeld().name();
        }
    }

    /** Has its annotation from the interface, and its name from its own class. */
    interface Nightly {
        @Leased
        String night();
    }

    static class Night implements Nightly {
        @Override
        public String night() {
            return LeaseHolder.requireHeld().name();
        }
    }

    static class OtherNight extends Night {}

    static class Regional {

        private final String region;

        Regional(String region) {
            this.region = region;
        }

        public String getRegion() {
            return region;
        }

        @Leased(name = "import-#{region}")
        public String run() {
            return LeaseHolder.requireHeld().name();
        }
    }

    static class WithJobs {
        @Bean
        Regional north() {
            return new Regional("north");
        }

        @Bean
        Regional south() {
            return new Regional("south");
        }

        @Bean
        Map<String, String> shops() {
            return Map.of("north", "n");
        }

        @Bean
        Nightly night() {
            return new Night();
        }

        @Bean
        Nightly otherNight() {
            return new OtherNight();
        }

        @Bean
        Jobs jobs() {
            return new Jobs();
        }

        @Bean
        Observed observed() {
            return new Observed();
        }
    }

    static class Observed implements ObservationHandler<Observation.Context> {

        private final List<String> outcomes = new CopyOnWriteArrayList<>();

        @Override
        public boolean supportsContext(Observation.Context context) {
            return context.getName().equals("leasehold.leased");
        }

        @Override
        public void onStop(Observation.Context context) {
            String method = context.getLowCardinalityKeyValue("method").getValue();
            outcomes.add(method.substring(method.indexOf('$') + 1) + " "
                    + context.getLowCardinalityKeyValue("outcome").getValue());
        }

        List<String> outcomes() {
            return List.copyOf(outcomes);
        }
    }

    @BeforeEach
    void start(TestDatabase database) {
        application = Application.start(database, WithJobs.class, "jobs.name=from-properties", "jobs.wait=30s");
        jobs = application.getBean(Jobs.class);
        engine = application.getBean(LeaseEngine.class);
    }

    @AfterEach
    void stop() {
        application.close();
    }

    @Test
    void methodRunsUnderItsLeaseAndReleasesIt() throws Exception {
        List<Tenure> held = new ArrayList<>();
        String holder = jobs.report(() -> {
            assertThat(engine.tryAcquire("report").asOptional()).isEmpty();
            held.add(LeaseHolder.requireHeld().tenure());
            return LeaseHolder.requireHeld().holder();
        });

        assertThat(holder).isNotEmpty();
        assertThat(LeaseHolder.current()).isEmpty();
        try (Lease again = engine.tryAcquire("report").orElseThrow()) {
            assertThat(again.token()).isEqualTo(held.get(0).token() + 1);
        }
    }

    @Test
    void methodIsSkippedWhileAnotherHoldsTheLease() throws Exception {
        try (Lease other = engine.tryAcquire("report").orElseThrow()) {
            assertThat(jobs.report(() -> "ran")).isNull();
            assertThat(jobs.optional()).isEmpty();
            assertThat(other.isHeld()).isTrue();
        }
        assertThat(jobs.optional()).hasValue("ran");
    }

    @Test
    void nameIsAnExpressionOverParametersAndTheLeaseIsHandedIn() throws Exception {
        String north = jobs.count("north", null);
        try (Lease other = engine.tryAcquire("stock-north").orElseThrow()) {
            assertThat(north).isEqualTo("stock-north/" + (other.token() - 1));
            assertThatThrownBy(() -> jobs.count("north", null))
                    .isInstanceOf(LeaseRefusedException.class)
                    .hasMessageContaining(other.holder());
            assertThat(jobs.count("south", null)).matches("stock-south/[0-9]+");
        }
    }

    @Test
    void nameAndWaitComeFromProperties() throws Exception {
        Lease other = engine.tryAcquire("from-properties").orElseThrow();
        Thread releasing = new Thread(() -> {
            while (engine.health().waiters() == 0) {
                Thread.onSpinWait();
            }
            other.close();
        });
        releasing.start();

        assertThat(jobs.fromProperties()).isEqualTo("from-properties");
        releasing.join();
    }

    @Test
    @DisplayName("A call that is interrupted while it waits says so, and the thread stays interrupted")
    void interruptedWait() throws Exception {
        try (Lease other = engine.acquire("from-properties")) {
            Thread.currentThread().interrupt();
            Throwable thrown = catchThrowable(jobs::fromProperties);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(thrown)
                    .isExactlyInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll("Jobs.fromProperties", "interrupted", "'from-properties'")
                    .hasCauseInstanceOf(InterruptedException.class);
            assertThat(other.isHeld()).isTrue();
        }
    }

    @Test
    @DisplayName("Beans of one class tell their leases apart by a property of the bean")
    void nameIsAnExpressionOverTheBean() {
        for (String region : List.of("north", "south")) {
            assertThat(application.getBean(region, Regional.class).run()).isEqualTo("import-" + region);
        }
    }

    @Test
    @DisplayName("A call that waits stands in the queue with the priority of the annotation")
    void priorityOfAWait() throws Exception {
        Lease other = engine.tryAcquire("report").orElseThrow();
        CompletableFuture<String> waiting = CompletableFuture.supplyAsync(jobs::urgent);
        List<WaiterDetails> waiters = List.of();
        // While this engine alone waits for its own lease there is no ticket: another one comes as well.
        try (LeaseEngine second = LeaseEngine.builder(application.getBean(MongoClient.class))
                .database(application.getEnvironment().getRequiredProperty("spring.mongodb.database"))
                .namespace(engine.namespace())
                .instance("second")
                .build()) {
            CompletableFuture<Lease> usual = second.acquireAsync(
                            LeaseRequest.of("report").waitAtMost(Duration.ofMinutes(1)))
                    .toCompletableFuture();
            while (waiters.size() < 2) {
                waiters = engine.admin().waiters("report");
            }
            assertThat(waiters).extracting(WaiterDetails::priority).containsExactly(7, 0);
            other.close();
            assertThat(waiting.get(60, TimeUnit.SECONDS)).isEqualTo("ran");
            usual.get(60, TimeUnit.SECONDS).close();
        }
    }

    @Test
    @DisplayName("A lease without a name has the full name of the bean's class and method, and of the parameters if"
            + " overloaded")
    void leaseWithoutANameIsCalledAsTheMethod() {
        String jobsName = "dev.leasehold.spring.LeasedIT$Jobs.";
        assertThat(jobs.named()).isEqualTo(jobsName + "named");
        assertThat(jobs.overloaded("a")).isEqualTo(jobsName + "overloaded(java.lang.String)");
        assertThat(jobs.overloaded(1)).isEqualTo(jobsName + "overloaded(int)");
    }

    @Test
    @DisplayName("A method is guarded by the annotation of its interface, and subclasses do not share a lease")
    void annotationOfAnInterfaceGuards() {
        assertThat(application.getBean("night", Nightly.class).night())
                .isEqualTo("dev.leasehold.spring.LeasedIT$Night.night");
        assertThat(application.getBean("otherNight", Nightly.class).night())
                .isEqualTo("dev.leasehold.spring.LeasedIT$OtherNight.night");
    }

    @Test
    @DisplayName("A call inside of a call that holds the same lease runs under that lease")
    void nestedCallRuns() throws Exception {
        String tenures = jobs.nested("north", () -> jobs.nested("north", () -> "ran"));

        String[] parts = tenures.split("\\|");
        assertThat(parts[0]).contains("nested-n");
        assertThat(parts).containsExactly(parts[0], parts[0], "ran");
        engine.tryAcquire("nested-n").orElseThrow().close();
    }

    @Test
    @DisplayName("A call inside of a call with a lease of the same name in another namespace acquires its own")
    void nestedCallOfAnotherNamespaceHasItsOwnLease(TestDatabase database) throws Exception {
        try (ConfigurableApplicationContext other = Application.start(
                database,
                WithJobs.class,
                "jobs.name=from-properties",
                "jobs.wait=30s",
                "leasehold.namespace=warehouse")) {
            Jobs others = other.getBean(Jobs.class);
            assertThat(jobs.nested("north", () -> others.nested("north", () -> jobs.nested("north", () -> "ran"))))
                    .containsSubsequence("namespace=shop", "namespace=warehouse", "namespace=shop", "|ran");

            try (Lease held = other.getBean(LeaseEngine.class).acquire("nested-n")) {
                assertThat(jobs.nested("north", () -> others.nested("north", () -> held.name())))
                        .endsWith("|null");
            }
        }
    }

    @Test
    @DisplayName("An expression that comes to null is an error, and not one lease for all")
    void nullInANameIsAnError() {
        assertThatThrownBy(() -> jobs.nested("nowhere", () -> "ran"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("@shops.get(#p0)")
                .hasMessageContaining("null");
    }

    @Test
    @DisplayName("The value of a property is not run as an expression")
    void propertyIsNoExpression(TestDatabase database) {
        try (ConfigurableApplicationContext other = Application.start(
                database, WithJobs.class, "jobs.name=#{T(java.lang.System).exit(1)}", "jobs.wait=0s")) {
            assertThat(other.getBean(Jobs.class).fromProperties()).isEqualTo("#{T(java.lang.System).exit(1)}");
        }
    }

    @Test
    void whatTheMethodThrowsIsThrownAndTheLeaseReleased() throws Exception {
        assertThatThrownBy(() -> jobs.failing()).isInstanceOf(IOException.class).hasMessage("disk full");
        engine.tryAcquire("report").orElseThrow().close();
    }

    @Test
    void lostLeaseIsToldInside() throws Exception {
        jobs.report(() -> {
            Lease lease = LeaseHolder.requireHeld();
            engine.admin().forceExpire("report", "test").orElseThrow();
            while (lease.isHeld()) {
                Thread.onSpinWait();
            }
            assertThatThrownBy(LeaseHolder::requireHeld).isInstanceOf(LeaseNotHeldException.class);
            return "";
        });
    }

    @Test
    void outsideOfALeasedMethodThereIsNoLease() {
        assertThatThrownBy(LeaseHolder::requireHeld)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("@Leased");
    }

    @Test
    void engineWithoutANamespaceIsRefused(TestDatabase database) {
        assertThatThrownBy(() -> Application.start(database, WithJobs.class, "spring.application.name=")
                        .close())
                .isInstanceOf(BeanCreationException.class)
                .hasRootCauseMessage(
                        "leasehold.namespace is missing: set it, or spring.application.name, to the same in all"
                                + " processes that share leases");
    }

    @Test
    void engineIsClosedWithTheApplicationBeforeItsClient() throws Exception {
        Lease lease = engine.tryAcquire("report").orElseThrow();
        application.close();
        assertThat(lease.isHeld()).isFalse();
        assertThat(engine.health().ready()).isFalse();
        assertThat(engine.health().detail()).contains("closed");
    }

    @Test
    void callsAreObservedWithTheirMethodAndOutcome() throws Exception {
        jobs.optional();
        try (Lease other = engine.tryAcquire("report").orElseThrow()) {
            jobs.optional();
            assertThat(other.isHeld()).isTrue();
        }

        assertThat(application.getBean(Observed.class).outcomes())
                .containsExactly("Jobs.optional ran", "Jobs.optional skipped");
    }

    @Test
    void callbacksRunOnVirtualThreadsIfTheApplicationUsesThem(TestDatabase database) throws Exception {
        try (ConfigurableApplicationContext virtual = Application.start(
                        database,
                        WithJobs.class,
                        "jobs.name=a",
                        "jobs.wait=0s",
                        "spring.threads.virtual.enabled=true");
                Lease lease = virtual.getBean(LeaseEngine.class).acquire("report")) {
            CompletableFuture<String> thread = new CompletableFuture<>();
            lease.onLost(loss -> thread.complete(Thread.currentThread().toString()));
            virtual.getBean(LeaseEngine.class)
                    .admin()
                    .forceExpire("report", "test")
                    .orElseThrow();
            String name = thread.get(60, TimeUnit.SECONDS);
            if (Runtime.version().feature() >= 21) {
                assertThat(name).startsWith("VirtualThread");
            } else {
                assertThat(name).contains("leasehold-shop-callback");
            }
        }
    }
}
