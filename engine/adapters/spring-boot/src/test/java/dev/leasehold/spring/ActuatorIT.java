package dev.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

@WithReplicaSet
class ActuatorIT {

    private final HttpClient client = HttpClient.newHttpClient();

    static class Registry {
        @Bean
        MeterRegistry registry() {
            return new SimpleMeterRegistry();
        }
    }

    private ConfigurableApplicationContext start(TestDatabase database, String... properties) {
        List<String> all = new ArrayList<>(List.of(properties));
        all.add("server.port=0");
        // The server does not always remove the folder that it would make among those of the system.
        all.add("server.tomcat.basedir=target/tomcat");
        all.add("management.endpoints.web.exposure.include=leases,health");
        return Application.builder(database, Registry.class, all.toArray(String[]::new))
                .run();
    }

    private HttpResponse<String> send(ConfigurableApplicationContext application, String path, String body)
            throws Exception {
        String port = application.getEnvironment().getProperty("local.server.port");
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://localhost:" + port + "/actuator/" + path))
                .header("Content-Type", "application/json");
        return client.send(
                (body.isEmpty() ? request.GET() : request.POST(BodyPublishers.ofString(body))).build(),
                BodyHandlers.ofString());
    }

    @Test
    void endpointListsLeasesAndShowsOne(TestDatabase database) throws Exception {
        try (ConfigurableApplicationContext application = start(database);
                Lease lease = application
                        .getBean(LeaseEngine.class)
                        .acquire(LeaseRequest.of("report").holder("me").comment("weekly"))) {
            assertThat(send(application, "leases", "").body())
                    .contains(
                            "\"name\":\"report\"",
                            "\"holder\":\"me\"",
                            "\"comment\":\"weekly\"",
                            "\"token\":" + lease.token());
            assertThat(send(application, "leases/report", "").body()).contains("\"status\":\"active\"");
            assertThat(send(application, "leases/other", "").statusCode()).isEqualTo(404);
        }
    }

    @Test
    @DisplayName("the endpoint shows the waiters of a lease, of all processes")
    void endpointShowsTheWaiters(TestDatabase database) throws Exception {
        try (ConfigurableApplicationContext application = start(database);
                Lease lease = application.getBean(LeaseEngine.class).acquire("report");
                ConfigurableApplicationContext other = start(database, "leasehold.instance=other")) {
            other.getBean(LeaseEngine.class)
                    .acquireAsync(LeaseRequest.of(lease.name())
                            .holder("b")
                            .priority(3)
                            .waitAtMost(Duration.ofMinutes(10)));

            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(
                            () -> assertThat(send(application, "leases/report", "")
                                            .body())
                                    .contains(
                                            "\"waiters\":[{\"position\":1,\"instance\":\"other\",\"holder\":\"b\",\"priority\":3,"));
            assertThat(send(application, "leases", "").body()).doesNotContain("\"waiters\":[");
        }
    }

    @Test
    void ordersAreOffByDefault(TestDatabase database) throws Exception {
        try (ConfigurableApplicationContext application = start(database);
                Lease lease = application.getBean(LeaseEngine.class).acquire("report")) {
            assertThat(send(
                                    application,
                                    "leases",
                                    "{\"name\":\"report\",\"order\":\"force-expire\",\"reason\":\"hangs\"}")
                            .statusCode())
                    .isEqualTo(405);
            assertThat(lease.isHeld()).isTrue();
        }
    }

    @Test
    void ordersAreCarriedOutWhereTheyAreAllowed(TestDatabase database) throws Exception {
        try (ConfigurableApplicationContext application =
                start(database, "management.endpoint.leases.access=unrestricted")) {
            LeaseEngine engine = application.getBean(LeaseEngine.class);
            engine.acquire("report");

            assertThat(send(application, "leases", "{\"name\":\"report\",\"order\":\"pin\",\"entity\":\"audit\"}")
                            .body())
                    .contains("\"done\":true", "audit");
            assertThat(send(
                                    application,
                                    "leases",
                                    "{\"name\":\"report\",\"order\":\"force-expire\",\"reason\":\"hangs\"}")
                            .body())
                    .contains("\"done\":true", "hangs");
            assertThat(engine.admin().inspect("report")).isInstanceOf(LeaseState.Vacant.class);
            assertThat(send(application, "leases", "{\"name\":\"report\",\"order\":\"unpin\",\"entity\":\"audit\"}")
                            .body())
                    .contains("\"done\":true");
        }
    }

    @Test
    void ordersThatAreNotCarriedOutSayWhy(TestDatabase database) throws Exception {
        try (ConfigurableApplicationContext application =
                        start(database, "management.endpoint.leases.access=unrestricted");
                Lease lease = application.getBean(LeaseEngine.class).acquire("report")) {
            assertRefused(application, "{\"name\":\"report\",\"order\":\"force-expire\"}", "it needs 'reason'");
            assertRefused(
                    application,
                    "{\"name\":\"report\",\"order\":\"drop\"}",
                    "order 'drop' is refused: it is pin, unpin or force-expire");
            assertRefused(
                    application, "{\"name\":\"report\",\"entity\":\"audit\"}", "it is pin, unpin or force-expire");
            assertRefused(
                    application,
                    "{\"name\":\"report\",\"order\":\"pin\",\"entity\":\"two\\nlines\"}",
                    "order 'pin' is refused: ");
            assertThat(lease.isHeld()).isTrue();

            assertThat(send(application, "leases", "{\"name\":\"other\",\"order\":\"pin\",\"entity\":\"audit\"}")
                            .body())
                    .contains("\"done\":false", "there is no such lease");
            assertThat(send(
                                    application,
                                    "leases",
                                    "{\"name\":\"other\",\"order\":\"force-expire\",\"reason\":\"hangs\"}")
                            .body())
                    .contains("\"done\":false", "refused: there is no such lease");
        }
    }

    private void assertRefused(ConfigurableApplicationContext application, String order, String reason)
            throws Exception {
        HttpResponse<String> answer = send(application, "leases", order);
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("\"done\":false", reason);
    }

    @Test
    void leasesWithSlashesAndSpacesInTheirNamesAreReachedByThePath(TestDatabase database) throws Exception {
        try (ConfigurableApplicationContext application = start(database)) {
            application.getBean(LeaseEngine.class).acquire("shop/stock of/eu");

            assertThat(send(application, "leases/shop/stock%20of/eu", "").body())
                    .contains("\"name\":\"shop/stock of/eu\"");
        }
    }

    @Test
    @DisplayName("A request reaches the lease that its parameter names, whatever the name, and no path orders anything")
    void requestsReachTheLeaseThatTheyName(TestDatabase database) throws Exception {
        try (ConfigurableApplicationContext application =
                start(database, "management.endpoint.leases.access=unrestricted")) {
            LeaseEngine engine = application.getBean(LeaseEngine.class);
            Lease other = engine.acquire("jobs/a;b");
            String order = "{\"order\":\"force-expire\",\"reason\":\"hangs\"";
            for (String name : List.of("/jobs/a;b", "jobs//a;b", "jobs/a;b/", "jobs/./a;b", "a,b", "50 %+")) {
                Lease lease = engine.acquire(name);
                String escaped = URLEncoder.encode(name, StandardCharsets.UTF_8);
                assertThat(send(application, "leases?name=" + escaped, "").body())
                        .contains("\"name\":\"" + name + "\"", "\"status\":\"active\"", "\"waiters\":[]");
                assertThat(delete(application, "leases?name=" + escaped + "&occurrence=1&reason=again")
                                .body())
                        .contains("\"name\":\"" + name + "\"", "there is no such record");
                assertThat(send(application, "leases", order + ",\"name\":\"" + name + "\"}")
                                .body())
                        .contains("\"done\":true", "\"name\":\"" + name + "\"");
                await().atMost(Duration.ofSeconds(60)).until(() -> !lease.isHeld());
            }
            assertThat(send(application, "leases//jobs/a;b", order + "}").statusCode())
                    .isEqualTo(405);
            assertThat(delete(application, "leases//jobs/a;b?occurrence=1&reason=again")
                            .statusCode())
                    .isEqualTo(405);
            assertThat(send(application, "leases", order + "}").body()).contains("it needs 'name'");
            assertThat(other.isHeld()).isTrue();
        }
    }

    @Test
    @DisplayName("A name that no lease can have is refused with the rule")
    void badNameIsRefused(TestDatabase database) throws Exception {
        try (ConfigurableApplicationContext application = start(database)) {
            for (String path : List.of("leases?name=%20", "leases/%20")) {
                HttpResponse<String> answer = send(application, path, "");
                assertThat(answer.statusCode()).isEqualTo(400);
                assertThat(answer.body()).contains("lease name ' ' is refused: it must be 1 to 512 bytes");
            }
            assertThat(send(application, "leases?name=other", "").statusCode()).isEqualTo(404);
        }
    }

    private void done(ConfigurableApplicationContext application, String lease, String occurrence) throws Exception {
        application.getBean(LeaseEngine.class).runOnce(lease, occurrence, (held, session) -> "");
    }

    private HttpResponse<String> delete(ConfigurableApplicationContext application, String path) throws Exception {
        String port = application.getEnvironment().getProperty("local.server.port");
        return client.send(
                HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/actuator/" + path))
                        .DELETE()
                        .build(),
                BodyHandlers.ofString());
    }

    @Test
    @DisplayName("The endpoint shows the latest records of a lease, also of one whose document was removed")
    void recordsOfOccurrencesAreShown(TestDatabase database) throws Exception {
        try (ConfigurableApplicationContext application = start(database, "leasehold.retention=1ms")) {
            for (int night = 10; night < 32; night++) {
                done(application, "shop/invoices", "2073-03-" + night);
            }
            LeaseEngine engine = application.getBean(LeaseEngine.class);
            String shown = send(application, "leases/shop/invoices", "").body();
            assertThat(shown)
                    .contains("\"status\":\"free\"", "\"occurrences\":[{\"occurrence\":\"2073-03-31\"", "2073-03-12")
                    .contains("\"token\":"
                            + engine.admin()
                                    .occurrences("shop/invoices", 1)
                                    .get(0)
                                    .tenure()
                                    .token())
                    .doesNotContain("2073-03-11");
            assertThat(send(application, "leases", "").body()).contains("\"occurrences\":null");

            await().atMost(Duration.ofSeconds(60)).until(() -> {
                engine.housekeeping();
                return engine.admin().inspect("shop/invoices") instanceof LeaseState.Absent;
            });
            assertThat(send(application, "leases/shop/invoices", "").body()).contains("\"token\":null", "2073-03-31");
            assertThat(delete(application, "leases?name=shop/invoices&occurrence=2073-03-31&reason=again")
                            .statusCode())
                    .as("orders are off")
                    .isEqualTo(405);
        }
    }

    @Test
    @DisplayName("An operator removes a record with a reason, and the occurrence can be done again")
    void recordIsRemoved(TestDatabase database) throws Exception {
        try (ConfigurableApplicationContext application =
                start(database, "management.endpoint.leases.access=unrestricted")) {
            done(application, "shop/invoices", "2073-03-03");

            HttpResponse<String> without = delete(application, "leases?name=shop/invoices&occurrence=2073-03-03");
            assertThat(without.statusCode()).isEqualTo(400);
            assertThat(without.body()).contains("it needs 'reason'");
            assertThat(delete(application, "leases?name=shop/invoices&reason=again")
                            .body())
                    .contains("it needs 'occurrence'");
            assertThat(delete(application, "leases?name=shop/invoices&occurrence=2073-03-04&reason=again")
                            .body())
                    .contains("\"done\":false", "there is no such record");

            assertThat(delete(application, "leases?name=shop/invoices&occurrence=2073-03-03&reason=wrong%20prices")
                            .body())
                    .contains("\"done\":true", "\"occurrences\":[]");
            assertThat(application
                            .getBean(LeaseEngine.class)
                            .runOnce("shop/invoices", "2073-03-03", (held, session) -> "")
                            .ran())
                    .isTrue();
        }
    }

    @Test
    @DisplayName("Records are kept for the time of the property")
    void recordsAreKeptForTheTimeOfTheProperty(TestDatabase database) throws Exception {
        try (ConfigurableApplicationContext application = start(database, "leasehold.occurrence-retention=1ms")) {
            LeaseEngine engine = application.getBean(LeaseEngine.class);
            done(application, "invoices", "2073-03-03");

            await().atMost(Duration.ofSeconds(60)).until(() -> {
                engine.housekeeping();
                return engine.findOccurrence("invoices", "2073-03-03").isEmpty();
            });
        }
    }

    static class WithJob {
        @Bean
        Job job(MeterRegistry registry) {
            return new Job(registry);
        }
    }

    static class Job {
        private final MeterRegistry registry;

        Job(MeterRegistry registry) {
            this.registry = registry;
        }

        @Leased(name = "job", waitTime = "10m")
        public Integer active() {
            return registry.get("leasehold.leased.active").longTaskTimer().activeTasks();
        }
    }

    /** What the alarm of a method that runs for far longer than usual asks for. */
    @Test
    void runningMethodsAreTimedWhileTheyRunAndAfterwards(TestDatabase database) {
        try (ConfigurableApplicationContext application = Application.builder(database, Registry.class)
                .sources(WithJob.class)
                .web(WebApplicationType.NONE)
                .run()) {
            assertThat(application.getBean(Job.class).active()).isEqualTo(1);

            MeterRegistry registry = application.getBean(MeterRegistry.class);
            assertThat(registry.get("leasehold.leased").tag("outcome", "ran").timer())
                    .satisfies(timer -> assertThat(timer.count()).isEqualTo(1))
                    .satisfies(
                            timer -> assertThat(timer.getId().getTag("method")).isNotBlank());
            Meter.Id active =
                    registry.get("leasehold.leased.active").longTaskTimer().getId();
            assertThat(active.getTag("method"))
                    .isEqualTo(registry.get("leasehold.leased").timer().getId().getTag("method"));
            assertThat(active.getTag("outcome")).as("what runs has not failed").isNull();
        }
    }

    @Test
    @DisplayName(
            "A call that waits for its lease is not among those that run; one that never ran is counted as skipped")
    void waitingAndSkippedCallsDoNotCountAsRunning(TestDatabase database) throws Exception {
        try (ConfigurableApplicationContext application = Application.builder(database, Registry.class)
                .sources(WithJob.class)
                .web(WebApplicationType.NONE)
                .run()) {
            Job job = application.getBean(Job.class);
            MeterRegistry registry = application.getBean(MeterRegistry.class);
            LeaseEngine engine = application.getBean(LeaseEngine.class);
            CompletableFuture<Integer> waiting;
            try (Lease other = engine.acquire("job")) {
                waiting = CompletableFuture.supplyAsync(job::active);
                await().atMost(Duration.ofSeconds(60))
                        .until(() -> engine.health().waiters() == 1);
                assertThat(registry.find("leasehold.leased.active").longTaskTimers())
                        .allMatch(timer -> timer.activeTasks() == 0);
                assertThat(other.isHeld()).isTrue();
            }
            assertThat(waiting.get(60, TimeUnit.SECONDS)).isEqualTo(1);

            application.getBean(RunningMethods.class).stop();
            assertThat(job.active()).isNull();
            assertThat(registry.find("leasehold.leased").timers())
                    .extracting(timer -> timer.getId().getTag("outcome") + " " + timer.count())
                    .containsExactlyInAnyOrder("ran 1", "skipped 1");
        }
    }

    @Test
    void healthAndMetersAreThoseOfTheEngine(TestDatabase database) throws Exception {
        try (ConfigurableApplicationContext application =
                        start(database, "management.endpoint.health.show-details=always");
                Lease lease = application.getBean(LeaseEngine.class).acquire("report")) {
            assertThat(send(application, "health", "").body()).contains("\"leasehold\":{", "\"heldLeases\":1");
            MeterRegistry registry = application.getBean(MeterRegistry.class);
            assertThat(registry.getMeters())
                    .extracting(meter -> meter.getId().getName())
                    .anyMatch(name -> name.startsWith("leasehold."));
            assertThat(lease.isHeld()).isTrue();
        }
    }
}
