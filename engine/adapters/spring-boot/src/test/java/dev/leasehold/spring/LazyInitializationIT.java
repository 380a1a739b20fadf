package dev.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/** With {@code spring.main.lazy-initialization=true} a bean is made at its first use. */
@WithReplicaSet
@ExtendWith(OutputCaptureExtension.class)
class LazyInitializationIT {

    private static final String LAZY = "spring.main.lazy-initialization=true";
    private static final String WITHOUT_HOUSEKEEPING = "leasehold.housekeeping.enabled=false";
    private static final Duration LIMIT = Duration.ofSeconds(60);

    static class Job {

        @Leased(name = "job")
        public String run() {
            return LeaseHolder.requireHeld().tenure().name();
        }
    }

    static class WithJob {
        @Bean
        Job job() {
            return new Job();
        }
    }

    static class Writer {

        @LeaderOnly("writer")
        public Long write() {
            return LeaseHolder.requireHeld().token();
        }
    }

    static class WithWriter {
        @Bean
        Writer writer() {
            return new Writer();
        }
    }

    static class Poller {

        private final AtomicInteger runs = new AtomicInteger();

        @Scheduled(fixedDelay = 20)
        @LeaderOnly("poller")
        public void poll() {
            LeaseHolder.requireHeld();
            runs.incrementAndGet();
        }

        int runs() {
            return runs.get();
        }
    }

    @EnableScheduling
    static class WithPoller {
        @Bean
        Poller poller() {
            return new Poller();
        }
    }

    static class FinalMethod {
        @Leased(name = "job")
        public final void run() {}
    }

    static class WithFinalMethod {
        @Bean
        FinalMethod job() {
            return new FinalMethod();
        }
    }

    static class Nothing {}

    @Test
    @DisplayName("A @Leased method of a lazy bean runs under its lease")
    void leasedMethodOfALazyBeanIsGuarded(TestDatabase database) {
        try (ConfigurableApplicationContext application =
                Application.start(database, WithJob.class, LAZY, WITHOUT_HOUSEKEEPING)) {
            assertThat(application.getBeanFactory().containsSingleton("job")).isFalse();

            assertThat(application.getBean(Job.class).run()).isEqualTo("job");
        }
    }

    @Test
    @DisplayName("The process campaigns from its start on for the election of a lazy bean, before that bean is used")
    void electionOfALazyBeanBeginsWithTheApplication(TestDatabase database) {
        try (ConfigurableApplicationContext application =
                Application.start(database, WithWriter.class, LAZY, WITHOUT_HOUSEKEEPING)) {
            LeaderElections elections = application.getBean(LeaderElections.class);

            await().atMost(LIMIT).until(() -> elections.isLeader("writer"));

            assertThat(application.getBeanFactory().containsSingleton("writer")).isFalse();
            assertThat(application.getBean(Writer.class).write())
                    .isEqualTo(elections.lease("writer").map(Lease::token).orElseThrow());
        }
    }

    @Test
    @DisplayName("A scheduled @LeaderOnly method runs without anything that asks for its bean")
    void scheduledMethodOfALazyApplicationRuns(TestDatabase database) {
        try (ConfigurableApplicationContext application =
                Application.start(database, WithPoller.class, LAZY, WITHOUT_HOUSEKEEPING)) {
            assertThat(application.getBeanFactory().containsSingleton("poller")).isTrue();
            Poller poller = application.getBean(Poller.class);

            await().atMost(LIMIT).until(() -> poller.runs() > 0);
        }
    }

    @Test
    @DisplayName("An election of a property begins with a lazy application")
    void electionOfAPropertyBegins(TestDatabase database) {
        try (ConfigurableApplicationContext application = Application.start(
                database, Nothing.class, LAZY, WITHOUT_HOUSEKEEPING, "leasehold.elections=exporter")) {
            LeaderElections elections = application.getBean(LeaderElections.class);

            await().atMost(LIMIT).until(() -> elections.isLeader("exporter"));
        }
    }

    @Test
    @DisplayName("Housekeeping runs in a lazy application that uses no lease")
    void housekeepingRuns(TestDatabase database, CapturedOutput output) {
        try (ConfigurableApplicationContext application = Application.start(
                database,
                Nothing.class,
                LAZY,
                "leasehold.housekeeping.period=50ms",
                "logging.level.dev.leasehold.spring=debug")) {
            await().atMost(LIMIT).until(() -> output.getOut().contains("housekeeping: Housekeeping["));

            assertThat(application.isActive()).isTrue();
        }
    }

    @Test
    @DisplayName("The endpoints of a lazy application show leases and health")
    void endpointsAnswer(TestDatabase database) throws Exception {
        SpringApplicationBuilder lazy = Application.builder(
                database,
                Nothing.class,
                LAZY,
                WITHOUT_HOUSEKEEPING,
                "server.port=0",
                // The server does not always remove the folder that it would make among those of the system.
                "server.tomcat.basedir=target/tomcat",
                "management.endpoints.web.exposure.include=leases,health",
                "management.endpoint.health.show-details=always");
        try (ConfigurableApplicationContext application = lazy.run()) {
            assertThat(get(application, "leases").statusCode()).isEqualTo(200);
            try (Lease lease = application.getBean(LeaseEngine.class).acquire("report")) {
                assertThat(get(application, "leases/report").body())
                        .contains("\"status\":\"active\"", "\"token\":" + lease.token());
                assertThat(get(application, "health").body()).contains("\"leasehold\":{", "\"heldLeases\":1");
            }
        }
    }

    private static HttpResponse<String> get(ConfigurableApplicationContext application, String path) throws Exception {
        String port = application.getEnvironment().getProperty("local.server.port");
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/actuator/" + path))
                                .build(),
                        BodyHandlers.ofString());
    }

    @Test
    @DisplayName(
            "A lazy application does not start with a method that cannot be guarded, or an engine that cannot start")
    void whatCannotWorkRefusesToStart(TestDatabase database) {
        assertThatThrownBy(() -> Application.start(database, WithFinalMethod.class, LAZY))
                .hasStackTraceContaining("the method is final");
        assertThatThrownBy(() -> Application.start(
                        database,
                        WithJob.class,
                        LAZY,
                        WITHOUT_HOUSEKEEPING,
                        "management.health.leasehold.enabled=false",
                        "spring.application.name="))
                .hasStackTraceContaining("leasehold.namespace is missing");
    }
}
