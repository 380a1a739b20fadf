package dev.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.assertions.OccurrenceRecord;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseRefusedException;
import dev.leasehold.replicaset.FailPoint;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.io.IOException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.transaction.annotation.Transactional;

/** The effect of a method is committed once for each occurrence of its work, whatever calls it how often. */
@WithReplicaSet
class OncePerIT {

    private ConfigurableApplicationContext application;
    private Jobs jobs;
    private LeaseEngine engine;
    private MongoTemplate mongo;

    static class Jobs {

        private final MongoTemplate mongo;

        Jobs(MongoTemplate mongo) {
            this.mongo = mongo;
        }

        private String write(String kind) {
            String occurrence = LeaseHolder.occurrence().orElseThrow();
            mongo.insert(new Document("kind", kind).append("occurrence", occurrence), "effects");
            return occurrence;
        }

        @Leased(name = "nightly", oncePer = "0 0 3 * * *", zone = "${jobs.zone}")
        public String nightly() {
            return write("nightly");
        }

        @Leased(name = "hourly", oncePer = "${jobs.interval}", skipped = Skipped.THROW)
        public int hourly() {
            write("hourly");
            return 1;
        }

        @Leased(name = "batch-#{#shop}", oncePer = "#{#night}/#{#part}")
        public @Nullable String batch(String shop, LocalDate night, @Nullable Integer part, Callable<String> work)
                throws Exception {
            return write(shop) + work.call();
        }

        @Leased(name = "joined", oncePer = "#{#p0}")
        @Transactional
        public Optional<String> joined(String occurrence) {
            return Optional.of(write("joined"));
        }
    }

    static class WithJobs {
        @Bean
        Jobs jobs(MongoTemplate mongo) {
            return new Jobs(mongo);
        }
    }

    private static final LocalDate NIGHT = LocalDate.of(2073, 3, 3);

    private static ConfigurableApplicationContext start(TestDatabase database) {
        return Application.start(
                database,
                WithJobs.class,
                "jobs.zone=Australia/Lord_Howe",
                "jobs.interval=PT8784H",
                "leasehold.gated.retry-time=60s");
    }

    @BeforeEach
    void startApplication(TestDatabase database) {
        application = start(database);
        jobs = application.getBean(Jobs.class);
        engine = application.getBean(LeaseEngine.class);
        mongo = application.getBean(MongoTemplate.class);
        mongo.createCollection("effects");
    }

    @AfterEach
    void stop() {
        application.close();
    }

    private long effects(String kind) {
        return mongo.getCollection("effects").countDocuments(new Document("kind", kind));
    }

    private List<String> records(String lease) throws InterruptedException {
        return engine.admin().occurrences(lease, 100).stream()
                .map(OccurrenceRecord::occurrence)
                .toList();
    }

    private void forceExpire(String name) {
        try {
            engine.admin().forceExpire(name, "test").orElseThrow();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @DisplayName(
            "A method with a cron expression runs once for its latest occurrence, which is recorded with its effect")
    void cronExpression() throws InterruptedException {
        String before = CronSchedule.of("0 0 3 * * *", ZoneId.of("Australia/Lord_Howe"))
                .latest(Instant.now())
                .toString();
        String occurrence = jobs.nightly();
        String again = jobs.nightly();
        String after = CronSchedule.of("0 0 3 * * *", ZoneId.of("Australia/Lord_Howe"))
                .latest(Instant.now().plusSeconds(1))
                .toString();

        assertThat(occurrence).isBetween(before, after).endsWith("T03:00");
        if (before.equals(after)) {
            assertThat(again).as("skipped").isNull();
            assertThat(records("nightly")).containsExactly(occurrence);
            assertThat(effects("nightly")).isEqualTo(1);
        }
    }

    @Test
    @DisplayName(
            "Processes that call for one interval at a time have one effect together; the others are told of its record")
    void intervalOfManyProcesses(TestDatabase database) throws Exception {
        int processes = 3;
        List<ConfigurableApplicationContext> others = new ArrayList<>();
        ExecutorService callers = Executors.newFixedThreadPool(processes);
        try {
            List<Future<Object>> answers = new ArrayList<>();
            CountDownLatch begun = new CountDownLatch(processes);
            for (int i = 0; i < processes; i++) {
                others.add(start(database));
                Jobs there = others.get(i).getBean(Jobs.class);
                answers.add(callers.submit(() -> {
                    begun.countDown();
                    begun.await();
                    while (true) {
                        try {
                            return there.hourly();
                        } catch (LeaseRefusedException e) {
                            Thread.onSpinWait(); // another one is at it
                        } catch (OccurrenceDoneException e) {
                            return e;
                        }
                    }
                }));
            }
            int ran = 0;
            for (Future<Object> answer : answers) {
                if (answer.get() instanceof OccurrenceDoneException done) {
                    assertThat(done.record())
                            .isEqualTo(engine.admin().occurrences("hourly", 1).get(0));
                    assertThat(done)
                            .hasMessageContaining(done.record().occurrence())
                            .hasMessageContaining("'hourly'");
                } else {
                    ran++;
                }
            }
            assertThat(ran).isEqualTo(1);
            assertThat(effects("hourly")).isEqualTo(1);
        } finally {
            callers.shutdownNow();
            others.forEach(ConfigurableApplicationContext::close);
        }
    }

    @Test
    @DisplayName("An expression of the arguments names the occurrence, of the lease that the arguments name")
    void expressionOfTheArguments() throws Exception {
        assertThat(jobs.batch("north", NIGHT, 1, () -> "!")).isEqualTo("2073-03-03/1!");
        assertThat(jobs.batch("north", NIGHT, 1, () -> "!")).isNull();
        assertThat(jobs.batch("north", NIGHT, 2, () -> "!")).isEqualTo("2073-03-03/2!");
        assertThat(jobs.batch("south", NIGHT, 1, () -> "!")).isEqualTo("2073-03-03/1!");

        assertThat(records("batch-north")).containsExactly("2073-03-03/2", "2073-03-03/1");
        assertThat(records("batch-south")).containsExactly("2073-03-03/1");
        assertThat(effects("north")).isEqualTo(2);
        assertThat(LeaseHolder.occurrence()).isEmpty();
    }

    @Test
    @DisplayName("An argument that makes no name of an occurrence is an error of the call, and nothing runs")
    void argumentsThatNameNothing() throws Exception {
        assertThatThrownBy(() -> jobs.batch("north", NIGHT, null, () -> "!"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("oncePer")
                .hasMessageContaining("#{#part} comes to null");
        assertThatThrownBy(() -> jobs.joined("two\nlines"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("occurrence");
        assertThat(records("batch-north")).isEmpty();
        assertThat(effects("north")).isZero();
    }

    @Test
    @DisplayName("A call that fails commits neither effect nor record, and the next one does the occurrence")
    void failureLeavesNothing() throws Exception {
        assertThatThrownBy(() -> jobs.batch("north", NIGHT, 1, () -> {
                    throw new IOException("disk full");
                }))
                .isExactlyInstanceOf(IOException.class);
        assertThat(records("batch-north")).isEmpty();
        assertThat(effects("north")).isZero();

        assertThat(jobs.batch("north", NIGHT, 1, () -> "")).isEqualTo("2073-03-03/1");
        assertThat(effects("north")).isEqualTo(1);
    }

    @Test
    @DisplayName("A call that has lost its lease commits neither effect nor record")
    void lossLeavesNothing() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        assertThatThrownBy(() -> jobs.batch("north", NIGHT, 1, () -> {
                    if (runs.incrementAndGet() == 1) {
                        forceExpire("batch-north");
                    }
                    return "";
                }))
                .isExactlyInstanceOf(LeaseNotHeldException.class);
        assertThat(records("batch-north")).isEmpty();
        assertThat(effects("north")).isZero();
    }

    /** Both act as the holder: the first one is paused, loses it, and goes on. */
    @Test
    @DisplayName(
            "Of two processes that are in the work of one occurrence at a time one commits, and the paused one has no effect")
    void pausedProcessHasNoEffect(TestDatabase database) throws Exception {
        try (ConfigurableApplicationContext other = start(database)) {
            CountDownLatch inside = new CountDownLatch(1);
            CountDownLatch goOn = new CountDownLatch(1);
            CompletableFuture<Object> paused = CompletableFuture.supplyAsync(() -> {
                try {
                    return String.valueOf(jobs.batch("north", NIGHT, 1, () -> {
                        inside.countDown();
                        goOn.await();
                        return "";
                    }));
                } catch (Exception e) {
                    return e;
                }
            });
            inside.await();
            forceExpire("batch-north");
            assertThat(other.getBean(Jobs.class).batch("north", NIGHT, 1, () -> ""))
                    .isEqualTo("2073-03-03/1");
            goOn.countDown();

            // It may find the record first, or the loss of its lease.
            assertThat(paused.get())
                    .satisfiesAnyOf(
                            answer -> assertThat(answer).isInstanceOf(LeaseNotHeldException.class),
                            answer -> assertThat(answer).isEqualTo("null"));
        }
        assertThat(effects("north")).isEqualTo(1);
        assertThat(records("batch-north")).hasSize(1);
    }

    @Test
    @DisplayName(
            "A record that comes between the look and the commit is found there: the call is skipped, without effect")
    void recordThatComesBetweenIsFoundAtTheCommit() throws Exception {
        Lease[] held = new Lease[1];
        String answer = jobs.batch("north", NIGHT, 1, () -> {
            if (held[0] == null) {
                held[0] = LeaseHolder.requireHeld();
                recordInATransactionOfItsOwn(held[0]);
            }
            return "";
        });

        assertThat(answer).isNull();
        assertThat(effects("north")).isZero();
        assertThat(records("batch-north")).hasSize(1);
    }

    private void recordInATransactionOfItsOwn(Lease lease) {
        try (ClientSession session = application.getBean(MongoClient.class).startSession()) {
            lease.inTransaction(
                    session, s -> lease.once(s, LeaseHolder.occurrence().orElseThrow()));
        }
    }

    @Test
    @DisplayName("A lost answer of the commit has no second effect")
    void lostAnswerOfTheCommit(TestDatabase database) throws Exception {
        database.activate(FailPoint.failCommands("commitTransaction")
                .closingConnection()
                .times(1)
                .forAppName(database.name()));

        assertThat(jobs.batch("north", NIGHT, 1, () -> "")).isEqualTo("2073-03-03/1");
        assertThat(jobs.batch("north", NIGHT, 1, () -> "")).isNull();
        assertThat(effects("north")).isEqualTo(1);
    }

    @Test
    @DisplayName("A @Transactional method joins the gated transaction, and a skipped call of it has an empty result")
    void transactionalMethodJoins() throws Exception {
        assertThat(jobs.joined("one")).hasValue("one");
        assertThat(jobs.joined("one")).isEmpty();
        assertThat(effects("joined")).isEqualTo(1);
        assertThat(records("joined")).containsExactly("one");
    }

    @Test
    @DisplayName("An operator who removes a record has the occurrence done again")
    void forgottenOccurrenceIsDoneAgain() throws Exception {
        jobs.joined("one");
        assertThat(engine.admin().forgetOccurrence("joined", "one", "wrong prices"))
                .isPresent();

        assertThat(jobs.joined("one")).hasValue("one");
        assertThat(effects("joined")).isEqualTo(2);
    }

    @Test
    @DisplayName("A call while another process holds the lease is skipped as any other, and leaves no record")
    void heldElsewhereIsSkipped() throws Exception {
        try (Lease other = engine.tryAcquire("joined").orElseThrow()) {
            assertThat(jobs.joined("one")).isEmpty();
            assertThat(other.isHeld()).isTrue();
        }
        assertThat(records("joined")).isEmpty();
        assertThat(jobs.joined("one")).hasValue("one");
    }
}
