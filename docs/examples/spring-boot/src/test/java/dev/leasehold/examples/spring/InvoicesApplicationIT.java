package dev.leasehold.examples.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.model.Sorts;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ConditionTimeoutException;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The application as two processes, of which one is killed or frozen. Judged by what they wrote. */
@WithReplicaSet
class InvoicesApplicationIT {

    private static final Duration LIMIT = Duration.ofMinutes(5);

    private final Map<String, Process> processes = new TreeMap<>();
    private TestDatabase database;

    @BeforeEach
    void start(TestDatabase fresh) throws IOException {
        database = fresh;
        for (String collection : List.of("invoice", "report", "run")) {
            database.database().createCollection(collection);
        }
        start("one");
        start("two");
    }

    private void start(String process) throws IOException {
        processes.put(
                process,
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                InvoicesApplication.class.getName(),
                                "--process=" + process,
                                "--leasehold.instance=" + process,
                                "--leasehold.session-length=15s",
                                "--leasehold.operation-budget=12s",
                                "--spring.mongodb.uri=" + database.uri(),
                                "--spring.mongodb.database=" + database.name())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                        .start());
    }

    @AfterEach
    void stop() throws InterruptedException {
        for (Process process : processes.values()) {
            process.destroyForcibly().waitFor();
        }
    }

    private List<Document> invoices() {
        return database.database()
                .getCollection("invoice")
                .find()
                .sort(Sorts.ascending("_id"))
                .into(new ArrayList<>());
    }

    private String lastWriter() {
        List<Document> all = invoices();
        return all.isEmpty() ? "" : all.get(all.size() - 1).getString("writer");
    }

    private String awaitLeader() throws Exception {
        awaitThat(() -> invoices().size() > 3);
        return lastWriter();
    }

    /** A process that has ended by itself fails the test at once. Where nothing comes, the log has what each process does. */
    private void awaitThat(Callable<Boolean> condition) throws Exception {
        try {
            await().atMost(LIMIT).failFast(this::checkRunning).until(condition);
        } catch (ConditionTimeoutException e) {
            for (Map.Entry<String, Process> process : processes.entrySet()) {
                signal(process.getKey(), "QUIT");
                // It prints its threads meanwhile.
                process.getValue().waitFor(2, TimeUnit.SECONDS);
            }
            throw e;
        }
    }

    private void checkRunning() {
        processes.forEach((name, process) ->
                assertThat(process.isAlive()).as("process %s runs", name).isTrue());
    }

    private static String other(String process) {
        return process.equals("one") ? "two" : "one";
    }

    private void assertNumbersWithoutAGapAndTokensThatNeverFall() {
        List<Document> all = invoices();
        for (int i = 0; i < all.size(); i++) {
            assertThat(all.get(i).getLong("_id")).isEqualTo(i + 1L);
            if (i > 0) {
                assertThat(all.get(i).getLong("token"))
                        .isGreaterThanOrEqualTo(all.get(i - 1).getLong("token"));
            }
        }
    }

    private void signal(String process, String signal) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder(
                        "kill",
                        "-" + signal,
                        String.valueOf(processes.get(process).pid()))
                .inheritIO()
                .start();
        assertThat(kill.waitFor()).isZero();
    }

    @Test
    void jobRunsOnOneProcessAndOnTheOtherAfterAKill() throws Exception {
        String leader = awaitLeader();
        assertThat(invoices())
                .extracting(invoice -> invoice.getString("writer"))
                .containsOnly(leader);

        processes.remove(leader).destroyForcibly().waitFor();

        awaitThat(() -> lastWriter().equals(other(leader)));
        assertNumbersWithoutAGapAndTokensThatNeverFall();
        assertThat(database.database().getCollection("report").countDocuments())
                .as("one report an hour, whichever process asks")
                .isEqualTo(1);
        List<String> nights = database.database()
                .getCollection("run")
                .distinct("night", String.class)
                .into(new ArrayList<>());
        assertThat(nights).isNotEmpty();
        assertThat(database.database().getCollection("run").countDocuments())
                .as("one run of each night, whichever process asks")
                .isEqualTo(nights.size());
    }

    @Test
    void frozenLeaderThatWakesUpWritesNothingUnderItsOldToken() throws Exception {
        String leader = awaitLeader();

        signal(leader, "STOP");
        awaitThat(() -> lastWriter().equals(other(leader)));
        int before = invoices().size();
        signal(leader, "CONT");
        awaitThat(() -> invoices().size() > before + 20);

        assertNumbersWithoutAGapAndTokensThatNeverFall();
        assertThat(invoices().subList(before, before + 20))
                .extracting(invoice -> invoice.getString("writer"))
                .containsOnly(other(leader));
    }
}
