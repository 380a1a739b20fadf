package dev.leasehold.assertions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoException;
import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import dev.leasehold.replicaset.TestDatabase;
import dev.leasehold.replicaset.junit.WithReplicaSet;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** At most one transaction with the record of one occurrence commits. */
@WithReplicaSet
class OncePerOccurrenceIT {

    private static final String NIGHT = "2073-03-03";

    private final TestDatabase database;
    private final LeaseDocuments lease;
    private final ClientSession session;
    private final ClientSession another;

    OncePerOccurrenceIT(TestDatabase database) {
        this.database = database;
        lease = new LeaseDocuments(database.database(), "nightly");
        session = database.client().startSession();
        another = database.client().startSession();
    }

    @BeforeEach
    void createCollections() {
        database.database().createCollection("leases");
        database.database().createCollection("effects");
    }

    @AfterEach
    void endSessions() {
        session.close();
        another.close();
    }

    private LeaseAssertion assertion(Tenure tenure) {
        return LeaseAssertion.of(tenure, lease.collection());
    }

    private MongoCollection<Document> effects() {
        return database.database().getCollection("effects");
    }

    private OnceResult does(ClientSession by, Tenure tenure) {
        LeaseAssertion assertion = assertion(tenure);
        return by.withTransaction(() -> {
            OnceResult result = assertion.once(by, NIGHT);
            if (result.isFirst()) {
                effects().insertOne(by, new Document("by", tenure.holder()));
            }
            return result;
        });
    }

    private BsonDocument record() {
        return lease.collection()
                .withDocumentClass(BsonDocument.class)
                .find(new Document("_id", LeaseIds.occurrenceId("jobs", "nightly", NIGHT)))
                .first();
    }

    @Test
    @DisplayName(
            "the first transaction commits the record with its effect, the next one is told which holder did it, when and under which token")
    void theFirstOneCommitsTheRecordAndTheNextOneIsTold() {
        Tenure first = lease.claimedBy("h1");
        Instant before = Instant.now();

        assertThat(does(session, first)).isEqualTo(new OnceResult.First());
        Tenure next = lease.claimedBy("h2");
        long gates = lease.gates();
        OnceResult second = does(session, next);

        assertThat(second).isInstanceOfSatisfying(OnceResult.DoneBefore.class, done -> {
            assertThat(done.record().tenure()).isEqualTo(first);
            assertThat(done.record().occurrence()).isEqualTo(NIGHT);
            assertThat(done.record().done()).isBetween(before.minusSeconds(60), before.plus(Duration.ofMinutes(10)));
        });
        assertThat(effects().countDocuments()).isEqualTo(1);
        assertThat(lease.gates()).as("nothing is written").isEqualTo(gates);
        assertThat(record().keySet())
                .containsExactlyInAnyOrder("_id", "type", "namespace", "name", "occurrence", "holder", "token", "done");
    }

    @Test
    @DisplayName(
            "an attempt that did not commit is not done before, neither for the same transaction run again nor for another one")
    void anAttemptThatDidNotCommitLeavesNoRecord() {
        Tenure tenure = lease.claimedBy("h");
        AtomicInteger runs = new AtomicInteger();

        boolean firstAtLast = session.withTransaction(() -> {
            boolean first = assertion(tenure).once(session, NIGHT).isFirst();
            if (runs.incrementAndGet() < 3) {
                MongoException transientError = new MongoException("the test repeats the body");
                transientError.addLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL);
                throw transientError;
            }
            return first;
        });

        assertThat(firstAtLast).isTrue();
        assertThat(runs).hasValue(3);
        session.startTransaction();
        assertThat(assertion(tenure).once(session, "another night").isFirst()).isTrue();
        session.abortTransaction();
        session.startTransaction();
        assertThat(assertion(tenure).once(session, "another night").isFirst()).isTrue();
        session.abortTransaction();
    }

    @Test
    @DisplayName("a second call in one transaction answers with the record of that transaction")
    void aSecondCallInOneTransactionAnswersWithItsOwnRecord() {
        Tenure tenure = lease.claimedBy("h");
        session.startTransaction();
        assertion(tenure).once(session, NIGHT);

        assertThat(assertion(tenure).once(session, NIGHT))
                .isInstanceOfSatisfying(
                        OnceResult.DoneBefore.class,
                        done -> assertThat(done.record().tenure()).isEqualTo(tenure));
        session.abortTransaction();
    }

    @Test
    @DisplayName("a transaction whose snapshot is older than the record conflicts, and is told when it runs again")
    void aTransactionWithAnOlderSnapshotConflicts() {
        Tenure tenure = lease.claimedBy("h");
        session.startTransaction();
        effects().find(session).first();
        does(another, tenure);

        assertThatExceptionOfType(MongoException.class)
                .isThrownBy(() -> assertion(tenure).once(session, NIGHT))
                .satisfies(
                        conflict -> assertThat(conflict.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL))
                                .isTrue());
        assertThat(does(another, tenure).isFirst()).isFalse();
    }

    @Test
    @DisplayName(
            "two transactions on different gate stripes conflict by the id of the record alone, before and after the other commits")
    void twoTransactionsConflictByTheIdOfTheRecordAlone() {
        Tenure tenure = lease.claimedBy("h");
        for (int stripe = 1; stripe <= 2; stripe++) {
            lease.collection()
                    .insertOne(new Document("_id", LeaseIds.stripeId("jobs", "nightly", stripe))
                            .append("type", "gate")
                            .append("namespace", "jobs")
                            .append("name", "nightly")
                            .append("holder", "h")
                            .append("token", tenure.token())
                            .append("gates", 0L));
        }
        LeaseAssertion striped = assertion(tenure).gateStripes(2);
        session.startTransaction();
        another.startTransaction();
        effects().find(another).first();
        assertThat(striped.once(session, NIGHT).isFirst()).isTrue();

        assertThatTransient(() -> striped.once(another, NIGHT));
        another.abortTransaction();
        another.startTransaction();
        effects().find(another).first();
        session.commitTransaction();
        assertThatTransient(() -> striped.once(another, NIGHT));
        another.abortTransaction();
        another.startTransaction();
        assertThat(striped.once(another, NIGHT).isFirst()).isFalse();
        another.commitTransaction();
    }

    private static void assertThatTransient(Runnable call) {
        assertThatExceptionOfType(MongoException.class)
                .isThrownBy(call::run)
                .satisfies(
                        conflict -> assertThat(conflict.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL))
                                .as("%s", conflict)
                                .isTrue());
    }

    @Test
    @DisplayName(
            "a paused process whose tenure is over commits neither record nor effect, also if its body goes on after the exception")
    void aTenureThatIsOverCommitsNothing() {
        Tenure over = lease.claimedBy("paused");
        lease.claimedBy("h");

        assertThatExceptionOfType(LeaseNotHeldException.class)
                .isThrownBy(() -> session.withTransaction(() -> {
                    try {
                        assertion(over).once(session, NIGHT);
                    } catch (LeaseNotHeldException caught) {
                        effects().insertOne(session, new Document("by", "paused"));
                    }
                    return null;
                }));

        assertThat(record()).isNull();
        assertThat(effects().countDocuments()).isZero();
    }

    @Test
    @DisplayName(
            "the models match one and upsert one the first time, fail with a duplicate key the second, and match none for another tenure")
    void theModelsCountAsDescribed() {
        Tenure over = lease.claimedBy("paused");
        Tenure tenure = lease.claimedBy("h");
        session.startTransaction();
        BulkWriteResult missed =
                lease.collection().bulkWrite(session, assertion(over).onceAsWriteModels(NIGHT));
        session.abortTransaction();

        session.startTransaction();
        BulkWriteResult first =
                lease.collection().bulkWrite(session, assertion(tenure).onceAsWriteModels(NIGHT));
        session.commitTransaction();

        assertThat(missed.getMatchedCount()).isZero();
        assertThat(first.getMatchedCount()).isEqualTo(1);
        assertThat(first.getUpserts()).hasSize(1);
        assertThat(OccurrenceRecord.of(record()).tenure()).isEqualTo(tenure);
        session.startTransaction();
        assertThatExceptionOfType(MongoBulkWriteException.class)
                .isThrownBy(() ->
                        lease.collection().bulkWrite(session, assertion(tenure).onceAsWriteModels(NIGHT)))
                .satisfies(failure ->
                        assertThat(failure.getWriteErrors().get(0).getCode()).isEqualTo(11000));
        session.abortTransaction();
    }

    @Test
    @DisplayName("a document in the place of the record that is none is refused by its field, and nothing commits")
    void aDamagedRecordIsRefused() {
        Tenure tenure = lease.claimedBy("h");
        does(session, tenure);
        lease.collection()
                .updateOne(
                        new Document("_id", LeaseIds.occurrenceId("jobs", "nightly", NIGHT)),
                        new Document("$set", new Document("token", "1")));

        session.startTransaction();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> assertion(tenure).once(session, NIGHT))
                .withMessageContaining("its field token is a STRING");
        assertThatIllegalArgumentException().isThrownBy(session::commitTransaction);
    }

    @Test
    void outsideATransactionNothingIsSent() {
        Tenure tenure = lease.claimedBy("h");

        assertThatIllegalStateException().isThrownBy(() -> assertion(tenure).once(session, NIGHT));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> assertion(tenure).once(session, " "))
                .withMessageContaining("occurrence ' ' is refused");
        assertThat(record()).isNull();
    }
}
