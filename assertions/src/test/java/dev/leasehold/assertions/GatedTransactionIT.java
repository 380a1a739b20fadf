package dev.leasehold.assertions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import dev.leasehold.replicaset.ActiveFailPoint;
import dev.leasehold.replicaset.FailPoint;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What becomes of a caller's transaction that asserts a tenure. */
@WithReplicaSet
class GatedTransactionIT {

    private static final int INTERRUPTED = 11601;

    /** A busy server may take longer than the second that each has. */
    private static final int ATTEMPTS_MAX = 60;

    private final MongoClient client;
    private final LeaseDocuments lease;
    private final Account account;

    /** What the runs of a body met, in their order: the exception of the assertion, or null if it passed. */
    private final List<RuntimeException> runs = new ArrayList<>();

    private final TestDatabase database;

    GatedTransactionIT(TestDatabase database) {
        this.database = database;
        client = database.client();
        lease = new LeaseDocuments(database.database(), "nightly");
        account = new Account(database.database(), "a");
    }

    @Test
    void aStandingTenureLetsTheTransactionCommitAndChangesOnlyTheGates() {
        LeaseAssertion assertion = assertion(lease.claimedBy("h"));
        Document before = lease.document();

        gated(assertion, () -> {});

        assertThat(account.balance()).isEqualTo(1);
        assertThat(lease.document()).isEqualTo(before.append("gates", 1L));
    }

    @Test
    void anAbortedTransactionLeavesNoTrace() {
        LeaseAssertion assertion = assertion(lease.claimedBy("h"));
        Document before = lease.document();

        try (ClientSession session = client.startSession()) {
            session.startTransaction();
            assertion.check(session);
            session.abortTransaction();
        }

        assertThat(lease.document()).isEqualTo(before);
    }

    static Stream<WriteConcern> concernsOfTheClient() {
        return Stream.of(WriteConcern.UNACKNOWLEDGED, WriteConcern.W1, new WriteConcern(7), WriteConcern.MAJORITY);
    }

    @ParameterizedTest
    @MethodSource("concernsOfTheClient")
    void aTransactionWhoseAbortWasLostIsEndedWhateverTheWriteConcernOfTheClient(WriteConcern concern) {
        Tenure tenure = lease.claimedBy("h");
        MongoClient own = database.newClient(settings -> settings.writeConcern(concern));
        LeaseAssertion assertion = LeaseAssertion.of(
                tenure,
                own.getDatabase(database.name())
                        .getCollection(lease.collection().getNamespace().getCollectionName()));
        try (ClientSession session = own.startSession()) {
            session.startTransaction(TransactionOptions.builder()
                    .writeConcern(WriteConcern.MAJORITY)
                    .build());
            assertion.check(session);
            try (ActiveFailPoint lost = database.activate(FailPoint.failCommands("abortTransaction")
                    .withErrorCode(INTERRUPTED)
                    .forAppName(database.name()))) {
                session.abortTransaction();
                assertThat(lost.timesEntered()).isPositive();
            }

            AbandonedTransaction abandoned = assertion.abandoned(session);
            assertThat(IntStream.range(0, ATTEMPTS_MAX).anyMatch(attempt -> abandoned.end()))
                    .isTrue();
        }

        gated(assertion(tenure), () -> {});
        assertThat(lease.gates()).isEqualTo(1);
    }

    enum End {
        VACATED(LeaseDocuments::vacated),
        TAKEN_OVER(lease -> lease.claimedBy("h2")),
        REMOVED(LeaseDocuments::removed);

        private final Consumer<LeaseDocuments> write;

        End(Consumer<LeaseDocuments> write) {
            this.write = write;
        }
    }

    @ParameterizedTest
    @DisplayName("AS-4: an ended tenure ends the transaction, once and for all")
    @EnumSource
    void anEndedTenureEndsTheTransactionOnceAndForAll(End end) {
        Tenure tenure = lease.claimedBy("h");
        LeaseAssertion assertion = assertion(tenure);
        end.write.accept(lease);
        Document before = lease.document();

        assertThatExceptionOfType(LeaseNotHeldException.class)
                .isThrownBy(() -> gated(assertion, () -> {}))
                .satisfies(notHeld -> assertThat(notHeld.tenure()).isEqualTo(tenure));

        assertThat(runs).hasSize(1);
        assertThat(account.balance()).isZero();
        assertThat(lease.document()).isEqualTo(before);
    }

    @Test
    @DisplayName("Never again 4, AS-5: the same holder's next tenure is another tenure")
    void theSameHoldersNextTenureIsAnotherOne() {
        LeaseAssertion first = assertion(lease.claimedBy("h"));
        lease.vacated();
        LeaseAssertion second = assertion(lease.claimedBy("h"));

        assertThatExceptionOfType(LeaseNotHeldException.class).isThrownBy(() -> gated(first, () -> {}));
        assertThat(account.balance()).isZero();

        gated(second, () -> {});
        assertThat(account.balance()).isEqualTo(1);
    }

    @Test
    @DisplayName("AS-7: a take-over after the snapshot is a conflict, then a lost lease")
    void aTakeOverAfterTheSnapshotIsAConflictThenALostLease() {
        LeaseAssertion assertion = assertion(lease.claimedBy("h"));

        assertThatExceptionOfType(LeaseNotHeldException.class)
                .isThrownBy(() -> gated(assertion, onFirstRun(() -> lease.claimedBy("h2"))));

        assertThat(runs).hasSize(2);
        assertIsTransientConflict(runs.get(0));
        assertThat(runs.get(1)).isInstanceOf(LeaseNotHeldException.class);
        assertThat(account.balance()).isZero();
    }

    @Test
    @DisplayName("AS-7: the body that runs again asserts the original tenure, not the one that its holder has by then")
    void theSameHoldersNextTenureBetweenTwoRunsDoesNotPass() {
        Tenure original = lease.claimedBy("h");

        assertThatExceptionOfType(LeaseNotHeldException.class)
                .isThrownBy(() -> gated(assertion(original), onFirstRun(() -> {
                    lease.vacated();
                    lease.claimedBy("h");
                })))
                .satisfies(notHeld -> assertThat(notHeld.tenure()).isEqualTo(original));

        assertThat(runs).hasSize(2);
        assertIsTransientConflict(runs.get(0));
        assertThat(runs.get(1)).isInstanceOf(LeaseNotHeldException.class);
        assertThat(account.balance()).isZero();
        assertThat(lease.gates()).isZero();
    }

    @Test
    void anExtensionAfterTheSnapshotIsAConflictAndThenPasses() {
        LeaseAssertion assertion = assertion(lease.claimedBy("h"));

        gated(assertion, onFirstRun(lease::extended));

        assertThat(runs).hasSize(2);
        assertIsTransientConflict(runs.get(0));
        assertThat(account.balance()).isEqualTo(1);
    }

    @Test
    @DisplayName("AS-8: of two transactions that assert one lease at once, both commit in the end")
    void ofTwoTransactionsAtOnceBothCommitInTheEnd() {
        LeaseAssertion assertion = assertion(lease.claimedBy("h"));

        try (ClientSession first = client.startSession();
                ClientSession second = client.startSession()) {
            first.startTransaction();
            second.startTransaction();
            depositAndCheck(assertion, first);
            assertThatExceptionOfType(MongoCommandException.class)
                    .isThrownBy(() -> assertion.check(second))
                    .satisfies(GatedTransactionIT::assertIsTransientConflict);
            first.commitTransaction();
            second.abortTransaction();

            second.startTransaction();
            depositAndCheck(assertion, second);
            second.commitTransaction();
        }

        assertThat(account.balance()).isEqualTo(2);
        assertThat(lease.gates()).isEqualTo(2);
    }

    @Test
    @DisplayName("Never again 10: no tenure begins between the assertion and the commit")
    void noTenureBeginsBetweenTheAssertionAndTheCommit() {
        LeaseAssertion assertion = assertion(lease.claimedBy("h"));

        try (ClientSession caller = client.startSession();
                ClientSession other = client.startSession()) {
            caller.startTransaction();
            depositAndCheck(assertion, caller);

            other.startTransaction();
            assertThatExceptionOfType(MongoCommandException.class)
                    .isThrownBy(() -> lease.claimedBy("h2", other))
                    .satisfies(GatedTransactionIT::assertIsTransientConflict);
            other.abortTransaction();
            caller.commitTransaction();

            other.startTransaction();
            lease.claimedBy("h2", other);
            other.commitTransaction();
        }

        assertThat(account.balance()).isEqualTo(1);
        assertThatExceptionOfType(LeaseNotHeldException.class).isThrownBy(() -> gated(assertion, () -> {}));
    }

    @Test
    @DisplayName("AS-12: the transaction may write several collections of another database")
    void theTransactionMayWriteAnotherDatabase(TestDatabase database) {
        LeaseAssertion assertion = assertion(lease.claimedBy("h"));
        try (TestDatabase other = database.set().newDatabase();
                ClientSession session = client.startSession()) {
            Account elsewhere = new Account(other.database(), "b");
            other.database().createCollection("log");

            session.withTransaction(() -> {
                elsewhere.deposit(session);
                other.database().getCollection("log").insertOne(session, new Document("of", "b"));
                assertion.check(session);
                return null;
            });

            assertThat(elsewhere.balance()).isEqualTo(1);
            assertThat(other.database().getCollection("log").countDocuments()).isEqualTo(1);
        }
    }

    private LeaseAssertion assertion(Tenure tenure) {
        return LeaseAssertion.of(tenure, lease.collection());
    }

    /** A caller's transaction as the driver advises it; {@code meanwhile} happens after its snapshot was taken. */
    private void gated(LeaseAssertion assertion, Runnable meanwhile) {
        try (ClientSession session = client.startSession()) {
            session.withTransaction(() -> {
                account.deposit(session);
                meanwhile.run();
                checkNoted(assertion, session);
                return null;
            });
        }
    }

    private void checkNoted(LeaseAssertion assertion, ClientSession session) {
        try {
            assertion.check(session);
            runs.add(null);
        } catch (RuntimeException failure) {
            runs.add(failure);
            throw failure;
        }
    }

    private Runnable onFirstRun(Runnable action) {
        return () -> {
            if (runs.isEmpty()) {
                action.run();
            }
        };
    }

    private void depositAndCheck(LeaseAssertion assertion, ClientSession session) {
        account.deposit(session);
        assertion.check(session);
    }

    private static void assertIsTransientConflict(RuntimeException failure) {
        assertThat(failure).isInstanceOfSatisfying(MongoCommandException.class, conflict -> {
            assertThat(conflict.getErrorCodeName()).isEqualTo("WriteConflict");
            assertThat(conflict.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL))
                    .isTrue();
        });
    }
}
