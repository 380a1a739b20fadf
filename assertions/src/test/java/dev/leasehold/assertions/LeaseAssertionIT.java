package dev.leasehold.assertions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import dev.leasehold.replicaset.FailPoint;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.Document;
import org.bson.codecs.BsonInt32Codec;
import org.bson.codecs.configuration.CodecRegistries;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an assertion answers to its caller. */
@WithReplicaSet
class LeaseAssertionIT {

    private final TestDatabase database;
    private final LeaseDocuments lease;
    private final LeaseDocuments otherLease;
    private final ClientSession session;

    LeaseAssertionIT(TestDatabase database) {
        this.database = database;
        lease = new LeaseDocuments(database.database(), "nightly");
        otherLease = new LeaseDocuments(database.database(), "hourly");
        session = database.client().startSession();
    }

    @BeforeEach
    void createCollection() {
        database.database().createCollection("leases");
    }

    @AfterEach
    void endSession() {
        session.close();
    }

    @ParameterizedTest
    @DisplayName("AS-9: the message names what was asserted and what is there")
    @CsvSource({
        "other, nightly, h, 2, 'there is no such lease in collection ''DATABASE.leases'''",
        "jobs, other, h, 2, 'there is no such lease in collection ''DATABASE.leases'''",
        "jobs, nightly, other, 2, 'it is held by ''h'', token 2, comment ''moves the files'''",
        "jobs, nightly, h, 1, 'it is held by ''h'', token 2, comment ''moves the files'''",
        "jobs, nightly, h, 3, 'it is held by ''h'', token 2, comment ''moves the files'''",
    })
    void theMessageNamesWhatWasAssertedAndWhatIsThere(
            String namespace, String name, String holder, long token, String found) {
        lease.claimedBy("h1");
        lease.claimedBy("h");
        lease.commented("moves the files");
        Tenure tenure = new Tenure(namespace, name, holder, token);

        session.startTransaction();

        assertThatExceptionOfType(LeaseNotHeldException.class)
                .isThrownBy(() -> assertion(tenure).check(session))
                .withMessage("Lease '" + name + "' of namespace '" + namespace + "' is not held by '" + holder
                        + "' under token " + token + ": "
                        + found.replace("DATABASE", database.name()))
                .satisfies(notHeld -> assertThat(notHeld.tenure()).isEqualTo(tenure));
    }

    @Test
    void theMessageSaysWhenTheLeaseIsVacant() {
        Tenure tenure = lease.claimedBy("h");
        lease.vacated();

        session.startTransaction();

        assertThatExceptionOfType(LeaseNotHeldException.class)
                .isThrownBy(() -> assertion(tenure).check(session))
                .withMessageEndingWith("it is vacant, token 1");
    }

    @Test
    void theStateInTheMessageIsThatOfTheTransactionsSnapshot() {
        Tenure ended = lease.claimedBy("h1");
        lease.claimedBy("h2");

        session.startTransaction();
        lease.collection().find(session).first();
        lease.claimedBy("h3");

        assertThatExceptionOfType(LeaseNotHeldException.class)
                .isThrownBy(() -> assertion(ended).check(session))
                .withMessageContaining("it is held by 'h2', token 2");
    }

    @Test
    void aTenureThatBeganAfterTheTransactionsSnapshotDoesNotStandInIt() {
        session.startTransaction();
        lease.collection().find(session).first();
        Tenure tenure = lease.claimedBy("h");

        assertThatExceptionOfType(LeaseNotHeldException.class)
                .isThrownBy(() -> assertion(tenure).check(session))
                .withMessageEndingWith("there is no such lease in collection '" + database.name() + ".leases'");
    }

    @Test
    @DisplayName("AS-10: a standing tenure adds one to the matched count")
    void aStandingTenureAddsOneToTheMatchedCount() {
        List<LeaseAssertion> both = List.of(assertion(lease.claimedBy("h")), assertion(otherLease.claimedBy("h")));

        session.startTransaction();
        BulkWriteResult result = bulkWrite(both);
        session.commitTransaction();

        assertThat(result.getMatchedCount()).isEqualTo(2);
        assertThat(List.of(lease.gates(), otherLease.gates())).containsExactly(1L, 1L);
    }

    @Test
    @DisplayName("AS-10: an ended tenure adds nothing to the matched count, and inserts nothing")
    void anEndedTenureAddsNothingToTheMatchedCount() {
        LeaseAssertion ended = assertion(lease.claimedBy("h"));
        LeaseAssertion standing = assertion(otherLease.claimedBy("h"));
        lease.removed();

        session.startTransaction();
        BulkWriteResult result = bulkWrite(List.of(ended, standing));

        assertThat(result.getMatchedCount()).isEqualTo(1);
        assertThat(result.getUpserts()).isEmpty();
        assertThat(result.getInsertedCount()).isZero();
        assertThatExceptionOfType(LeaseNotHeldException.class).isThrownBy(() -> ended.check(session));
        standing.check(session);
    }

    @Test
    @DisplayName("AS-11: outside a transaction the assertion is refused")
    void outsideATransactionTheAssertionIsRefused() {
        LeaseAssertion assertion = assertion(lease.claimedBy("h"));

        assertRefusedWithoutTransaction(assertion);
        session.startTransaction();
        assertion.check(session);
        session.commitTransaction();
        assertRefusedWithoutTransaction(assertion);
        session.startTransaction();
        assertion.check(session);
        session.abortTransaction();
        assertRefusedWithoutTransaction(assertion);

        assertThat(lease.gates()).isEqualTo(1);
    }

    @Test
    void theCallersSettingsOfTheCollectionDoNotMatter() {
        Tenure tenure = lease.claimedBy("h");
        MongoCollection<?> strange = lease.collection()
                .withDocumentClass(Thread.class)
                .withCodecRegistry(CodecRegistries.fromCodecs(new BsonInt32Codec()))
                .withWriteConcern(WriteConcern.UNACKNOWLEDGED)
                .withReadPreference(ReadPreference.secondary())
                .withReadConcern(ReadConcern.LINEARIZABLE);
        LeaseAssertion assertion = LeaseAssertion.of(tenure, strange);

        session.startTransaction();
        assertion.check(session);
        session.commitTransaction();
        lease.vacated();
        session.startTransaction();

        assertThat(lease.gates()).isEqualTo(1);
        assertThatExceptionOfType(LeaseNotHeldException.class)
                .isThrownBy(() -> assertion.check(session))
                .withMessageEndingWith("it is vacant, token 1");
    }

    /** As of a client that reads from secondaries: the transaction is of no use for reads then, but quite so for writes. */
    @Test
    void theMessageNamesWhatIsThereWhateverTheReadPreferenceOfTheTransaction() {
        Tenure tenure = lease.claimedBy("h1");
        lease.claimedBy("h2");

        session.startTransaction(TransactionOptions.builder()
                .readPreference(ReadPreference.secondaryPreferred())
                .build());

        assertThatExceptionOfType(LeaseNotHeldException.class)
                .isThrownBy(() -> assertion(tenure).check(session))
                .withMessageEndingWith("it is held by 'h2', token 2");
    }

    @Test
    void aFailureOfTheReadForTheMessageDoesNotRunTheBodyAgain() {
        Tenure tenure = lease.claimedBy("h");
        lease.vacated();
        MongoClient client = database.newClient();
        LeaseAssertion assertion =
                LeaseAssertion.of(tenure, client.getDatabase(database.name()).getCollection("leases"));
        database.activate(readOfLeasesClosesConnection());
        AtomicInteger runs = new AtomicInteger();

        try (ClientSession caller = client.startSession()) {
            assertThatExceptionOfType(LeaseNotHeldException.class)
                    .isThrownBy(() -> caller.withTransaction(() -> {
                        runs.incrementAndGet();
                        assertion.check(caller);
                        return null;
                    }))
                    .withMessageEndingWith("what is there instead could not be read")
                    .satisfies(LeaseAssertionIT::assertSuppressesTransientFailure);
        }
        assertThat(runs).hasValue(1);
    }

    private FailPoint readOfLeasesClosesConnection() {
        return FailPoint.failCommands("find")
                .closingConnection()
                .times(1)
                .forAppName(database.name())
                // Otherwise it hits a read that the server itself does when a session starts its first transaction.
                .with("namespace", lease.collection().getNamespace().getFullName());
    }

    private LeaseAssertion assertion(Tenure tenure) {
        return LeaseAssertion.of(tenure, lease.collection());
    }

    private BulkWriteResult bulkWrite(List<LeaseAssertion> assertions) {
        return lease.collection()
                .bulkWrite(
                        session,
                        assertions.stream()
                                .map(LeaseAssertion::<Document>asWriteModel)
                                .toList());
    }

    private void assertRefusedWithoutTransaction(LeaseAssertion assertion) {
        assertThatIllegalStateException()
                .isThrownBy(() -> assertion.check(session))
                .withMessageContaining(assertion.tenure().toString());
    }

    private static void assertSuppressesTransientFailure(LeaseNotHeldException notHeld) {
        assertThat(notHeld.getSuppressed())
                .singleElement()
                .isInstanceOfSatisfying(
                        MongoException.class,
                        failure -> assertThat(failure.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL))
                                .isTrue());
    }
}
