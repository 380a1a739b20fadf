package dev.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.replicaset.ClientNetwork;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.data.mongodb.core.MongoTemplate;

/** An occurrence whose time came while no process ran is done when an application starts. */
@WithReplicaSet
@ExtendWith(OutputCaptureExtension.class)
class CatchUpIT {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    /** So long that no occurrence begins while a test runs, or once in a year. */
    private static final String INTERVAL = "PT8784H";

    private static final String DEBUG = "logging.level.dev.leasehold.spring=debug";

    static class Jobs {

        private final MongoTemplate mongo;

        Jobs(MongoTemplate mongo) {
            this.mongo = mongo;
        }

        @Leased(name = "made-up", oncePer = INTERVAL, catchUp = CatchUp.LATEST)
        void madeUp(@Nullable Lease lease) {
            mongo.insert(
                    new Document("occurrence", LeaseHolder.occurrence().orElseThrow()).append("token", lease.token()),
                    "made-up");
        }

        @Leased(name = "not-made-up", oncePer = INTERVAL)
        public void notMadeUp() {
            mongo.insert(new Document(), "not-made-up");
        }
    }

    static class WithJobs {
        @Bean
        Jobs jobs(MongoTemplate mongo) {
            return new Jobs(mongo);
        }
    }

    private static long count(ConfigurableApplicationContext application, String collection) {
        return application
                .getBean(MongoTemplate.class)
                .getCollection(collection)
                .countDocuments();
    }

    private static boolean isRecorded(ConfigurableApplicationContext application, String lease)
            throws InterruptedException {
        return !application
                .getBean(LeaseEngine.class)
                .admin()
                .occurrences(lease, 1)
                .isEmpty();
    }

    @Test
    @DisplayName("The start runs the latest occurrence that no process did; by default it runs none")
    void startMakesUp(TestDatabase database) throws InterruptedException {
        try (ConfigurableApplicationContext application = Application.start(database, WithJobs.class)) {
            await().atMost(LIMIT).until(() -> isRecorded(application, "made-up"));
            assertThat(count(application, "made-up")).isEqualTo(1);
            assertThat(isRecorded(application, "not-made-up")).isFalse();
            assertThat(count(application, "not-made-up")).isZero();
        }
    }

    @Test
    @DisplayName("What was done before is not done again by the next start")
    void whatWasDoneIsNotDoneAgain(TestDatabase database, CapturedOutput output) throws InterruptedException {
        try (ConfigurableApplicationContext first = Application.start(database, WithJobs.class)) {
            await().atMost(LIMIT).until(() -> isRecorded(first, "made-up"));
        }
        try (ConfigurableApplicationContext second = Application.start(database, WithJobs.class, DEBUG)) {
            await().atMost(LIMIT).until(() -> output.getOut().contains("Jobs.madeUp is skipped: occurrence"));
            assertThat(count(second, "made-up")).isEqualTo(1);
        }
    }

    static class Failing {

        private final CountDownLatch called = new CountDownLatch(1);

        @Leased(name = "failing", oncePer = INTERVAL, catchUp = CatchUp.LATEST)
        public void job() {
            called.countDown();
            throw new IllegalStateException("no paper");
        }
    }

    static class WithFailing {
        @Bean
        Failing failing() {
            return new Failing();
        }
    }

    @Test
    @DisplayName("A run that fails is logged, the application runs on, and the next start tries again")
    void failureIsLoggedAndTriedAgain(TestDatabase database, CapturedOutput output) {
        for (int start = 1; start <= 2; start++) {
            int failures = start;
            try (ConfigurableApplicationContext application = Application.start(database, WithFailing.class)) {
                await().atMost(LIMIT)
                        .until(() ->
                                output.getOut().split("Failing.job was not run for its latest occurrence", -1).length
                                                - 1
                                        == failures);
                assertThat(application.isActive()).isTrue();
            }
        }
        assertThat(output.getOut()).contains("no paper");
    }

    @Test
    @DisplayName("An application that started without its database makes up when that is there, also with lazy beans")
    void makesUpWhenTheDatabaseIsThere(TestDatabase database) {
        try (ClientNetwork network = ClientNetwork.open()) {
            network.cut(ClientNetwork.Cut.BROKEN);
            try (ConfigurableApplicationContext application = Application.builder(
                            database,
                            WithJobs.class,
                            "leasehold.start-without-database=true",
                            "spring.main.lazy-initialization=true")
                    .web(WebApplicationType.NONE)
                    .properties("spring.mongodb.uri=" + network.uri(database.uri()) + "&serverSelectionTimeoutMS=1000")
                    .run()) {
                network.mend();
                await().atMost(LIMIT).ignoreExceptions().until(() -> isRecorded(application, "made-up"));
                assertThat(count(application, "made-up")).isEqualTo(1);
            }
        }
    }
}
