package dev.leasehold.assertions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import com.mongodb.MongoException;
import com.mongodb.TransactionOptions;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.result.UpdateResult;
import com.mongodb.session.ServerSession;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LeaseAssertionTest {

    private final Tenure tenure = new Tenure("jobs", "nightly", "h", 5);
    private final List<String> calls = new ArrayList<>();

    @Test
    void theWriteModelPinsHolderAndTokenAndChangesTheGates() {
        UpdateOneModel<Document> model =
                LeaseAssertion.of(tenure, collection(null)).asWriteModel();

        assertThat(model.getFilter().toBsonDocument())
                .isEqualTo(BsonDocument.parse("{_id: 'jobs#nightly', holder: 'h', token: {$numberLong: '5'}}"));
        assertThat(model.getUpdate().toBsonDocument())
                .isEqualTo(BsonDocument.parse("{$inc: {gates: {$numberLong: '1'}}}"));
        assertThat(model.getOptions().isUpsert()).isFalse();
    }

    @Test
    void theWriteModelOfATransactionPinsHolderAndTokenOnAStripe() {
        LeaseAssertion assertion = LeaseAssertion.of(tenure, collection(null)).gateStripes(4);

        UpdateOneModel<Document> model = assertion.asWriteModel(session(true));

        assertThat(model.getFilter().toBsonDocument())
                .isEqualTo(BsonDocument.parse("{_id: 'jobs!1#nightly', holder: 'h', token: {$numberLong: '5'}}"));
        assertThat(model.getUpdate().toBsonDocument())
                .isEqualTo(BsonDocument.parse("{$inc: {gates: {$numberLong: '1'}}}"));
        assertThat(model.getOptions().isUpsert()).isFalse();
        assertThat(idIn(assertion.asWriteModel())).isEqualTo("jobs#nightly");
    }

    @Test
    void withoutStripesTheWriteModelOfATransactionIsOnTheLease() {
        LeaseAssertion assertion = LeaseAssertion.of(tenure, collection(null));

        assertThat(idIn(assertion.asWriteModel(session(true)))).isEqualTo("jobs#nightly");
        assertThat(idIn(assertion.gateStripes(2).gateStripes(0).asWriteModel(session(true))))
                .isEqualTo("jobs#nightly");
    }

    @Test
    void whileTheConditionDoesNotHoldItIsOnTheLease() {
        AtomicBoolean held = new AtomicBoolean(true);
        LeaseAssertion assertion = LeaseAssertion.of(tenure, collection(null)).gateStripes(2, held::get);

        assertThat(idIn(assertion.asWriteModel(session(true)))).isEqualTo("jobs!1#nightly");
        held.set(false);
        assertThat(idIn(assertion.asWriteModel(session(true)))).isEqualTo("jobs#nightly");
    }

    private static String idIn(UpdateOneModel<Document> model) {
        return model.getFilter().toBsonDocument().getString("_id").getValue();
    }

    @Test
    void numbersOfStripesBeyondTheLimitsAreRefused() {
        LeaseAssertion assertion = LeaseAssertion.of(tenure, collection(null));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> assertion.gateStripes(-1))
                .withMessageContaining("-1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> assertion.gateStripes(65))
                .withMessageContaining("65");
    }

    @Test
    void whatIsDoneToOneWriteModelDoesNotReachTheNext() {
        LeaseAssertion assertion = LeaseAssertion.of(tenure, collection(null));

        assertion.<Document>asWriteModel().getFilter().toBsonDocument().remove("token");

        assertThat(assertion.<Document>asWriteModel().getFilter().toBsonDocument())
                .containsKey("token");
    }

    @Test
    @DisplayName("AS-11: without an open transaction nothing is sent")
    void withoutAnOpenTransactionNothingIsSent() {
        LeaseAssertion assertion = LeaseAssertion.of(tenure, collection(null));

        assertThatIllegalStateException()
                .isThrownBy(() -> assertion.check(session(false)))
                .withMessageContaining(tenure.toString())
                .withMessageContaining("needs a session with an open transaction");
        assertThatIllegalStateException()
                .isThrownBy(() -> assertion.asWriteModel(session(false)))
                .withMessageContaining("needs a session with an open transaction");
        assertThat(calls).isEmpty();
    }

    @Test
    void aTransientFailureOfTheReadForTheMessageDoesNotHideTheAnswer() {
        MongoException failure = new MongoException("connection lost");
        failure.addLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL);
        LeaseAssertion assertion = LeaseAssertion.of(tenure, collection(failure));

        assertThatExceptionOfType(LeaseNotHeldException.class)
                .isThrownBy(() -> assertion.check(session(true)))
                .withMessage("Lease 'nightly' of namespace 'jobs' is not held by 'h' under token 5:"
                        + " what is there instead could not be read")
                .withNoCause()
                .satisfies(notHeld -> {
                    assertThat(notHeld.tenure()).isEqualTo(tenure);
                    assertThat(notHeld.getSuppressed()).containsExactly(failure);
                });
        assertThat(calls)
                .containsExactly(
                        "updateOne", "find", "abortTransaction", "startTransaction", "updateOne", "notifyMessageSent");
    }

    @Test
    void aMissingSessionIsRefusedInWords() {
        LeaseAssertion assertion = LeaseAssertion.of(tenure, collection(null));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> assertion.check(null))
                .withMessage("session null is refused: the assertion of " + tenure
                        + " needs a session with an open transaction");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> assertion.asWriteModel(null))
                .withMessageStartingWith("session null is refused");
    }

    @Test
    void missingArgumentsAreRefused() {
        assertThatNullPointerException()
                .isThrownBy(() -> LeaseAssertion.of(null, collection(null)))
                .withMessage("tenure");
        assertThatNullPointerException()
                .isThrownBy(() -> LeaseAssertion.of(tenure, null))
                .withMessage("leases");
        assertThatNullPointerException()
                .isThrownBy(() -> LeaseAssertion.of(tenure, collection(null)).gateStripes(1, null))
                .withMessage("whileTrue");
    }

    @Test
    void theTenureIsShown() {
        LeaseAssertion assertion = LeaseAssertion.of(tenure, collection(null));

        assertThat(assertion.tenure()).isEqualTo(tenure);
        assertThat(assertion).hasToString("LeaseAssertion[" + tenure + "]");
    }

    private ClientSession session(boolean transaction) {
        return stub(ClientSession.class, method -> switch (method) {
            case "hasActiveTransaction" -> transaction;
            case "getTransactionOptions" -> TransactionOptions.builder().build();
            case "getServerSession" -> stub(ServerSession.class, number -> 1L);
            case "abortTransaction", "startTransaction", "notifyMessageSent" -> {
                calls.add(method);
                yield method.equals("notifyMessageSent");
            }
            default -> throw new AssertionError(method);
        });
    }

    /** A collection without any document, in which every find fails. */
    private MongoCollection<Document> collection(MongoException failureOfFind) {
        return stub(Collection.class, method -> switch (method) {
            case "withDocumentClass", "withCodecRegistry" -> collection(failureOfFind);
            case "updateOne" -> {
                calls.add(method);
                yield UpdateResult.acknowledged(0, 0L, null);
            }
            case "find" -> {
                calls.add(method);
                throw failureOfFind;
            }
            default -> throw new AssertionError(method);
        });
    }

    private static <T> T stub(Class<T> type, Answers answers) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> answers.to(method.getName())));
    }

    private interface Collection extends MongoCollection<Document> {}

    private interface Answers {
        Object to(String method);
    }
}
