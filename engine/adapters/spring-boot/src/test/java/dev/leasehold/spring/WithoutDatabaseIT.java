package dev.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.replicaset.ClientNetwork;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.io.support.SpringFactoriesLoader;

@WithReplicaSet
class WithoutDatabaseIT {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final ClientNetwork network = ClientNetwork.open();

    @BeforeEach
    void cut() {
        network.cut(ClientNetwork.Cut.BROKEN);
    }

    @AfterEach
    void close() {
        network.close();
    }

    static class Job {
        @Leased(name = "report")
        public String report() {
            return "under token " + LeaseHolder.requireHeld().token();
        }

        @LeaderOnly("poller")
        public String lead() {
            return "leads";
        }
    }

    static class WithJob {
        @Bean
        Job job() {
            return new Job();
        }
    }

    private ConfigurableApplicationContext start(TestDatabase database, String... properties) {
        return Application.builder(database, WithJob.class, properties)
                .web(WebApplicationType.NONE)
                .properties("spring.mongodb.uri=" + network.uri(database.uri()) + "&serverSelectionTimeoutMS=1000")
                .run();
    }

    @Test
    @DisplayName(
            "An application that may start without its database does, refuses work until the database is there, and goes on by itself")
    void startsWhileTheDatabaseIsAway(TestDatabase database) throws InterruptedException {
        try (ConfigurableApplicationContext application =
                start(database, "leasehold.start-without-database=true", "leasehold.elections=other")) {
            LeaseEngine engine = application.getBean(LeaseEngine.class);
            Job job = application.getBean(Job.class);
            HealthIndicator readiness = application.getBean("leaseholdHealthIndicator", HealthIndicator.class);
            HealthIndicator liveness = application.getBean("leaseholdEngineHealthIndicator", HealthIndicator.class);

            assertThatThrownBy(job::report)
                    .isInstanceOf(LeaseUnavailableException.class)
                    .hasMessageContaining("not there yet");
            assertThat(job.lead()).isNull();
            assertThat(readiness.health().getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
            assertThat(liveness.health().getStatus()).isEqualTo(Status.UP);

            network.mend();

            await().atMost(LIMIT).until(() -> readiness.health().getStatus().equals(Status.UP));
            assertThat(job.report()).startsWith("under token ");
            await().atMost(LIMIT).until(() -> job.lead() != null);
            await().atMost(LIMIT)
                    .until(() -> application.getBean(LeaderElections.class).isLeader("other"));
            try (Lease lease = engine.acquire("by-hand")) {
                assertThat(lease.isHeld()).isTrue();
            }
        }
    }

    @Test
    @DisplayName("An application that was started without its database, and never had it, ends as any other")
    void endsWithoutADatabase(TestDatabase database) {
        ConfigurableApplicationContext application = start(database, "leasehold.start-without-database=true");
        LeaseEngine engine = application.getBean(LeaseEngine.class);

        application.close();

        assertThat(engine.health().open()).isFalse();
    }

    @Test
    @DisplayName("An application that does not start without its database says so in one paragraph, with what to do")
    void failureIsAnalyzed(TestDatabase database) {
        Throwable failure = catchThrowable(() -> start(database));

        FailureAnalysis analysis = analysis(failure);
        assertThat(analysis.getDescription()).startsWith("The lease engine cannot start: ");
        assertThat(analysis.getAction()).contains("spring.mongodb.uri", "leasehold.start-without-database=true");
    }

    @Test
    @DisplayName(
            "A setting that the engine refuses is said in one paragraph, also in an application that may start without its database")
    void refusedSettingIsAnalyzed(TestDatabase database) {
        Throwable failure = catchThrowable(
                () -> start(database, "leasehold.start-without-database=true", "leasehold.session-length=-1s"));

        assertThat(analysis(failure).getDescription()).contains("session length PT-1S is refused");
    }

    private static FailureAnalysis analysis(Throwable failure) {
        List<FailureAnalyzer> analyzers =
                SpringFactoriesLoader.forDefaultResourceLocation().load(FailureAnalyzer.class, (type, name, e) -> {});
        return analyzers.stream()
                .filter(LeaseFailureAnalyzer.class::isInstance)
                .map(analyzer -> analyzer.analyze(failure))
                .findFirst()
                .orElseThrow();
    }

    @Test
    @DisplayName("A period or retry time that cannot be kept is refused by the name of its property")
    void refusedTimesNameTheirProperty(TestDatabase database) {
        network.mend();
        assertThatThrownBy(() -> start(database, "leasehold.housekeeping.period=0s"))
                .hasStackTraceContaining("leasehold.housekeeping.period PT0S is refused");
        assertThatThrownBy(() -> start(database, "leasehold.gated.retry-time=-1s"))
                .hasStackTraceContaining("leasehold.gated.retry-time PT-1S is refused");
        assertThatThrownBy(() -> start(database, "leasehold.gated.retry-time=500us"))
                .hasStackTraceContaining("retry-time PT0.0005S is refused: it must be zero, or 1 ms to 36500 days");
    }
}
