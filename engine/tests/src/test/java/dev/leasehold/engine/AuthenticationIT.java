package dev.leasehold.engine;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ch.qos.logback.classic.Level;
import com.mongodb.ConnectionString;
import com.mongodb.MongoCredential;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.leasehold.assertions.LeaseAssertion;
import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.world.LogCapture;
import dev.leasehold.replicaset.ActiveFailPoint;
import dev.leasehold.replicaset.DatabaseUser;
import dev.leasehold.replicaset.FailPoint;
import dev.leasehold.replicaset.Privilege;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithOwnReplicaSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.awaitility.Awaitility;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Engines whose database user has just the rights that are documented, fewer, or none. */
@WithOwnReplicaSet(nodes = 1, authentication = true)
class AuthenticationIT {

    private static final String LIST = "listCollections";
    private static final List<String> ON_THE_COLLECTION = List.of("find", "insert", "update", "remove", "changeStream");
    private static final String REPORTS = "reports";
    private static final Duration RETENTION = ofHours(1);
    private static final int MAX_TIME_EXPIRED = 50;
    /** An engine that is told of no changes. */
    private static final Duration LOOKS_EVERY = ofSeconds(5);

    private static final long PATIENCE_SECONDS = 60;

    private TestDatabase database;
    private Engines engines;

    @BeforeEach
    void noEngineYet(TestDatabase fresh) {
        database = fresh;
        engines = new Engines(database);
    }

    @AfterEach
    void check() {
        engines.close();
    }

    private TestEngine start(String instance, DatabaseUser user) {
        return startAs(instance, user.credential());
    }

    private TestEngine startAs(String instance, MongoCredential credential) {
        return engines.startWith(instance, settings -> settings.credential(credential));
    }

    /** The other documented actions, and what a caller needs besides them to write its own documents. */
    private DatabaseUser userWithout(String... missing) {
        List<String> actions = new ArrayList<>(ON_THE_COLLECTION);
        actions.removeAll(List.of(missing));
        List<Privilege> privileges = new ArrayList<>(
                List.of(new Privilege(Engines.COLLECTION, actions), Privilege.onCollection(REPORTS, "insert")));
        if (!List.of(missing).contains(LIST)) {
            privileges.add(Privilege.onDatabase(LIST));
        }
        return database.newUser(privileges.toArray(Privilege[]::new));
    }

    private static CompletableFuture<Lease> acquires(TestEngine engine, String name) {
        return engine.engine()
                .acquireAsync(LeaseRequest.of(name).waitAtMost(ofHours(1)))
                .toCompletableFuture();
    }

    private static void untilAWaiterIsThere(TestEngine engine) {
        Awaitility.await().until(() -> engine.engine().health().waiters() == 1);
    }

    private static Lease get(CompletableFuture<Lease> waiting) {
        return waiting.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
    }

    private DatabaseUser userWithTheDocumentedActions() {
        return userWithout();
    }

    private ThrowableAssertAlternative<LeaseStoreException> assertRefused(ThrowingCallable call) {
        return assertThatExceptionOfType(LeaseStoreException.class)
                .isThrownBy(call)
                .withMessageStartingWith(
                        "namespace 'billing' in '" + database.name() + "." + Engines.COLLECTION + "': ");
    }

    private void assertRightIsMissing(String command, ThrowingCallable call) {
        assertRefused(call)
                .withMessageContaining("the database user lacks a right")
                .withMessageContaining("find, insert, update, remove, changeStream and listCollections")
                .withMessageContaining("readWrite on database '" + database.name() + "'")
                .withMessageContaining(
                        "not authorized on " + database.name() + " to execute command " + command + " (13");
    }

    @Nested
    class WithTheRightToRead {

        private LeaseInspector inspector(DatabaseUser user) {
            return LeaseEngine.builder(user.newClient())
                    .database(database.name())
                    .collection(Engines.COLLECTION)
                    .namespace(Engines.NAMESPACE)
                    .buildInspector();
        }

        @Test
        void anInspectorShowsAllThatThereIs() throws InterruptedException {
            TestEngine a = start("a", userWithTheDocumentedActions());
            try (LeaseInspector inspector = inspector(database.newUser("read"));
                    LeaseEvents events = inspector.events()) {
                events.await();
                a.acquires("name");

                assertThat(inspector.leases()).extracting(LeaseDetails::name).containsExactly("name");
                assertThat(inspector.inspect("name").writer()).isEqualTo(a.writer());
                assertThat(inspector.writers())
                        .extracting(WriterState::instance)
                        .containsExactly("a");
                Awaitility.await().until(() -> !events.await().isEmpty());
            }
        }

        @Test
        void findAloneIsEnoughForAllButEvents() throws InterruptedException {
            start("a", userWithTheDocumentedActions()).acquires("name");
            try (LeaseInspector inspector =
                            inspector(database.newUser(Privilege.onCollection(Engines.COLLECTION, "find")));
                    LeaseEvents events = inspector.events()) {
                assertThat(inspector.leases()).hasSize(1);
                assertThat(inspector.writers()).hasSize(1);
                assertThat(inspector.clocks()).hasSize(1);
                assertThatExceptionOfType(LeaseStoreException.class)
                        .isThrownBy(events::await)
                        .withMessageContaining("may not watch the collection");
            }
        }

        @Test
        void userThatMayNotReadIsTold() {
            assertRefused(() -> inspector(database.newUser(Privilege.onCollection(REPORTS, "insert"))))
                    .withMessageContaining("the database user lacks a right");
        }
    }

    @Nested
    class WithTheDocumentedRights {

        @Test
        void theRoleReadWriteIsEnough() throws InterruptedException {
            usesEverything(database.newUser("readWrite"));
        }

        @Test
        void theDocumentedActionsAreEnough() throws InterruptedException {
            usesEverything(userWithTheDocumentedActions());
        }

        private void usesEverything(DatabaseUser user) throws InterruptedException {
            TestEngine a = start("a", user);
            TestEngine b = start("b", user);
            Tenure first = a.claims("name", "h", ofSeconds(60));
            a.extendsTo(first, ofSeconds(120));
            writesGatedReport(a, first);
            b.sees("name");
            b.clock().advance(ofSeconds(121));

            Tenure second = b.takesOver("name", "h2", ofSeconds(60));
            b.clock().advance(ofSeconds(61));
            b.expires("name");
            b.releases(b.claims("name", "h3", ofSeconds(60)));
            handsOver(a, b);

            assertThat(second.token()).isEqualTo(2);
            assertThat(b.lists("name")).isInstanceOf(LeaseState.Vacant.class);
            removesTheVacantLease(b);
            a.close();
            assertThat(engines.clockDocument().getDocument("writers").values())
                    .filteredOn(entry -> entry.asDocument().containsKey("lsid"))
                    .as("entries of engines that are open")
                    .hasSize(1);
        }

        /** Only a change that b is told of wakes it: no time passes, and so it never polls by itself. */
        private void handsOver(TestEngine a, TestEngine b) throws InterruptedException {
            Lease held = a.engine().tryAcquire(LeaseRequest.of("handed over")).orElseThrow();
            CompletableFuture<Lease> waiting = acquires(b, "handed over");
            untilAWaiterIsThere(b);

            held.close();

            try (Lease next = get(waiting)) {
                assertThat(next.token()).isEqualTo(held.token() + 1);
            }
        }

        private void writesGatedReport(TestEngine engine, Tenure tenure) {
            LeaseAssertion assertion = engine.engine().tenures().assertion(tenure);
            MongoCollection<Document> reports =
                    engine.client().getDatabase(database.name()).getCollection(REPORTS);
            try (ClientSession session = engine.client().startSession()) {
                session.withTransaction(() -> {
                    reports.insertOne(session, new Document());
                    assertion.check(session);
                    return null;
                });
            }
            assertThat(database.database().getCollection(REPORTS).countDocuments())
                    .isOne();
        }

        private void removesTheVacantLease(TestEngine engine) throws InterruptedException {
            engine.engine().housekeeping();
            engine.clock().advance(RETENTION.plusSeconds(1));

            assertThat(engine.engine().housekeeping().leasesRemoved()).isEqualTo(2);
            assertThat(engines.leaseDocument("name")).isNull();
        }

        @Test
        void anEngineMayEndItsOwnTransactionOfUnknownOutcome() throws InterruptedException {
            DatabaseUser user = userWithTheDocumentedActions();
            TestEngine a = engines.startWith(
                    "a", settings -> settings.credential(user.credential()).retryWrites(false));
            a.claims("other", "h", ofSeconds(60));
            ActiveFailPoint lostCommits = database.activate(FailPoint.failCommands("commitTransaction")
                    .withErrorCode(MAX_TIME_EXPIRED)
                    .times(2)
                    .forAppName(database.name()));

            assertThat(a.claims("name", "h", ofSeconds(60)).token()).isEqualTo(1);

            assertThat(lostCommits.timesEntered()).isEqualTo(2);
        }
    }

    @Nested
    class OfACallerThatOnlyGates {

        private Tenure tenure;

        @BeforeEach
        void aLeaseIsHeld() throws InterruptedException {
            tenure = start("a", userWithTheDocumentedActions()).claims("name", "h", ofSeconds(60));
        }

        @Test
        void theRightToUpdateTheLeasesIsEnough() {
            assertsAs(caller("update"));

            assertThat(engines.leaseDocument("name").getInt64("gates").getValue())
                    .isOne();
        }

        @Test
        void withoutFindItIsOnlyNotToldWhatIsThereInstead() {
            Tenure other = new Tenure(tenure.namespace(), tenure.name(), "h2", 7);

            assertThatExceptionOfType(LeaseNotHeldException.class)
                    .isThrownBy(() -> assertsAs(other, caller("update")))
                    .withMessageContaining("could not be read");
            assertThatExceptionOfType(LeaseNotHeldException.class)
                    .isThrownBy(() -> assertsAs(other, caller("update", "find")))
                    .withMessageContaining("held by 'h'");
        }

        private DatabaseUser caller(String... actions) {
            return database.newUser(Privilege.onCollection(Engines.COLLECTION, actions));
        }

        private void assertsAs(DatabaseUser caller) {
            assertsAs(tenure, caller);
        }

        private void assertsAs(Tenure asserted, DatabaseUser caller) {
            MongoClient client = caller.newClient();
            LeaseAssertion assertion = LeaseAssertion.of(
                    asserted, client.getDatabase(database.name()).getCollection(Engines.COLLECTION));
            try (ClientSession session = client.startSession()) {
                session.withTransaction(() -> {
                    assertion.check(session);
                    return null;
                });
            }
        }
    }

    @Nested
    class WithoutOneOfThem {

        @ParameterizedTest
        @CsvSource({"listCollections, listCollections", "update, update", "insert, update", "find, find"})
        void theEngineStartsNeitherOnAFreshDatabaseNorOnOneInUse(String missing, String command)
                throws InterruptedException {
            assertRightIsMissing(command, () -> start("a", userWithout(missing)));
            start("a", userWithTheDocumentedActions()).claims("name", "h", ofSeconds(60));

            assertRightIsMissing(command, () -> start("b", userWithout(missing)));
        }

        @Test
        void onlyTheRemovalOfAVacantLeaseTellsThatRemoveIsMissing() throws InterruptedException {
            TestEngine a = start("a", userWithout("remove"));
            a.releases(a.claims("name", "h", ofSeconds(60)));
            assertThat(a.engine().housekeeping().leasesRemoved()).isZero();
            a.clock().advance(RETENTION.plusSeconds(1));

            assertRightIsMissing("delete", a.engine()::housekeeping);

            assertThat(engines.shortForm("name")).isEqualTo("-/1");
            assertThat(a.claims("name", "h", ofSeconds(60)).token()).isEqualTo(2);
        }
    }

    @Nested
    class WithoutTheRightToWatch {

        private static final String CANNOT_WATCH = "does not let this engine watch for changes";

        @Test
        void anAcquisitionWithAWaitWorksAllTheSameOnlyLater() throws InterruptedException {
            TestEngine a = start("a", userWithTheDocumentedActions());
            TestEngine b = start("b", userWithout("changeStream"));
            Lease held = a.engine().tryAcquire(LeaseRequest.of("name")).orElseThrow();
            try (LogCapture log = new LogCapture()) {
                CompletableFuture<Lease> waiting = acquires(b, "name");
                Awaitility.await().until(() -> !log.messages(Level.INFO).isEmpty());
                held.close();
                b.engine().refresh(List.of("name"));
                assertThat(waiting).isNotDone();

                b.clock().advance(LOOKS_EVERY);

                try (Lease next = get(waiting)) {
                    assertThat(next.token()).isEqualTo(held.token() + 1);
                    assertThat(log.messages(Level.INFO))
                            .singleElement()
                            .asString()
                            .contains(CANNOT_WATCH)
                            .contains("Needed are changeStream and find on it")
                            .contains("to execute command aggregate");
                }
            }
        }
    }

    @Nested
    class WithRightsThatChange {

        private DatabaseUser user;
        private TestEngine a;
        private Tenure held;

        @BeforeEach
        void theRoleIsTakenAwayFromAnEngineThatHolds() throws InterruptedException {
            user = database.newUser("readWrite");
            a = start("a", user);
            held = a.claims("name", "h", ofSeconds(60));
            change("revokeRolesFromUser");
        }

        private void change(String command) {
            database.database().runCommand(new Document(command, user.name()).append("roles", List.of("readWrite")));
        }

        @Test
        void everyOperationSaysSoAndWhatIsHeldStaysHeld() {
            assertRightIsMissing("find", () -> a.engine().tenures().claim("other", "h", ofSeconds(60)));
            assertRightIsMissing("update", () -> a.engine().tenures().extend(held, ofHours(1)));
            assertRightIsMissing("find", () -> a.engine().leases());

            assertThat(a.engine().tenures().isHeld(held)).isTrue();
        }

        @Test
        void theEngineGoesOnWhenTheRoleIsThereAgain() throws InterruptedException {
            assertRightIsMissing("update", () -> a.engine().tenures().extend(held, ofHours(1)));
            change("grantRolesToUser");

            assertThat(a.extendsTo(held, ofHours(1))).isEqualTo(held);
        }

        @Test
        void itClosesAllTheSameAndSaysWhatItLeftBehind() {
            try (LogCapture log = new LogCapture()) {
                a.close();

                assertThat(log.warnings())
                        .singleElement()
                        .asString()
                        .contains("could not take its driver session out of the clock document")
                        .contains("to execute command update");
            }
        }
    }

    @Nested
    class WithoutAny {

        @Test
        void aWrongPasswordIsSaidAsSuch() {
            DatabaseUser user = userWithTheDocumentedActions();
            MongoCredential wrong =
                    MongoCredential.createCredential(user.name(), database.name(), "guessed".toCharArray());

            assertRefused(() -> startAs("a", wrong))
                    .withMessageContaining("the database does not accept the client's credentials")
                    .withMessageContaining(user.name())
                    .withMessageNotContaining("guessed");
        }

        @Test
        void missingCredentialsAreSaidAsSuch() {
            String servers = String.join(",", new ConnectionString(database.uri()).getHosts());
            try (MongoClient client = MongoClients.create("mongodb://" + servers)) {
                assertRefused(() -> LeaseEngine.builder(client)
                                .database(database.name())
                                .namespace(Engines.NAMESPACE)
                                .build())
                        .withMessageContaining("requires authentication");
            }
        }

        @ParameterizedTest
        @ValueSource(strings = {"read", "dbAdmin"})
        void otherRolesAreNotEnough(String role) {
            assertRefused(() -> start("a", database.newUser(role))).withMessageContaining("lacks a right");
        }
    }
}
