package dev.leasehold.assertions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import dev.leasehold.replicaset.FailPoint;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A caller that catches the failure of its assertion and goes on as if nothing had happened. */
@WithReplicaSet
class FailedCheckIT {

    private final TestDatabase database;
    private final MongoClient client;
    private final LeaseDocuments lease;
    private final Account before;
    private final Account after;
    private final ClientSession session;
    private final AtomicInteger runs = new AtomicInteger();

    FailedCheckIT(TestDatabase database) {
        this.database = database;
        client = database.newClient();
        lease = new LeaseDocuments(database.database(), "nightly");
        before = new Account(client.getDatabase(database.name()), "before");
        after = new Account(client.getDatabase(database.name()), "after");
        session = client.startSession();
    }

    @AfterEach
    void nothingIsStoredAndTheSessionIsAsGoodAsNew() {
        assertThat(before.balance()).isZero();
        assertThat(after.balance()).isZero();
        LeaseAssertion standing = assertion(lease.claimedBy("next"));
        session.withTransaction(() -> {
            before.deposit(session);
            standing.check(session);
            return null;
        });
        session.close();
        assertThat(before.balance()).isOne();
    }

    @Test
    void aBodyThatDoesNothingMoreEndsWithTheLostLease() {
        LeaseAssertion assertion = endedTenure();

        assertThatExceptionOfType(LeaseNotHeldException.class)
                .isThrownBy(() -> session.withTransaction(() -> {
                    depositAndPassOver(assertion);
                    return null;
                }));

        assertThat(runs).hasValue(1);
    }

    @Test
    void aBodyThatWritesOnEndsWithTheLostLeaseAndIsNotRunAgain() {
        LeaseAssertion assertion = endedTenure();

        assertThatExceptionOfType(LeaseNotHeldException.class)
                .isThrownBy(() -> session.withTransaction(() -> {
                    depositAndPassOver(assertion);
                    after.deposit(session);
                    after.deposit(session);
                    return null;
                }));

        assertThat(runs).hasValue(1);
    }

    @Test
    void aBodyThatPassesOverAllMissesEndsWithTheLastOne() {
        LeaseAssertion assertion = endedTenure();

        assertThatExceptionOfType(LeaseNotHeldException.class)
                .isThrownBy(() -> session.withTransaction(() -> {
                    depositAndPassOver(assertion);
                    after.deposit(session);
                    depositAndPassOver(assertion);
                    return null;
                }));

        assertThat(runs).hasValue(2);
    }

    @Test
    void anotherTenureThatStandsDoesNotMakeUpForIt() {
        LeaseAssertion ended = endedTenure();
        LeaseDocuments other = new LeaseDocuments(database.database(), "hourly");
        LeaseAssertion standing = assertion(other.claimedBy("h"));

        assertThatExceptionOfType(LeaseNotHeldException.class)
                .isThrownBy(() -> session.withTransaction(() -> {
                    depositAndPassOver(ended);
                    standing.check(session);
                    after.deposit(session);
                    return null;
                }));

        assertThat(other.gates()).isZero();
    }

    @Test
    void aTransactionOpenedByHandIsRefusedAtItsCommit() {
        LeaseAssertion assertion = endedTenure();

        session.startTransaction();
        depositAndPassOver(assertion);
        after.deposit(session);

        assertThat(session.hasActiveTransaction()).isTrue();
        assertThatExceptionOfType(LeaseNotHeldException.class).isThrownBy(session::commitTransaction);
    }

    @Test
    void aTransactionOpenedByHandCanBeAborted() {
        LeaseAssertion assertion = endedTenure();

        session.startTransaction();
        depositAndPassOver(assertion);
        after.deposit(session);
        session.abortTransaction();

        assertThat(session.hasActiveTransaction()).isFalse();
    }

    /** Or the documents that it wrote would stay blocked until the body has ended, and after it. */
    @Test
    void theServerEndsTheTransactionAtTheMissAndTheRestAtTheCommit() {
        LeaseAssertion assertion = endedTenure();

        session.startTransaction();
        depositAndPassOver(assertion);
        try (ClientSession other = client.startSession()) {
            other.startTransaction();
            before.deposit(other);
            other.abortTransaction();

            after.deposit(session);
            assertThatExceptionOfType(LeaseNotHeldException.class).isThrownBy(session::commitTransaction);

            other.startTransaction();
            after.deposit(other);
            other.abortTransaction();
        }
    }

    @Test
    void aLostAbortChangesNothing() {
        LeaseAssertion assertion = endedTenure();
        database.activate(FailPoint.failCommands("abortTransaction")
                .closingConnection()
                .times(2)
                .forAppName(database.name()));

        assertThatExceptionOfType(LeaseNotHeldException.class)
                .isThrownBy(() -> session.withTransaction(() -> {
                    depositAndPassOver(assertion);
                    after.deposit(session);
                    return null;
                }));

        assertThat(runs).hasValue(1);
    }

    @Test
    void aClientWithOneConnectionIsEnough() {
        Tenure tenure = lease.claimedBy("h");
        lease.vacated();
        MongoClient single =
                database.newClient(settings -> settings.applyToConnectionPoolSettings(pool -> pool.maxSize(1)));
        LeaseAssertion assertion =
                LeaseAssertion.of(tenure, single.getDatabase(database.name()).getCollection("leases"));

        try (ClientSession own = single.startSession()) {
            assertThatExceptionOfType(LeaseNotHeldException.class)
                    .isThrownBy(() -> own.withTransaction(() -> {
                        passOver(assertion, own);
                        return single.getDatabase(database.name())
                                .getCollection("accounts")
                                .deleteMany(own, new Document());
                    }));
        }
    }

    /** The update of the assertion never arrived, so that the transaction is still open on the server, without it. */
    @Test
    void anAssertionThatGotNoAnswerRunsTheBodyAgain() {
        LeaseAssertion assertion = assertion(lease.claimedBy("h"));
        database.activate(FailPoint.failCommands("update")
                .closingConnection()
                .times(1)
                .forAppName(database.name())
                .with("namespace", lease.collection().getNamespace().getFullName()));

        session.withTransaction(() -> {
            if (runs.getAndIncrement() == 0) {
                passOver(assertion, session);
            } else {
                assertion.check(session);
                // Nothing that the end of the test would have to know of.
                assertion.check(session);
            }
            return null;
        });

        assertThat(runs).hasValue(2);
        assertThat(lease.gates()).isEqualTo(2);
    }

    @Test
    void aConflictRunsTheBodyAgainEvenIfItIsPassedOver() {
        LeaseAssertion assertion = assertion(lease.claimedBy("h"));

        assertThatExceptionOfType(LeaseNotHeldException.class)
                .isThrownBy(() -> session.withTransaction(() -> {
                    before.deposit(session);
                    if (runs.getAndIncrement() == 0) {
                        lease.vacated();
                        try {
                            assertion.check(session);
                        } catch (MongoCommandException conflict) {
                            assertThat(conflict.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL))
                                    .isTrue();
                        }
                    } else {
                        assertion.check(session);
                    }
                    return null;
                }));

        assertThat(runs).hasValue(2);
    }

    @Test
    void theSessionOfAnotherClientIsRefusedInWordsOfItsOwn() {
        LeaseAssertion assertion = assertion(lease.claimedBy("h"));
        try (ClientSession foreign = database.newClient().startSession()) {
            foreign.startTransaction();
            Account account = new Account(database.database(), "foreign");

            assertThatIllegalStateException()
                    .isThrownBy(() -> assertion.check(foreign))
                    .withMessageContaining(assertion.tenure().toString())
                    .withMessageContaining("session of another MongoClient");
            assertThatIllegalStateException().isThrownBy(foreign::commitTransaction);
            assertThat(account.balance()).isZero();
        }
    }

    private LeaseAssertion endedTenure() {
        Tenure tenure = lease.claimedBy("h");
        lease.vacated();
        return assertion(tenure);
    }

    private LeaseAssertion assertion(Tenure tenure) {
        return LeaseAssertion.of(tenure, client.getDatabase(database.name()).getCollection("leases"));
    }

    private void depositAndPassOver(LeaseAssertion assertion) {
        runs.incrementAndGet();
        before.deposit(session);
        passOver(assertion, session);
    }

    private static void passOver(LeaseAssertion assertion, ClientSession session) {
        try {
            assertion.check(session);
        } catch (RuntimeException failure) {
            assertThat(session.hasActiveTransaction()).isTrue();
        }
    }
}
