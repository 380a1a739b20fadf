package dev.leasehold.engine;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.mongodb.ConnectionString;
import com.mongodb.client.MongoClient;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Hooks.Point;
import dev.leasehold.engine.Refusal.Reason;
import dev.leasehold.replicaset.ClientNetwork;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** How handles and engines end, and what they leave. */
class ClosingIT extends WithEngines {

    private static final LeaseRequest SESSION = LeaseRequest.of("name").holder("h");
    private static final LeaseRequest TERM = SESSION.term(ofSeconds(60));

    private final List<LeaseLoss> losses = new CopyOnWriteArrayList<>();
    private TestEngine a;
    private TestEngine b;

    @BeforeEach
    void startBoth() {
        a = engines.start("a");
        b = engines.start("b");
    }

    static List<Arguments> kinds() {
        return List.of(Arguments.of("session", SESSION), Arguments.of("term", TERM));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("kinds")
    @DisplayName("Engines that come and go and give up what they held leave nothing behind in the clock document")
    void anEngineThatHoldsNothingLeavesNothingBehind(String kind, LeaseRequest request) throws InterruptedException {
        a.acquires(request).close();

        a.engine().close();

        assertThat(engines.clockDocument().getDocument("writers")).isEmpty();
        assertThat(b.acquires(request).token()).isEqualTo(2);
    }

    @Test
    @DisplayName(
            "The entry of a closed engine stays where a term that it wrote is held yet, and its driver session is not in it")
    void anEngineWhoseTermsGoOnLeavesItsEntry() throws InterruptedException {
        a.claims("name", "h", ofSeconds(60));

        a.engine().close();

        assertThat(engines.clockDocument().getDocument("writers").values())
                .singleElement()
                .satisfies(entry ->
                        assertThat(entry.asDocument().keySet()).contains("time").doesNotContain("lsid"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("kinds")
    @DisplayName("HA-21: closed by two threads at once, and once more: one release")
    void closedByTwoThreads(String kind, LeaseRequest request) throws Exception {
        Lease lease = a.acquires(request);
        a.hooks().forgetCommands();

        CompletableFuture<Void> other = CompletableFuture.runAsync(lease::close);
        lease.close();
        other.get(30, TimeUnit.SECONDS);
        lease.close();

        assertThat(engines.shortForm("name")).isEqualTo("-/1");
        assertThat(Hooks.numbersOf(a.hooks().commands("update"))).hasSize(1);
    }

    @Test
    @DisplayName("HA-23: closed while a renewal is on its way: vacant afterwards, and not brought back")
    void closedDuringARenewal() throws Exception {
        Lease lease = a.acquires(TERM);
        CompletableFuture<Void> closed = new CompletableFuture<>();
        a.hooks().once(Point.BEFORE_COMMIT, () -> {
            CompletableFuture.runAsync(() -> {
                lease.close();
                closed.complete(null);
            });
            await().until(() -> !lease.isHeld());
        });

        a.clock().advance(ofSeconds(20));
        closed.get(30, TimeUnit.SECONDS);

        assertThat(engines.shortForm("name")).isEqualTo("-/1");
        BsonDocument vacant = stored();
        a.clock().advance(ofSeconds(60));
        a.settles();
        assertThat(stored()).isEqualTo(vacant);
        assertThat(a.engine().tenures().isHeld(lease.tenure())).isFalse();
    }

    @Test
    @DisplayName("HA-31: a body that throws: the lease is given up, and the exception of the body wins")
    void theExceptionOfTheBodyWins() {
        assertThatThrownBy(() -> {
                    try (Lease lease = a.acquires(SESSION)) {
                        throw new IllegalStateException("token " + lease.token());
                    }
                })
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("token 1")
                .hasNoSuppressedExceptions();

        assertThat(engines.shortForm("name")).isEqualTo("-/1");
    }

    @Test
    @DisplayName("HA-32: run while held: with its result, skipped, or with its exception; given up every time")
    void runWhileHeld() throws InterruptedException {
        RunResult<String> ran = a.engine().runWhileHeld(SESSION, lease -> {
            a.commitsUnder(lease.assertion());
            return engines.shortForm("name");
        });
        assertThat(ran).isEqualTo(new RunResult.Ran<>("h/1", true));
        assertThat(engines.shortForm("name")).isEqualTo("-/1");

        Lease other = b.acquires(SESSION);
        RunResult<String> skipped = a.engine().runWhileHeld(SESSION, lease -> "ran");
        assertThat(skipped.ran()).isFalse();
        assertThat(((RunResult.Skipped<String>) skipped).refusal().reason()).isEqualTo(Reason.HELD);
        other.close();

        assertThatThrownBy(() -> a.engine().runWhileHeld(SESSION, lease -> {
                    throw new IOException("body");
                }))
                .isInstanceOf(IOException.class)
                .hasMessage("body");
        assertThat(engines.shortForm("name")).isEqualTo("-/3");
    }

    @Test
    @DisplayName("HA-32: a task whose lease is lost on the way is told so")
    void aTaskWhoseLeaseIsLost() throws InterruptedException {
        RunResult<String> ran = a.engine().runWhileHeld(SESSION, lease -> {
            a.clock().stepWall(ofSeconds(31));
            return "done";
        });

        assertThat(ran).isEqualTo(new RunResult.Ran<>("done", false));
    }

    @Test
    @DisplayName("HA-34: a closed engine ends its waiters, tells its holders, and leaves no thread")
    void aClosedEngineLeavesNothing() throws Exception {
        TestEngine c = engines.start("closing", "c", TestClock.atZ());
        TestEngine d = engines.start("closing", "d", TestClock.atZ());
        d.acquires("held by d");
        Lease session = c.acquires(SESSION);
        Lease term = c.acquires(LeaseRequest.of("term").holder("h").term(ofSeconds(60)));
        session.onLost(losses::add);
        term.onLost(losses::add);
        CompletableFuture<Acquisition> waiting = c.waitsFor("held by d");
        assertThat(threads("leasehold-closing")).isNotEmpty();

        c.close();
        d.close();

        assertThatThrownBy(() -> waiting.get(30, TimeUnit.SECONDS))
                .hasCauseInstanceOf(LeaseEngineClosedException.class);
        await().until(() -> losses.size() == 2);
        assertThat(losses).extracting(LeaseLoss::reason).containsOnly(LeaseLoss.Reason.CLOSED);
        assertThat(session.isHeld() || term.isHeld()).isFalse();
        assertThatThrownBy(() -> c.engine().tryAcquire("name")).isInstanceOf(LeaseEngineClosedException.class);
        session.close();
        term.close();
        await().untilAsserted(() -> assertThat(threads("leasehold-closing")).isEmpty());
    }

    private List<String> threads(String prefix) {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith(prefix))
                .toList();
    }

    /** On the system's clock, with budgets of a second or so. */
    @Nested
    @DisplayName("Without a database")
    class WithoutADatabase {

        private final ClientNetwork network = ClientNetwork.open();
        private MongoClient client;
        private LeaseEngine engine;

        @BeforeEach
        void startBehindANetworkThatCanBeCut() {
            client = engines.database()
                    .newClient(settings -> settings.applyConnectionString(new ConnectionString(
                                    network.uri(engines.database().uri())))
                            .applyToServerSettings(server -> server.heartbeatFrequency(500, TimeUnit.MILLISECONDS))
                            .applyToClusterSettings(cluster -> cluster.serverSelectionTimeout(1, TimeUnit.SECONDS)));
            engine = Engines.onTheSystemsClock(client, engines.database(), "x", ofSeconds(2))
                    .closeBudget(Duration.ofMillis(500))
                    .build();
        }

        @AfterEach
        void mendAndClose() {
            network.mend();
            engine.close();
            client.close();
            network.close();
        }

        /** A budget that is soon over for what must fail may be too short for what must not. */
        private Lease acquires() {
            return await().atMost(ofSeconds(60))
                    .ignoreExceptionsInstanceOf(LeaseException.class)
                    .until(
                            () -> engine.tryAcquire(SESSION),
                            acquisition -> acquisition.asOptional().isPresent())
                    .orElseThrow();
        }

        @Test
        @DisplayName("HA-3: an acquisition fails with an exception, and nothing is held")
        void anAcquisitionFails() throws InterruptedException {
            network.cut(ClientNetwork.Cut.BROKEN);

            assertThatThrownBy(() -> engine.tryAcquire(SESSION)).isInstanceOf(LeaseUnavailableException.class);

            assertThat(engine.tenures().isHeld(new Tenure(Engines.NAMESPACE, "name", "h", 1)))
                    .isFalse();
            assertThat(engine.health().ready()).isFalse();
            network.mend();
            assertThat(engines.shortForm("name")).isEqualTo("none");
            assertThat(acquires().isHeld()).isTrue();
        }

        @Test
        @DisplayName(
                "HA-22: closing a handle throws nothing and does not wait for ever; the lease is given up when there is a database again")
        void closingAHandleThrowsNothing() throws InterruptedException {
            Lease lease = acquires();
            network.cut(ClientNetwork.Cut.SILENT);

            lease.close();

            assertThat(lease.isHeld()).isFalse();
            assertThat(engines.shortForm("name")).isEqualTo("h/1");
            network.mend();
            await().atMost(ofSeconds(30))
                    .untilAsserted(() -> assertThat(engines.shortForm("name")).isEqualTo("-/1"));
        }

        @Test
        @DisplayName(
                "HA-22: closing an engine throws nothing and does not wait for ever; others take its leases when its session is over")
        void closingAnEngineThrowsNothing() throws InterruptedException {
            Lease lease = acquires();
            b.sees("name");
            network.cut(ClientNetwork.Cut.BROKEN);

            engine.close();

            assertThat(lease.isHeld()).isFalse();
            b.isRefused(SESSION.holder("h2"), Reason.HELD);
            b.clock().advance(ofSeconds(30).plusNanos(1));
            assertThat(b.acquires(SESSION.holder("h2")).token()).isEqualTo(2);
        }

        @Test
        @DisplayName("HA-34: a closed engine gives up its leases with a term as well")
        void aClosedEngineGivesUpTerms() throws InterruptedException {
            try (LeaseEngine patient = Engines.onTheSystemsClock(client, engines.database(), "p", ofSeconds(20))
                    .build()) {
                patient.tryAcquire(TERM).orElseThrow();
            }

            assertThat(engines.shortForm("name")).isEqualTo("-/1");
        }
    }
}
