package dev.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.MongoClient;
import dev.leasehold.replicaset.ActiveFailPoint;
import dev.leasehold.replicaset.FailPoint;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A server that turns away a part of all commands, as MongoDB from 8.2 on does under load. */
@WithReplicaSet
class LoadSheddingIT {

    private static final int SHED = 463;
    /** All that an engine sends after its start, but what ends cursors and sessions, whose answers nothing waits for. */
    private static final String[] COMMANDS = {
        "update", "delete", "find", "getMore", "aggregate", "commitTransaction", "abortTransaction", "killSessions"
    };
    /** How long the server sheds load at the least: a minute in a nightly run. */
    private static final Duration LEAST =
            Boolean.getBoolean("leasehold.nightly") ? Duration.ofMinutes(1) : Duration.ZERO;

    private static final Duration TERM = Duration.ofSeconds(12);

    private final ExecutorService callers = Executors.newCachedThreadPool();
    private TestDatabase database;
    private LeaseEngine a;
    private LeaseEngine b;

    @BeforeEach
    void start(TestDatabase fresh) {
        database = fresh;
        a = engine("a");
        b = engine("b");
    }

    @AfterEach
    void end() {
        callers.shutdownNow();
        a.close();
        b.close();
        SchemaCheck.of(database);
    }

    /**
     * If a machine is so busy that a write exceeds its time limit, the driver takes the primary for unknown until its next heartbeat,
     * after 10 s by default. That is not what is tested here.
     */
    private LeaseEngine engine(String instance) {
        MongoClient client = database.newClient(settings ->
                settings.applyToServerSettings(server -> server.heartbeatFrequency(500, TimeUnit.MILLISECONDS)));
        return Engines.start(Engines.onTheSystemsClock(client, database, instance, Duration.ofSeconds(6))
                .sessionLength(Duration.ofSeconds(9)));
    }

    private ActiveFailPoint shedding(double probability) {
        return database.activate(FailPoint.failCommands(COMMANDS)
                .withErrorCode(SHED)
                .withErrorLabels("SystemOverloadedError", "RetryableError", "NoWritesPerformed")
                .withProbability(probability)
                .forAppName(database.name()));
    }

    /** Whether the server still has commands to turn away. */
    private static BooleanSupplier until(ActiveFailPoint shedding, int times) {
        long startNanos = System.nanoTime();
        return () -> shedding.timesEntered() < times || System.nanoTime() - startNanos < LEAST.toNanos();
    }

    @Test
    @DisplayName("One command in twenty: every call succeeds, and no lease is lost")
    void ofOneCommandInTwentyNoCallFails() throws InterruptedException {
        List<LeaseLoss> losses = new CopyOnWriteArrayList<>();
        List<Lease> held = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            LeaseRequest request = LeaseRequest.of("held-" + i);
            Lease lease = (i % 2 == 0 ? a : b)
                    .tryAcquire(i < 5 ? request : request.term(TERM, Duration.ofSeconds(1)))
                    .orElseThrow();
            lease.onLost(losses::add);
            held.add(lease);
        }

        try (ActiveFailPoint shedding = shedding(0.05)) {
            BooleanSupplier goOn = until(shedding, 40);
            for (int i = 0; goOn.getAsBoolean(); i++) {
                // A first document, a vacant lease, one that the other engine has had.
                try (Lease lease = (i % 2 == 0 ? a : b)
                        .acquire(LeaseRequest.of("busy-" + i % 20).waitAtMost(Duration.ofSeconds(5)))) {
                    assertThat(lease.isHeld()).isTrue();
                }
                a.tenures().claim("claimed-" + i, "h", TERM).orElseThrow();
            }
        }

        assertThat(losses).isEmpty();
        assertThat(held).allMatch(Lease::isHeld);
        held.forEach(Lease::close);
    }

    @Test
    @DisplayName("Every other command: calls may fail, but two never hold, tokens grow, and all is well afterwards")
    void ofEveryOtherCommandNothingGoesWrong() throws Exception {
        AtomicInteger holders = new AtomicInteger();
        List<String> wrong = new CopyOnWriteArrayList<>();
        List<Long> tokens = Collections.synchronizedList(new ArrayList<>());

        try (ActiveFailPoint shedding = shedding(0.5)) {
            BooleanSupplier goOn = until(shedding, 50);
            List<CompletableFuture<Void>> both =
                    List.of(contending(a, goOn, holders, tokens, wrong), contending(b, goOn, holders, tokens, wrong));
            for (CompletableFuture<Void> one : both) {
                one.get(3, TimeUnit.MINUTES);
            }
        }

        assertThat(wrong).isEmpty();
        assertThat(tokens).isSorted().doesNotHaveDuplicates();
        for (LeaseEngine engine : List.of(a, b)) {
            try (Lease lease = engine.acquire(LeaseRequest.of("contended").waitAtMost(Duration.ofSeconds(30)))) {
                assertThat(tokens).allMatch(token -> token < lease.token());
            }
        }
        await().until(() -> a.leases().stream().allMatch(state -> state.status() == LeaseStatus.FREE));
    }

    private CompletableFuture<Void> contending(
            LeaseEngine engine, BooleanSupplier goOn, AtomicInteger holders, List<Long> tokens, List<String> wrong) {
        return CompletableFuture.runAsync(
                () -> {
                    while (goOn.getAsBoolean()) {
                        try (Lease lease =
                                engine.acquire(LeaseRequest.of("contended").waitAtMost(Duration.ofSeconds(2)))) {
                            if (holders.incrementAndGet() != 1 && lease.isHeld()) {
                                wrong.add("two hold it");
                            }
                            tokens.add(lease.token());
                            holders.decrementAndGet();
                        } catch (LeaseUnavailableException
                                | LeaseContentionException
                                | LeaseRefusedException
                                | LeaseOutcomeUnknownException e) {
                            // Half of all commands: some calls run out of their time.
                        } catch (InterruptedException e) {
                            throw new AssertionError(e);
                        }
                    }
                },
                callers);
    }
}
