package dev.leasehold.engine.internal.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ServerAddress;
import com.mongodb.client.MongoClient;
import dev.leasehold.engine.LeaseOutcomeUnknownException;
import dev.leasehold.engine.LeaseStoreException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.GuardedTransaction;
import dev.leasehold.engine.internal.store.StoredLease;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriteOutcome.Verdict;
import dev.leasehold.replicaset.ActiveFailPoint;
import dev.leasehold.replicaset.FailPoint;
import dev.leasehold.replicaset.TestDatabase;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.bson.BsonBinary;
import org.bson.Document;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is known when the way to the server breaks during a transaction, and how it becomes certain. */
class UnknownCommitIT extends WithStores {

    private static final int MAX_TIME_EXPIRED = 50;

    UnknownCommitIT(TestDatabase database) {
        super(database);
    }

    private ActiveFailPoint fail(FailPoint how) {
        return database.activate(how.forAppName(database.name()));
    }

    private static FailPoint commits() {
        return FailPoint.failCommands("commitTransaction");
    }

    /** The commit does not reach the server, nor does the driver's own second try. */
    private void assertUnknownAfterTwoLostCommits() {
        try (ActiveFailPoint lost = fail(commits().closingConnection().times(2))) {
            WriteOutcome outcome = a.commit(a.insert("x"));

            assertThat(outcome.verdict()).isEqualTo(Verdict.UNKNOWN);
            assertThat(outcome.cause()).isInstanceOf(LeaseOutcomeUnknownException.class);
            assertThat(lost.timesEntered()).isEqualTo(2);
        }
    }

    @Test
    void oneLostCommitIsRepeatedByTheDriver() {
        fail(commits().closingConnection().times(1));

        assertThat(a.commit(a.insert("x"))).isEqualTo(WriteOutcome.APPLIED);
    }

    @Test
    @DisplayName("UO-1: a commit of unknown outcome that is sent again is applied once")
    void aCommitOfUnknownOutcomeIsSentAgain() {
        assertUnknownAfterTwoLostCommits();
        long ticks = stores.ticks();

        assertThat(a.store().commitAgain()).isEqualTo(WriteOutcome.APPLIED);

        assertThat(stores.lease("x")).isNotNull();
        assertThat(stores.ticks()).isEqualTo(ticks + 1);
    }

    @Test
    void readsInBetweenDoNotTakeTheChanceToSendTheCommitAgain() {
        assertUnknownAfterTwoLostCommits();

        assertThat(a.store().read(Set.of("x"), "a").leases()).containsExactly(new StoredLease.Absent("x"));
        assertThat(a.store().page(null, 10, "a").snapshot().leases()).isEmpty();

        assertThat(a.store().commitAgain()).isEqualTo(WriteOutcome.APPLIED);
        assertThat(stores.lease("x")).isNotNull();
    }

    @Test
    void afterAnotherWriteACommitOfUnknownOutcomeIsNotSentAgainAndStaysUnknown() {
        assertUnknownAfterTwoLostCommits();
        assertThat(a.store().writeClock(new ClockWrite.Unlist("a"))).isEqualTo(WriteOutcome.APPLIED);
        stores.sent().forget();

        WriteOutcome outcome = a.store().commitAgain();

        assertThat(outcome.verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThat(stores.sent().names()).isEmpty();
        assertThat(stores.lease("x")).as("ended by the later write").isNull();
    }

    @Test
    @DisplayName("UO-1: a commit that was applied and answered with an error without a label is unknown, then certain")
    void anAppliedCommitWithAnErrorIsUnknownAndThenCertain() {
        fail(commits().withWriteConcernError(100).times(1));

        assertThat(a.commit(a.insert("x")).verdict()).isEqualTo(Verdict.UNKNOWN);

        assertThat(stores.lease("x")).isNotNull();
        assertThat(a.store().commitAgain()).isEqualTo(WriteOutcome.APPLIED);
    }

    @ParameterizedTest
    @ValueSource(ints = {MAX_TIME_EXPIRED, 8000, 11601})
    void anErrorOfTheCommitIsUnknownWithAndWithoutALabel(int code) {
        fail(commits().withErrorCode(code).times(2));

        assertThat(a.commit(a.insert("x")).verdict()).isEqualTo(Verdict.UNKNOWN);
    }

    @Test
    @DisplayName("UO-2, ST-6: a transaction that was killed before its commit never happened, and the session goes on")
    void aKilledTransactionNeverHappened() {
        GuardedTransaction transaction = new GuardedTransaction(a.clock(), List.of(a.insert("x")), false);

        WriteOutcome outcome = a.store().commit(transaction, () -> {
            BsonBinary id = new BsonBinary(a.store().driverSession());
            database.client()
                    .getDatabase("admin")
                    .runCommand(new Document("killSessions", List.of(new Document("id", id))));
            return true;
        });

        assertThat(outcome.verdict()).isEqualTo(Verdict.UNAVAILABLE);
        assertThat(outcome.cause())
                .isInstanceOf(LeaseUnavailableException.class)
                .hasMessageContaining("251");
        assertThat(stores.lease("x")).isNull();
        a.commits(a.insert("x"));
    }

    @Test
    @DisplayName("UO-2: 251 to a commit that is sent again means never")
    void noSuchTransactionMeansNever() {
        assertUnknownAfterTwoLostCommits();
        fail(commits().withErrorCode(251).times(1));

        assertThat(a.store().commitAgain().verdict()).isEqualTo(Verdict.UNAVAILABLE);
    }

    @Test
    @DisplayName("UO-6: an update whose answer is lost cannot commit")
    void anUpdateWhoseAnswerIsLostCannotCommit() {
        fail(FailPoint.failCommands("update").closingConnection().times(1));
        stores.sent().forget();

        WriteOutcome outcome = a.commit(a.insert("x"));

        assertThat(outcome.verdict()).isEqualTo(Verdict.UNAVAILABLE);
        assertThat(stores.sent().names()).doesNotContain("commitTransaction");
        assertThat(stores.clockIsFree()).isTrue();
        a.commits(a.insert("x"));
    }

    @Test
    void anAbortThatIsLostBlocksNobodyOfTheSameStore() {
        fail(FailPoint.failCommands("abortTransaction").closingConnection().times(2));
        GuardedTransaction transaction = new GuardedTransaction(a.clock(), List.of(a.insert("x")), false);

        assertThat(a.store().commit(transaction, () -> false)).isEqualTo(WriteOutcome.WITHHELD);

        a.commits(a.insert("x"));
        assertThat(stores.clockIsFree()).isTrue();
    }

    @Test
    void anUpdateThatNeverReachedAServerIsNotTakenForCommitted() {
        MongoClient nowhere = stores.client(settings ->
                settings.applyToClusterSettings(cluster -> cluster.hosts(List.of(new ServerAddress("127.0.0.1", 1)))
                        .serverSelectionTimeout(100, TimeUnit.MILLISECONDS)));
        TestWriter lost = new TestWriter(stores.on(nowhere, Stores.BUDGET), "lost");

        WriteOutcome outcome = lost.commit(lost.insert("x"));

        assertThat(outcome.verdict()).isEqualTo(Verdict.UNAVAILABLE);
        assertThat(lost.store().writeClock(lost.registration()).verdict()).isEqualTo(Verdict.UNAVAILABLE);
    }

    @Test
    void aMissingRightFailsTheTransactionAndNamesTheRights() {
        fail(FailPoint.failCommands("update").withErrorCode(13).times(1));

        WriteOutcome outcome = a.commit(a.insert("x"));

        assertThat(outcome.verdict()).isEqualTo(Verdict.FAILED);
        assertThat(outcome.cause()).isInstanceOf(LeaseStoreException.class).hasMessageContaining("readWrite");
    }

    @Test
    void aClosedClientFailsEverythingAndClosingStaysQuiet() {
        MongoClient client = stores.client(settings -> {});
        TestWriter b = new TestWriter(stores.on(client, Stores.BUDGET), "b").registered();
        client.close();

        WriteOutcome outcome = b.commit(b.insert("x"));

        assertThat(outcome.verdict()).isEqualTo(Verdict.FAILED);
        assertThat(outcome.cause()).hasMessageContaining("the MongoClient was closed before its engine");
        assertThat(b.store().writeClock(new ClockWrite.Unlist("b")).verdict()).isEqualTo(Verdict.FAILED);
        b.store().close();
        b.store().close();
    }

    @Test
    void closingInTheMiddleOfATransactionFreesTheClock() {
        GuardedTransaction transaction = new GuardedTransaction(a.clock(), List.of(a.insert("x")), false);

        a.store().commit(transaction, () -> {
            a.store().close();
            return true;
        });

        assertThat(stores.clockIsFree()).isTrue();
        assertThat(stores.lease("x")).isNull();
    }
}
