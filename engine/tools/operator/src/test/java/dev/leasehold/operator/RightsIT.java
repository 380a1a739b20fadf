package dev.leasehold.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoDatabase;
import dev.leasehold.replicaset.DatabaseUser;
import dev.leasehold.replicaset.Privilege;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithOwnReplicaSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The tool with database users of more or fewer rights. */
@WithOwnReplicaSet(nodes = 1, authentication = true)
class RightsIT {

    private TestDatabase database;
    private Service service;

    @BeforeEach
    void start(TestDatabase fresh) throws InterruptedException {
        database = fresh;
        service = new Service(database.newUser("readWrite").newClient(), database, "shop:1", 1);
        service.holds("invoices");
    }

    @AfterEach
    void end() {
        service.close();
    }

    private Tool toolOf(DatabaseUser user) {
        return Tool.on(database, user.uri());
    }

    @Test
    @DisplayName("A user that may only read sees everything, and writes nothing")
    void userThatMayOnlyReadSeesEverything() {
        Tool reader = toolOf(database.newUser("read"));

        assertThat(reader.run("list", "--json").json().get(0).path("name").asText())
                .isEqualTo("invoices");
        assertThat(reader.run("inspect", "invoices", "--look", "60s").out()).contains("alive: seen moving");
        assertThat(reader.run("writers", "--json", "--look", "0s").json()).hasSize(1);
        assertThat(reader.run("watch", "--for", "100ms").exitCode()).isZero();
        Tool.Result doctor = reader.run("doctor", "--look", "0s");
        assertThat(doctor.exitCode()).as(doctor.out() + doctor.err()).isZero();
        assertThat(doctor.out())
                .contains("rights: this user lacks insert, remove, update: it is no user for engines, nor for orders")
                .contains("open-transactions: only what this user does itself can be seen")
                .contains("transactionLifetimeLimitSeconds could not be looked at");
    }

    @Test
    @DisplayName("The page works with the right to read, without events if there is none to watch")
    void thePageOfAReader() throws IOException, InterruptedException {
        try (Served reader = Served.by(toolOf(database.newUser("read")))) {
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> reader.board().contains("invoices")
                            && reader.board().contains("alive"));
            assertThat(reader.board()).doesNotContain("there are no events to be had");
        }
        try (Served finder = Served.by(toolOf(database.newUser(Privilege.onCollection("leases", "find"))))) {
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> finder.board().contains("invoices")
                            && finder.board().contains("there are no events to be had"));
        }
    }

    @Test
    @DisplayName("An order with the right to read only is refused, and says which right is missing")
    void anOrderOfAReaderIsRefused() {
        Tool reader = toolOf(database.newUser("read"));
        List<Document> before = documents();

        Tool.Result refused = reader.run("pin", "invoices", "--by", "ops");
        Tool.Result forced = reader.run("force-expire", "invoices", "--reason", "it hangs", "--yes");

        assertThat(refused.exitCode()).isEqualTo(7);
        assertThat(refused.err()).contains("the database user lacks a right");
        assertThat(forced.exitCode()).isEqualTo(7);
        assertThat(documents()).isEqualTo(before);
    }

    /** Heartbeats change the clock document meanwhile. */
    private List<Document> documents() {
        return Service.documents(database).find(new Document("type", "lease")).into(new ArrayList<>());
    }

    @Test
    @DisplayName("The least role that the page has for doctor is enough for all that it looks at")
    void theLeastRoleOfDoctor() throws IOException {
        DatabaseUser user = database.newUser(Privilege.onCollection("leases", "find"));
        MongoDatabase admin = database.client().getDatabase("admin");
        Document role = documentedRole();
        admin.runCommand(role);
        try {
            database.database()
                    .runCommand(new Document("grantRolesToUser", user.name())
                            .append(
                                    "roles",
                                    List.of(new Document("role", role.getString("createRole")).append("db", "admin"))));

            Tool.Result doctor = toolOf(user).run("doctor", "--look", "0s", "--all");

            assertThat(doctor.exitCode()).as(doctor.out() + doctor.err()).isZero();
            assertThat(doctor.out())
                    .doesNotContain("could not be looked at")
                    .doesNotContain("only what this user does itself")
                    .contains("is an ordinary collection")
                    .contains("writeConcernMajorityJournalDefault is true");
        } finally {
            admin.runCommand(new Document("dropRole", role.getString("createRole")));
        }
    }

    private Document documentedRole() throws IOException {
        String page = Files.readString(Path.of("..", "..", "..", "docs", "operations", "settings.md"));
        Matcher role = Pattern.compile(
                        "admin\"\\)\\.runCommand\\((\\{\\s*createRole: \"leaseholdDoctor\".*?)\\)\n```", Pattern.DOTALL)
                .matcher(page);
        assertThat(role.find()).isTrue();
        return Document.parse(role.group(1).replace("\"shop\"", '"' + database.name() + '"'));
    }

    @Test
    @DisplayName("What the server refuses is told without the request, its times and signatures")
    void refusalsAreShort() {
        Tool.Result doctor = toolOf(database.newUser(Privilege.onCollection("leases", "find")))
                .run("doctor", "--look", "0s");

        assertThat(doctor.out())
                .contains("could not be looked at")
                .doesNotContain("clusterTime")
                .doesNotContain("lsid");
    }

    @Test
    void userThatMayReadNothingIsTold() {
        Tool unprivileged = toolOf(database.newUser(Privilege.onCollection("reports", "insert")));

        assertThat(unprivileged.run("list").exitCode()).isEqualTo(7);
        Tool.Result doctor = unprivileged.run("doctor", "--look", "0s");
        assertThat(doctor.exitCode()).isEqualTo(9);
        assertThat(doctor.out()).contains("problem  rights: this user lacks").contains("so nothing can be shown");
    }

    @Test
    void userThatMayWriteHasAllRightsOfAnEngine() {
        Tool.Result doctor = toolOf(database.newUser("readWrite")).run("doctor", "--look", "0s", "--all");

        assertThat(doctor.out()).contains("ok       rights: this user may do all that an engine needs");
    }

    @Test
    void watchingNeedsTheRightToDoSo() {
        Tool reader = toolOf(database.newUser(Privilege.onCollection("leases", "find")));

        Tool.Result refused = reader.run("watch", "--for", "100ms");

        assertThat(refused.exitCode()).isEqualTo(7);
        assertThat(refused.err()).contains("changeStream");
    }

    @Test
    @DisplayName("A password that is wrong is neither shown nor taken for an outage")
    void aWrongPasswordIsNotShown() {
        DatabaseUser user = database.newUser("read");
        String wrong = user.uri().replaceFirst("//([^:]+):[^@]+@", "//$1:s3cr3t@");

        Tool.Result refused = Tool.on(database, wrong).run("list");

        assertThat(refused.exitCode()).as(refused.err()).isEqualTo(7);
        assertThat(refused.out() + refused.err()).doesNotContain("s3cr3t").doesNotContain("mongodb://");
        Tool.Result doctor = Tool.on(database, wrong).run("doctor", "--look", "0s");
        assertThat(doctor.exitCode()).isEqualTo(9);
        assertThat(doctor.out())
                .contains("the servers do not accept the user and password")
                .doesNotContain("s3cr3t");
    }
}
