package dev.leasehold.engine.internal.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.model.Updates;
import com.mongodb.event.CommandFailedEvent;
import com.mongodb.event.CommandListener;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.GuardedTransaction;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriteOutcome.Verdict;
import dev.leasehold.replicaset.FailPoint;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Writes of the clock document alone. */
@WithReplicaSet
class ClockWriteIT {

    private final TestDatabase database;
    private final Stores stores;
    private final MongoLeaseStore store;
    private final TestWriter a;

    ClockWriteIT(TestDatabase database) {
        this.database = database;
        stores = new Stores(database);
        store = stores.open();
        a = new TestWriter(store, "a");
    }

    @AfterEach
    void close() {
        stores.close();
    }

    static Stream<ClockWrite> writesThatUnlist() {
        return Stream.of(new ClockWrite.Unlist("b"), new ClockWrite.Leave("b"));
    }

    @ParameterizedTest
    @MethodSource("writesThatUnlist")
    void aDriverSessionThatIsNotListedAnyMoreGoesBackToTheApplication(ClockWrite write) {
        MongoClient client = stores.client(settings -> {});
        TestWriter b = new TestWriter(stores.on(client, Stores.BUDGET), "b").registered();
        assertThat(b.store().writeClock(write)).isEqualTo(WriteOutcome.APPLIED);

        b.store().close();

        assertThat(nextSessions(client)).contains(b.store().driverSession());
    }

    @Test
    @DisplayName(
            "A driver session that a clock document of a newer schema goes on naming never goes back to the application")
    void aDriverSessionThatStaysListedIsKept() {
        stores.expectCorruptDocuments();
        MongoClient client = stores.client(settings -> {});
        TestWriter b = new TestWriter(stores.on(client, Stores.BUDGET), "b").registered();
        stores.edit("billing", Updates.set("schema", 2));
        assertThat(b.store().writeClock(new ClockWrite.Unlist("b"))).isEqualTo(WriteOutcome.MISSED);

        b.store().close();

        assertThat(stores.entry("b")).containsKey("lsid");
        assertThat(nextSessions(client)).doesNotContain(b.store().driverSession());
    }

    @Test
    @DisplayName(
            "A join without an answer leaves an entry behind that names the driver session, whatever becomes of the next writer")
    void aDriverSessionOfAnAbandonedWriterIsKept() {
        MongoClient client = stores.client(settings -> {});
        TestWriter b = new TestWriter(stores.on(client, Stores.BUDGET), "b").registered();
        fail(FailPoint.failCommands("update").withWriteConcernError(64).times(2));
        assertThat(b.store().writeClock(b.join(30_000_000_000L)).verdict()).isEqualTo(Verdict.UNKNOWN);
        new TestWriter(b.store(), "next").registered();
        assertThat(b.store().writeClock(new ClockWrite.Leave("next"))).isEqualTo(WriteOutcome.APPLIED);

        b.store().close();

        assertThat(nextSessions(client)).doesNotContain(b.store().driverSession());
    }

    /** More than a closed store gives back. */
    private static List<UUID> nextSessions(MongoClient client) {
        return Stream.generate(client::startSession)
                .limit(4)
                .map(session -> session.getServerSession()
                        .getIdentifier()
                        .getBinary("id")
                        .asUuid())
                .toList();
    }

    @Test
    @DisplayName(
            "A client whose timeout is 0, which means none, does not wait without end behind a transaction that stays")
    void aTimeoutOfZeroIsNone() {
        MongoLeaseStore patient = stores.open(settings -> settings.timeout(0, TimeUnit.MILLISECONDS));

        try (ClientSession other = stores.openTransactionOn("billing")) {
            // The driver tells it as a timeout of its own, so the server may still carry it out.
            assertThat(patient.writeClock(new ClockWrite.Barrier("a")).verdict())
                    .isEqualTo(Verdict.UNKNOWN);
            other.commitTransaction();
        }
    }

    @Test
    @DisplayName(
            "A write of the clock ends what an abort that was lost has left open, whatever the client's retryWrites says")
    void aWriteEndsWhatItsOwnSessionLeftOpen() {
        TestWriter b = new TestWriter(stores.open(settings -> settings.retryWrites(false)), "b").registered();
        fail(FailPoint.failCommands("abortTransaction").closingConnection().times(2));
        GuardedTransaction transaction = new GuardedTransaction(b.clock(), List.of(b.insert("x")), false);
        assertThat(b.store().commit(transaction, () -> false)).isEqualTo(WriteOutcome.WITHHELD);
        assertThat(stores.clockIsFree()).isFalse();

        assertThat(b.store().writeClock(new ClockWrite.Barrier("b"))).isEqualTo(WriteOutcome.APPLIED);

        assertThat(stores.clockIsFree()).isTrue();
    }

    @Test
    @DisplayName("A client that is closed while a lost answer is asked for again leaves the write unknown, not undone")
    void aClientClosedBehindALostAnswerLeavesTheWriteUnknown() {
        AtomicReference<MongoClient> client = new AtomicReference<>();
        client.set(stores.client(settings -> settings.addCommandListener(new CommandListener() {
            @Override
            public void commandFailed(CommandFailedEvent event) {
                client.get().close();
            }
        })));
        TestWriter b = new TestWriter(stores.on(client.get(), Stores.BUDGET), "b");
        fail(FailPoint.failCommands("update").closingConnection().times(1));

        assertThat(b.store().writeClock(b.registration()).verdict()).isEqualTo(Verdict.UNKNOWN);
    }

    @Test
    @DisplayName("A majority that is slow is waited for, up to the command budget")
    void aSlowMajorityIsWaitedFor() {
        stores.sent().forget();
        fail(FailPoint.failCommands("update").withWriteConcernError(64).times(1));

        assertThat(store.writeClock(a.registration())).isEqualTo(WriteOutcome.APPLIED);

        assertThat(stores.ticks()).isEqualTo(1);
        assertThat(stores.sent().all())
                .extracting(command -> command.getDocument("writeConcern")
                        .getNumber("wtimeout")
                        .longValue())
                .containsExactly(250L, Stores.BUDGET.toMillis());
        assertThat(stores.sent().all())
                .extracting(command -> command.getNumber("maxTimeMS").longValue())
                .as("always later, with time to wait behind others")
                .containsExactly(1_700L, Stores.BUDGET.toMillis() + 1_450);
    }

    private void fail(FailPoint how) {
        database.activate(how.forAppName(database.name()));
    }
}
