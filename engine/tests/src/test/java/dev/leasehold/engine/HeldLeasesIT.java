package dev.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Ten thousand leases that one session keeps, on the system's clock: what they cost is counted in commands. */
@WithReplicaSet
class HeldLeasesIT {

    private static final int LEASES = 10_000;
    private static final int PERIODS = 5;
    private static final int SMALL_BYTES = 1_000;
    private static final Duration PERIOD = Duration.ofMillis(400);
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    /** All of them are asked for at once, on a machine that may have other things to do. */
    private static final Duration BUDGET = Duration.ofSeconds(25);

    /** Every command of one client, apart from those with which the driver watches the servers. */
    private static final class Sent implements CommandListener {

        private final ConcurrentLinkedQueue<BsonDocument> commands = new ConcurrentLinkedQueue<>();

        @Override
        public void commandStarted(CommandStartedEvent event) {
            commands.add(event.getCommand().clone());
        }

        /** The change stream listens with {@code getMore}, which writes nothing. */
        List<BsonDocument> butForListening() {
            return commands.stream()
                    .filter(command -> !command.getFirstKey().equals("getMore"))
                    .toList();
        }

        void forget() {
            commands.clear();
        }
    }

    private final Sent sent = new Sent();
    private Engines stored;
    private LeaseEngine engine;

    @BeforeEach
    void start(TestDatabase database) {
        stored = new Engines(database);
        engine = Engines.onTheSystemsClock(
                        database.newClient(client -> client.addCommandListener(sent)), database, "holder", BUDGET)
                .heartbeatPeriod(PERIOD)
                .build();
    }

    @AfterEach
    void end() {
        engine.close();
        stored.close();
    }

    private List<Lease> acquireAll() {
        long startNanos = System.nanoTime();
        List<CompletableFuture<Lease>> all = IntStream.range(0, LEASES)
                .mapToObj(each -> engine.acquireAsync(
                                LeaseRequest.of("lease-" + each).waitAtMost(PATIENCE))
                        .toCompletableFuture())
                .toList();
        List<Lease> leases = all.stream().map(CompletableFuture::join).toList();
        System.out.printf(
                Locale.ROOT,
                "%d leases were acquired in %d ms, with %d commands%n",
                LEASES,
                (System.nanoTime() - startNanos) / 1_000_000,
                sent.commands.size());
        return leases;
    }

    private static boolean isSmallWriteOfTheClock(BsonDocument command) {
        if (!command.getFirstKey().equals("update") || command.containsKey("startTransaction")) {
            return false;
        }
        List<BsonDocument> updates = command.getArray("updates").stream()
                .map(each -> each.asDocument())
                .toList();
        return updates.size() == 1
                && updates.get(0).getDocument("q").getString("_id").getValue().equals(Engines.NAMESPACE)
                && command.toJson().length() < SMALL_BYTES;
    }

    /** The read of the newest stamps of all writers. */
    private static boolean isLookAtWriters(BsonDocument command) {
        return command.getFirstKey().equals("aggregate")
                && command.toJson().contains("\"_id\": \"" + Engines.NAMESPACE + "\"");
    }

    private static boolean isOfTheClock(BsonDocument command) {
        return isSmallWriteOfTheClock(command) || isLookAtWriters(command);
    }

    @Test
    @DisplayName(
            "SE-15: ten thousand leases cost one small write and one small read a period, and one write when the engine is closed")
    void tenThousandLeasesCostOneSmallWriteAPeriod() throws InterruptedException {
        List<Lease> leases = acquireAll();

        long fromNanos = untilHeldLeasesWerePolled();
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> sent.butForListening().stream()
                                .filter(HeldLeasesIT::isSmallWriteOfTheClock)
                                .count()
                        >= PERIODS);
        List<BsonDocument> kept = new ArrayList<>(sent.butForListening());
        long periods = (System.nanoTime() - fromNanos) / PERIOD.toNanos();

        assertThat(kept).allMatch(HeldLeasesIT::isOfTheClock);
        assertThat(kept).filteredOn(HeldLeasesIT::isSmallWriteOfTheClock).hasSizeLessThanOrEqualTo((int) periods + 1);
        assertThat(kept).filteredOn(HeldLeasesIT::isLookAtWriters).hasSizeLessThanOrEqualTo((int) periods + 1);
        assertThat(leases).allMatch(Lease::isHeld);

        sent.forget();
        engine.close();

        List<BsonDocument> atTheEnd = sent.butForListening().stream()
                .filter(command -> !isCleaningUp(command))
                .toList();
        // The next heartbeat may have been due.
        assertThat(atTheEnd).allMatch(HeldLeasesIT::isOfTheClock);
        assertThat(atTheEnd)
                .filteredOn(HeldLeasesIT::isSmallWriteOfTheClock)
                .filteredOn(HeldLeasesIT::removesAnEntry)
                .hasSize(1);
        assertThat(leases).noneMatch(Lease::isHeld);
        assertAllAreFree();
    }

    /**
     * That is done once, when the change stream has opened: then nothing more is read, and heartbeats follow each other.
     * Says since when commands are counted, by the system's monotonic clock.
     */
    private long untilHeldLeasesWerePolled() {
        Awaitility.await().atMost(PATIENCE).until(() -> {
            boolean quiet = sent.butForListening().stream().allMatch(HeldLeasesIT::isOfTheClock);
            if (!quiet) {
                sent.forget();
            }
            return quiet && sent.butForListening().size() >= 2;
        });
        long fromNanos = System.nanoTime();
        sent.forget();
        return fromNanos;
    }

    private static boolean removesAnEntry(BsonDocument command) {
        return command.getArray("updates").get(0).asDocument().getDocument("u").containsKey("$unset");
    }

    /** What the driver sends to give back what it had of the server. */
    private static boolean isCleaningUp(BsonDocument command) {
        return List.of("killCursors", "endSessions").contains(command.getFirstKey());
    }

    private void assertAllAreFree() throws InterruptedException {
        try (LeaseEngine heir = Engines.onTheSystemsClock(
                        stored.database().newClient(), stored.database(), "heir", BUDGET)
                .build()) {
            assertThat(heir.leases()).hasSize(LEASES).allMatch(state -> state.status() == LeaseStatus.FREE);
            assertThat(heir.tryAcquire("lease-7").orElseThrow().token()).isEqualTo(2);
        }
    }
}
