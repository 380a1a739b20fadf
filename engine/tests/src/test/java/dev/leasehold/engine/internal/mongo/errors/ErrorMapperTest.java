package dev.leasehold.engine.internal.mongo.errors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoClientException;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.MongoExecutionTimeoutException;
import com.mongodb.MongoIncompatibleDriverException;
import com.mongodb.MongoInterruptedException;
import com.mongodb.MongoNamespace;
import com.mongodb.MongoNotPrimaryException;
import com.mongodb.MongoOperationTimeoutException;
import com.mongodb.MongoSecurityException;
import com.mongodb.MongoSocketReadException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.MongoWriteConcernException;
import com.mongodb.MongoWriteException;
import com.mongodb.ServerAddress;
import com.mongodb.WriteError;
import com.mongodb.bulk.BulkWriteError;
import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.bulk.WriteConcernError;
import com.mongodb.connection.ClusterDescription;
import dev.leasehold.engine.LeaseContentionException;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseOutcomeUnknownException;
import dev.leasehold.engine.LeaseStoreException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.UnsupportedDeploymentException;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriteOutcome.Verdict;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What may be concluded from each failure, for each use of the driver. */
class ErrorMapperTest {

    private static final ServerAddress SERVER = new ServerAddress();
    private static final String TRANSIENT = MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL;

    private final ErrorMapper errorMapper = new ErrorMapper("billing", new MongoNamespace("shop.leases"));

    private static MongoException command(int code, String... labels) {
        return labelled(new MongoCommandException(answer(code), SERVER), labels);
    }

    /** As a server that sheds load answers. */
    private static MongoException shed(int code, String... more) {
        MongoException shed =
                command(code, MongoException.SYSTEM_OVERLOADED_ERROR_LABEL, MongoException.RETRYABLE_ERROR_LABEL);
        return labelled(shed, more);
    }

    /** Its number differs between versions of the server. */
    private static MongoException tooManyTransactions() {
        return new MongoCommandException(
                answer(8000).append("codeName", new BsonString("TooManyOpenTransactions")), SERVER);
    }

    private static MongoException duplicate(String index) {
        return inBulk(
                11000, "E11000 duplicate key error collection: shop.leases " + index + "dup key: { name: \"x\" }");
    }

    private static BsonDocument answer(int code) {
        return new BsonDocument("ok", new BsonInt32(0))
                .append("code", new BsonInt32(code))
                .append("codeName", new BsonString("Code" + code))
                .append("errmsg", new BsonString("words of the server"));
    }

    private static MongoException labelled(MongoException exception, String... labels) {
        Stream.of(labels).forEach(exception::addLabel);
        return exception;
    }

    private static MongoException inBulk(int code) {
        return inBulk(code, "words of the server");
    }

    private static MongoException inBulk(int code, String message) {
        BulkWriteError error = new BulkWriteError(code, message, new BsonDocument(), 1);
        return new MongoBulkWriteException(
                BulkWriteResult.acknowledged(0, 1, 0, 1, List.of(), List.of()), List.of(error), null, SERVER, Set.of());
    }

    private static MongoException inWrite(int code) {
        return new MongoWriteException(
                new WriteError(code, "words of the server", new BsonDocument()), SERVER, Set.of());
    }

    private static MongoException notAcknowledged(int code) {
        return new MongoWriteConcernException(
                new WriteConcernError(code, "Code" + code, "words of the server", new BsonDocument()),
                null,
                SERVER,
                Set.of());
    }

    private static MongoException login(Throwable cause) {
        return new MongoSecurityException(null, "words of the server", cause) {
            private static final long serialVersionUID = 1L;
        };
    }

    private static RuntimeException closedClient() {
        return new IllegalStateException("state should be: open");
    }

    private static RuntimeException closedPool() {
        return new IllegalStateException("state should be: server session pool is open");
    }

    /** Failure; verdict before the commit; verdict of a single write; what a read throws. */
    static Stream<Arguments> failures() {
        Class<?> again = LeaseUnavailableException.class;
        Class<?> never = LeaseStoreException.class;
        return Stream.of(
                arguments(command(112, TRANSIENT), Verdict.CONFLICT, Verdict.CONFLICT, again),
                arguments(command(251, TRANSIENT), Verdict.UNAVAILABLE, Verdict.UNKNOWN, again),
                arguments(inBulk(11000), Verdict.MISSED, Verdict.FAILED, never),
                arguments(duplicate("index: _id_ "), Verdict.MISSED, Verdict.FAILED, never),
                arguments(duplicate("index: shop.leases.$_id_  "), Verdict.MISSED, Verdict.FAILED, never),
                arguments(duplicate(""), Verdict.MISSED, Verdict.FAILED, never),
                arguments(duplicate("index: name_1 "), Verdict.FAILED, Verdict.FAILED, never),
                arguments(duplicate("index: shop.leases.$name_1 "), Verdict.FAILED, Verdict.FAILED, never),
                arguments(duplicate("index: by name "), Verdict.FAILED, Verdict.FAILED, never),
                arguments(shed(462), Verdict.UNAVAILABLE, Verdict.UNAVAILABLE, again),
                arguments(command(462), Verdict.UNAVAILABLE, Verdict.UNAVAILABLE, again),
                arguments(shed(463, "NoWritesPerformed"), Verdict.UNAVAILABLE, Verdict.UNAVAILABLE, again),
                arguments(shed(8000, "NoWritesPerformed"), Verdict.UNAVAILABLE, Verdict.UNAVAILABLE, again),
                arguments(command(8000, "NoWritesPerformed"), Verdict.FAILED, Verdict.UNKNOWN, never),
                arguments(shed(463), Verdict.UNAVAILABLE, Verdict.UNKNOWN, again),
                arguments(command(463), Verdict.UNAVAILABLE, Verdict.UNKNOWN, again),
                arguments(shed(433), Verdict.UNAVAILABLE, Verdict.UNKNOWN, again),
                arguments(shed(8000), Verdict.UNAVAILABLE, Verdict.UNKNOWN, again),
                arguments(
                        labelled(
                                new MongoSocketReadException("gone", SERVER),
                                MongoException.SYSTEM_OVERLOADED_ERROR_LABEL,
                                MongoException.RETRYABLE_ERROR_LABEL),
                        Verdict.UNAVAILABLE,
                        Verdict.UNKNOWN,
                        again),
                arguments(tooManyTransactions(), Verdict.UNAVAILABLE, Verdict.UNAVAILABLE, again),
                arguments(new MongoTimeoutException("no server"), Verdict.UNAVAILABLE, Verdict.UNAVAILABLE, again),
                arguments(new MongoOperationTimeoutException("late"), Verdict.UNAVAILABLE, Verdict.UNKNOWN, again),
                arguments(new MongoSocketReadException("gone", SERVER), Verdict.UNAVAILABLE, Verdict.UNKNOWN, again),
                arguments(
                        new MongoNotPrimaryException(answer(10107), SERVER),
                        Verdict.UNAVAILABLE,
                        Verdict.UNKNOWN,
                        again),
                arguments(command(91), Verdict.UNAVAILABLE, Verdict.UNKNOWN, again),
                arguments(command(11601), Verdict.UNAVAILABLE, Verdict.UNKNOWN, again),
                arguments(command(133), Verdict.UNAVAILABLE, Verdict.UNKNOWN, again),
                arguments(inWrite(365), Verdict.UNAVAILABLE, Verdict.UNKNOWN, again),
                arguments(command(24, TRANSIENT), Verdict.UNAVAILABLE, Verdict.UNKNOWN, again),
                arguments(command(8000, TRANSIENT), Verdict.UNAVAILABLE, Verdict.UNKNOWN, again),
                arguments(command(8000, "RetryableWriteError"), Verdict.UNAVAILABLE, Verdict.UNKNOWN, again),
                arguments(new MongoExecutionTimeoutException(50, "late"), Verdict.UNAVAILABLE, Verdict.CONFLICT, again),
                arguments(new MongoInterruptedException("stop", null), Verdict.UNAVAILABLE, Verdict.UNKNOWN, again),
                arguments(notAcknowledged(64), Verdict.UNAVAILABLE, Verdict.UNKNOWN, again),
                arguments(notAcknowledged(13), Verdict.UNAVAILABLE, Verdict.UNKNOWN, again),
                arguments(command(13), Verdict.FAILED, Verdict.FAILED, never),
                arguments(inBulk(121), Verdict.FAILED, Verdict.FAILED, never),
                arguments(inWrite(121), Verdict.FAILED, Verdict.FAILED, never),
                arguments(inWrite(28), Verdict.FAILED, Verdict.FAILED, never),
                arguments(login(null), Verdict.FAILED, Verdict.FAILED, never),
                arguments(login(command(11600)), Verdict.UNAVAILABLE, Verdict.UNAVAILABLE, again),
                arguments(closedClient(), Verdict.FAILED, Verdict.FAILED, never),
                arguments(closedPool(), Verdict.FAILED, Verdict.FAILED, never),
                arguments(command(8000), Verdict.FAILED, Verdict.UNKNOWN, never),
                arguments(new MongoClientException("odd"), Verdict.FAILED, Verdict.UNKNOWN, never),
                arguments(new IllegalStateException("odd"), Verdict.FAILED, Verdict.UNKNOWN, never));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void beforeTheCommitNothingWasWritten(RuntimeException failure, Verdict expected) {
        assertThat(errorMapper.beforeCommit(failure).verdict())
                .isEqualTo(expected)
                .isNotEqualTo(Verdict.UNKNOWN);
    }

    @ParameterizedTest
    @MethodSource("failures")
    void behindTheClockAConflictIsAboutALeaseAndAllElseIsTheSame(RuntimeException failure, Verdict before) {
        assertThat(errorMapper.afterClockStatement(failure).verdict())
                .isEqualTo(before == Verdict.CONFLICT ? Verdict.LEASE_CONFLICT : before);
    }

    @ParameterizedTest
    @MethodSource("failures")
    void aSingleWriteIsUnknownUnlessItCertainlyDidNotHappen(
            RuntimeException failure, Verdict before, Verdict expected) {
        assertThat(errorMapper.ofClockWrite(failure).verdict()).isEqualTo(expected);
    }

    @ParameterizedTest
    @MethodSource("failures")
    void aReadIsUnavailableIfTryingAgainMayHelp(
            RuntimeException failure, Verdict before, Verdict single, Class<?> expected) {
        assertThat(errorMapper.ofRead(failure)).isInstanceOf(expected).hasCause(failure);
    }

    @ParameterizedTest
    @MethodSource("failures")
    void everyVerdictNamesTheNamespaceAndCarriesTheCause(RuntimeException failure) {
        for (WriteOutcome outcome : List.of(errorMapper.beforeCommit(failure), errorMapper.ofClockWrite(failure))) {
            if (outcome.verdict() != Verdict.MISSED) {
                assertThat(outcome.cause())
                        .isInstanceOf(typeOf(outcome.verdict()))
                        .hasMessageStartingWith("namespace 'billing' in 'shop.leases': ")
                        .hasCause(failure);
            }
        }
    }

    private static Class<? extends LeaseException> typeOf(Verdict verdict) {
        return switch (verdict) {
            case CONFLICT -> LeaseContentionException.class;
            case UNAVAILABLE -> LeaseUnavailableException.class;
            case UNKNOWN -> LeaseOutcomeUnknownException.class;
            default -> LeaseStoreException.class;
        };
    }

    @Nested
    class OfACommit {

        @ParameterizedTest
        @MethodSource("dev.leasehold.engine.internal.mongo.errors.ErrorMapperTest#failures")
        void everyFailureIsUnknownButOne(RuntimeException failure) {
            boolean never = failure instanceof MongoException error && error.getCode() == 251;

            assertThat(errorMapper.ofCommit(failure).verdict())
                    .isEqualTo(never ? Verdict.UNAVAILABLE : Verdict.UNKNOWN);
        }

        @Test
        void thatItDoesNotExistIsUncertainBeforeAMajorityKnows() {
            BsonDocument answer = answer(251).append("writeConcernError", new BsonDocument("code", new BsonInt32(64)));

            assertThat(errorMapper
                            .ofCommit(new MongoCommandException(answer, SERVER))
                            .verdict())
                    .isEqualTo(Verdict.UNKNOWN);
        }

        @Test
        void anAcknowledgementThatFailedWithThatCodeIsUnknownStill() {
            assertThat(errorMapper.ofCommit(notAcknowledged(251)).verdict()).isEqualTo(Verdict.UNKNOWN);
        }
    }

    @Nested
    class OfLeaseWrites {

        private UpdateException refused(int code, boolean partial) {
            return new UpdateException(answer(code), true, partial);
        }

        @Test
        void whatTheServerGaveUpMayBeHalfDone() {
            WriteOutcome outcome = errorMapper.ofLeaseWrites(new MongoExecutionTimeoutException(50, "too late"));

            assertThat(outcome.verdict()).isEqualTo(Verdict.CONFLICT);
            assertThat(outcome.cause()).hasMessageContaining("one of the leases");
        }

        @Test
        void aRefusalOfOneOfSeveralSaysNothingOfTheOthers() {
            assertThat(errorMapper.ofLeaseWrites(refused(121, true)).verdict()).isEqualTo(Verdict.CONFLICT);
            assertThat(errorMapper.ofLeaseWrites(refused(121, true)).cause())
                    .hasMessageContaining("the database refused");
            assertThat(errorMapper.ofLeaseWrites(refused(121, false)).verdict()).isEqualTo(Verdict.FAILED);
        }

        @Test
        void aFailOverInTheMiddleIsUnknown() {
            assertThat(errorMapper.ofLeaseWrites(refused(10107, true)).verdict())
                    .isEqualTo(Verdict.UNKNOWN);
            assertThat(errorMapper
                            .ofLeaseWrites(new UpdateException(answer(64), false, false))
                            .verdict())
                    .isEqualTo(Verdict.UNKNOWN);
        }

        @Test
        void whatWasNeverSentOrWhollyRefusedWasNotWritten() {
            assertThat(errorMapper
                            .ofLeaseWrites(new MongoTimeoutException("no server"))
                            .verdict())
                    .isEqualTo(Verdict.UNAVAILABLE);
            assertThat(errorMapper.ofLeaseWrites(command(13)).verdict()).isEqualTo(Verdict.FAILED);
        }
    }

    @Nested
    class OfAWatch {

        @Test
        void itCanBeBegunAgainAfterAnythingThatPasses() {
            int historyLost = 286;

            assertThat(errorMapper.ofWatch(command(historyLost))).isInstanceOf(LeaseUnavailableException.class);
            assertThat(errorMapper.ofWatch(new MongoTimeoutException("no server")))
                    .isInstanceOf(LeaseUnavailableException.class);
            assertThat(errorMapper.watchEnded()).isInstanceOf(LeaseUnavailableException.class);
        }

        @Test
        void whatTheServerDoesNotAllowIsSaid() {
            int noReplicaSet = 40573;

            assertThat(errorMapper.ofWatch(command(13)))
                    .isInstanceOf(LeaseStoreException.class)
                    .hasMessageContaining("changeStream and find")
                    .hasMessageContaining("readWrite on database 'shop'");
            assertThat(errorMapper.ofWatch(command(noReplicaSet)))
                    .isInstanceOf(LeaseStoreException.class)
                    .hasMessageContaining("the database refused: words of the server");
        }
    }

    @Nested
    class OfAnOverload {

        private static Stream<MongoException> overloads() {
            return Stream.of(shed(462), command(462), command(463), shed(8000), tooManyTransactions());
        }

        @ParameterizedTest
        @MethodSource("overloads")
        void itIsToldSoThatThePausesGrow(MongoException failure) {
            assertThat(errorMapper.ofRead(failure))
                    .isInstanceOfSatisfying(
                            LeaseUnavailableException.class,
                            again -> assertThat(again.isOverloaded()).isTrue())
                    .hasMessageContaining("too much to do");
            assertThat(errorMapper.beforeCommit(failure).cause())
                    .isInstanceOfSatisfying(
                            LeaseUnavailableException.class,
                            again -> assertThat(again.isOverloaded()).isTrue());
        }

        @Test
        void anyOtherFailureIsNone() {
            assertThat(errorMapper.ofRead(command(91)))
                    .isInstanceOfSatisfying(
                            LeaseUnavailableException.class,
                            again -> assertThat(again.isOverloaded()).isFalse());
        }
    }

    @Nested
    class Words {

        @Test
        void aUniqueIndexOfAnotherIsNamedWithWhatToDo() {
            assertThat(errorMapper.beforeCommit(duplicate("index: name_1 ")).cause())
                    .isInstanceOf(LeaseStoreException.class)
                    .hasMessageContaining("the unique index 'name_1' of the collection refused a document of a lease")
                    .hasMessageContaining("Drop that index");
        }

        @Test
        void aMissingRightIsNamedAsSuchWithTheRightsThatAreNeeded() {
            assertThat(errorMapper.ofRead(command(13)))
                    .hasMessageContaining("find, insert, update, remove, changeStream and listCollections")
                    .hasMessageContaining("readWrite on database 'shop'")
                    .hasMessageContaining("words of the server (13 Code13)");
        }

        @Test
        void ofTheCommandThatIsNotAllowedOnlyTheNameIsTold() {
            BsonDocument answer = answer(13)
                    .append(
                            "errmsg",
                            new BsonString(
                                    "not authorized on shop to execute command { update: \"leases\", ordered: true }"));

            assertThat(errorMapper.ofRead(new MongoCommandException(answer, SERVER)))
                    .hasMessageEndingWith("not authorized on shop to execute command update (13 Code13)");
        }

        @Test
        void credentialsThatAreNotAcceptedAreNamedAsSuch() {
            assertThat(errorMapper.ofRead(login(command(18))))
                    .hasMessageEndingWith("the database does not accept the client's credentials: words of the server");
        }

        @Test
        void aClosedClientIsNamedAsSuch() {
            assertThat(errorMapper.ofRead(closedClient()))
                    .hasMessageEndingWith("the MongoClient was closed before its engine");
        }

        @Test
        void anIncompatibleServerIsAnUnsupportedDeployment() {
            RuntimeException failure =
                    new MongoIncompatibleDriverException("wire version 7", (ClusterDescription) null);

            assertThat(errorMapper.ofRead(failure))
                    .isInstanceOf(UnsupportedDeploymentException.class)
                    .hasMessageContaining("do not fit together: wire version 7");
        }

        @Test
        void aConflictSaysWhatItMayBeAbout() {
            assertThat(errorMapper.beforeCommit(command(112, TRANSIENT)).cause())
                    .hasMessageContaining("the clock document or one of the leases: words of the server (112");
            assertThat(errorMapper.afterClockStatement(command(112, TRANSIENT)).cause())
                    .isInstanceOf(LeaseContentionException.class)
                    .hasMessageStartingWith("namespace 'billing' in 'shop.leases': ")
                    .hasMessageContaining("one of the leases and is still open")
                    .hasMessageContaining("caller died")
                    .hasMessageContaining("transactionLifetimeLimitSeconds")
                    .hasMessageContaining("words of the server (112");
        }
    }
}
