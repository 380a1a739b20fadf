package dev.leasehold.engine.internal.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import com.mongodb.client.ClientSession;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.internal.store.StoredLease;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriteOutcome.Verdict;
import dev.leasehold.replicaset.ClientNetwork;
import dev.leasehold.replicaset.FailPoint;
import dev.leasehold.replicaset.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.Document;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Leases written without a transaction. {@code x}, {@code y} and {@code z} are there, under token 1. */
class SingleWritesIT extends WithStores {

    SingleWritesIT(TestDatabase database) {
        super(database);
    }

    @BeforeEach
    void threeLeases() {
        a.commits(a.insert("x"), a.insert("y"), a.insert("z"));
        stores.sent().forget();
    }

    private List<LeaseWrite.Replace> takes(String... names) {
        return Stream.of(names).map(name -> a.takes(name, "h2", 2)).toList();
    }

    private LeaseWrite.Replace stale(String name) {
        return new LeaseWrite.Replace(a.staleGuard(), a.document(name, "h2", 2), true);
    }

    private WriteOutcome write(List<LeaseWrite.Replace> writes) {
        return a.store().writeLeases("a", writes);
    }

    private WriteOutcome barrier() {
        return a.store().writeClock(new ClockWrite.Barrier("a"));
    }

    private long token(String name) {
        return stores.lease(name).getInt64("token").getValue();
    }

    private List<Long> tokens() {
        return Stream.of("x", "y", "z").map(this::token).toList();
    }

    private static long tokenReadBy(TestWriter writer, String name) {
        StoredLease read =
                writer.store().read(Set.of(name), writer.key()).leases().get(0);
        return ((StoredLease.Sound) read).document().token();
    }

    private void fail(FailPoint how) {
        database.activate(how.forAppName(database.name()));
    }

    @Test
    void allAreOneUpdateOutsideOfTransactions() {
        List<LeaseWrite.Replace> writes = takes("x", "y", "z");
        BsonDocument clock = stores.clock();
        stores.sent().forget();

        assertThat(write(writes)).isEqualTo(WriteOutcome.APPLIED);

        assertThat(tokens()).containsExactly(2L, 2L, 2L);
        assertThat(stores.clock()).isEqualTo(clock);
        assertThat(stores.sent().names()).containsExactly("update");
        BsonDocument update = stores.sent().the("update");
        assertThat(update.getArray("updates")).hasSize(3);
        assertThat(update.getBoolean("ordered").getValue()).isFalse();
        assertThat(update).containsKey("txnNumber").doesNotContainKey("autocommit");
        assertThat(update.getDocument("lsid").getBinary("id").asUuid())
                .isEqualTo(a.store().driverSession());
        assertThat(update.getDocument("writeConcern"))
                .containsEntry("w", new BsonString("majority"))
                .containsEntry("wtimeout", new BsonInt32(250));
        assertThat(update.getNumber("maxTimeMS").longValue()).isEqualTo(750);
    }

    @Test
    @DisplayName(
            "What is sent again is not done again, and counts as it did: the written ones as written, the missed as missed")
    void whatIsSentAgainCountsAsBefore() {
        fail(FailPoint.failCommands("update").withWriteConcernError(64).times(1));

        assertThat(write(takes("x", "y"))).isEqualTo(WriteOutcome.APPLIED);

        fail(FailPoint.failCommands("update").withWriteConcernError(64).times(1));
        assertThat(write(List.of(a.takes("x", "h3", 3), stale("y")))).isEqualTo(WriteOutcome.MISSED);
        assertThat(tokens()).containsExactly(3L, 2L, 1L);
        assertThat(stores.sent().all())
                .filteredOn(command -> command.getFirstKey().equals("update"))
                .extracting(command -> command.getNumber("maxTimeMS").longValue())
                .containsExactly(750L, 500 + Stores.BUDGET.toMillis(), 750L, 500 + Stores.BUDGET.toMillis());
    }

    @Test
    void oneLostAnswerIsAskedForAgainWithoutMoreTimeToWait() {
        List<LeaseWrite.Replace> writes = takes("x", "y");
        stores.sent().forget();
        fail(FailPoint.failCommands("update").closingConnection().times(1));

        assertThat(write(writes)).isEqualTo(WriteOutcome.APPLIED);

        assertThat(stores.sent().all())
                .extracting(command -> command.getNumber("maxTimeMS").longValue())
                .containsExactly(750L, 750L);
        List<BsonValue> numbers = stores.sent().all().stream()
                .map(command -> command.get("txnNumber"))
                .toList();
        assertThat(numbers.get(1)).isEqualTo(numbers.get(0));
    }

    @Test
    void aMissingRightFailsAndNothingIsWritten() {
        List<LeaseWrite.Replace> writes = takes("x", "y");
        fail(FailPoint.failCommands("update").withErrorCode(13).times(1));

        WriteOutcome outcome = write(writes);

        assertThat(outcome.verdict()).isEqualTo(Verdict.FAILED);
        assertThat(outcome.cause()).hasMessageContaining("readWrite");
        assertThat(tokens()).containsExactly(1L, 1L, 1L);
    }

    @Test
    @DisplayName("A refusal of some says nothing of the others; a refusal of all says that none was written")
    void aRefusalOfOneOfSeveralIsToBeRead() {
        database.database().runCommand(Document.parse("{collMod: 'leases', validator: {holder: {$ne: 'no'}}}"));
        LeaseWrite.Replace refused = a.takes("x", "no", 2);

        WriteOutcome partly = write(List.of(refused, takes("y").get(0)));

        assertThat(partly.verdict()).isEqualTo(Verdict.CONFLICT);
        assertThat(partly.cause()).hasMessageContaining("validation");
        assertThat(tokens()).containsExactly(1L, 2L, 1L);
        assertThat(write(List.of(refused, a.takes("z", "no", 2))).verdict()).isEqualTo(Verdict.FAILED);
        assertThat(tokens()).containsExactly(1L, 2L, 1L);
    }

    /** A writer whose way to the server is cut while its write waits there, behind a caller's transaction. */
    private void withAnUnknownWrite(Duration patience, UnknownWrite action) {
        try (ClientNetwork network = ClientNetwork.open()) {
            TestWriter b = new TestWriter(
                    stores.openPatient(
                            patience,
                            client -> client.applyConnectionString(new ConnectionString(network.uri(database.uri())))
                                    .applyToServerSettings(
                                            server -> server.heartbeatFrequency(500, TimeUnit.MILLISECONDS))
                                    .applyToClusterSettings(
                                            cluster -> cluster.serverSelectionTimeout(2, TimeUnit.SECONDS))),
                    "b");
            b.registered();
            LeaseWrite.Replace write = b.takes("x", "h2", 2);
            try (ClientSession caller = stores.openTransactionOn("billing#x")) {
                var outcome = CompletableFuture.supplyAsync(() -> b.store().writeLeases("b", List.of(write)));
                Awaitility.await().until(() -> stores.isServerBusyWithAnUpdate() || outcome.isDone());
                network.cut(ClientNetwork.Cut.BROKEN);

                assertThat(outcome.join().verdict()).isEqualTo(Verdict.UNKNOWN);
                network.mend();
                action.goesOn(b, caller);
            }
        }
    }

    private interface UnknownWrite {
        void goesOn(TestWriter writer, ClientSession caller);
    }

    private static WriteOutcome barrierOf(TestWriter writer) {
        return writer.store().writeClock(new ClockWrite.Barrier(writer.key()));
    }

    private static void untilABarrierIsDone(TestWriter writer) {
        Awaitility.await().until(() -> barrierOf(writer).verdict() == Verdict.APPLIED);
    }

    @Test
    @DisplayName(
            "A write of unknown outcome is over when a barrier is done, though the transaction that it waited for is still open")
    void aWriteOfUnknownOutcomeDoesNotAppearBehindABarrier() {
        withAnUnknownWrite(Duration.ofSeconds(5), (b, caller) -> {
            untilABarrierIsDone(b);

            assertThat(tokenReadBy(b, "x")).isEqualTo(1);
            caller.commitTransaction();
            assertThat(barrierOf(b)).isEqualTo(WriteOutcome.APPLIED);
            assertThat(tokenReadBy(b, "x")).isEqualTo(1);
        });
    }

    @Test
    @DisplayName(
            "A write of unknown outcome that goes on waiting in the server holds a barrier up, which then tells that it was written")
    void aBarrierWaitsForAWriteThatStillWaits() {
        withAnUnknownWrite(Duration.ofSeconds(20), (b, caller) -> {
            assertThat(stores.isServerBusyWithAnUpdate())
                    .as("nothing has told the server")
                    .isTrue();
            var barrier = CompletableFuture.supplyAsync(() -> {
                untilABarrierIsDone(b);
                return tokenReadBy(b, "x");
            });
            Awaitility.await().until(stores::isAnUpdateBehindAnotherOne);
            assertThat(barrier).isNotDone();
            caller.commitTransaction();

            assertThat(barrier.join()).isEqualTo(2);
        });
    }
}
