package dev.leasehold.engine.internal.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ServerAddress;
import com.mongodb.client.MongoClient;
import dev.leasehold.engine.LeaseOutcomeUnknownException;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriteOutcome.Verdict;
import dev.leasehold.replicaset.ActiveFailPoint;
import dev.leasehold.replicaset.FailPoint;
import dev.leasehold.replicaset.TestDatabase;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What is known when the way to the server breaks during a transaction, and how it becomes certain. */
class UnknownCommitIT extends WithStores {

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
    void oneLostCommitIsRepeatedByTheDriver() {
        fail(commits().closingConnection().times(1));

        assertThat(a.commit(a.insert("x"))).isEqualTo(WriteOutcome.APPLIED);
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
}
