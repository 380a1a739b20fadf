package dev.leasehold.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.replicaset.ReplicaSet;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithOwnReplicaSet;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The tool beside a database whose nodes stand still: nothing is refused, and nothing answered. */
@WithOwnReplicaSet(nodes = 1)
class FrozenDatabaseIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private TestDatabase database;
    private ReplicaSet set;
    private Service service;

    @BeforeEach
    void start(TestDatabase fresh, ReplicaSet own) throws InterruptedException {
        database = fresh;
        set = own;
        service = Service.on(database, "shop:1");
        service.holds("invoices");
    }

    @AfterEach
    void end() {
        set.nodes().forEach(node -> node.resume());
        service.close();
    }

    private void freeze() {
        set.nodes().forEach(node -> node.pause());
    }

    @Test
    @DisplayName("The page says that what it shows may be over, and goes on by itself when the database does")
    void thePage() throws Exception {
        try (Served page = Served.by(Tool.on(database))) {
            Awaitility.await().atMost(PATIENCE).until(() -> page.board().contains("invoices"));
            freeze();

            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> page.board().contains("The database does not answer. What is shown may be over."));
            assertThat(page.board()).contains("invoices").contains("class=\"trouble\"");

            set.nodes().forEach(node -> node.resume());
            Awaitility.await().atMost(PATIENCE).until(() -> page.board().contains("class=\"well\""));
        }
    }

    @Test
    @DisplayName("watch says that events may be missing, and ends in its time")
    void watch() throws Exception {
        StringCollector out = new StringCollector();
        CompletableFuture<Integer> watching = CompletableFuture.supplyAsync(
                () -> Main.execute(Tool.on(database).context(out.writer(), out.writer()), "watch", "--for", "15s"));
        Awaitility.await().atMost(PATIENCE).until(() -> out.text().contains("Watching namespace billing"));

        freeze();

        // It would be longer than this if the command waited for the driver.
        assertThat(watching.get(40, TimeUnit.SECONDS)).isZero();
        assertThat(out.text()).contains("events may be missing: the database has not answered for");
    }

    @Test
    @DisplayName("doctor finds that the servers do not answer, and asks no further")
    void doctor() {
        freeze();

        Tool.Result found = Tool.on(database).run("doctor", "--timeout", "1s", "--look", "0s");

        assertThat(found.exitCode()).isEqualTo(9);
        assertThat(found.out())
                .contains("problem  connection: the servers cannot be asked")
                .contains("1 problem,");
    }

    @Test
    @DisplayName("A command ends with 6")
    void commands() {
        freeze();

        assertThat(Tool.on(database).run("list", "--timeout", "1s").exitCode()).isEqualTo(6);
        assertThat(Tool.on(database).run("pin", "invoices", "--timeout", "1s").exitCode())
                .isEqualTo(6);
    }
}
