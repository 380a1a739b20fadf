package dev.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Refusal.Reason;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What answers and states say to people. */
class AnswerTextsTest {

    private static final Tenure TENURE = new Tenure("billing", "nightly", "h", 3);
    private static final Instant LATEST = Instant.parse("2073-03-03T09:41:00.000000005Z");
    private static final Instant SINCE = Instant.parse("2073-03-03T09:40:00Z");
    private static final LeaseState HELD =
            new LeaseState.Held(TENURE, LeaseStatus.ACTIVE, LATEST, SINCE, "nightly run", false, Set.of());
    private static final Refusal REFUSAL =
            new Refusal("claim of lease 'nightly' for 'h2' in namespace 'billing'", Reason.HELD, HELD);

    @Test
    void refusalSaysWhatWasAskedWhyNotAndHowTheLeaseStands() {
        assertThat(REFUSAL.message())
                .isEqualTo(
                        "claim of lease 'nightly' for 'h2' in namespace 'billing' refused: it is held; lease 'nightly' is held by"
                                + " 'h' under token 3, expiring at 2073-03-03T09:41:00.000000005Z on this clock at the latest unless it is"
                                + " renewed, comment 'nightly run'");
        assertThat(REFUSAL.isGranted()).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void everyReasonHasWordsOfItsOwn(Reason reason) {
        String message = new Refusal("claim", reason, new LeaseState.Absent("nightly")).message();

        assertThat(message).matches("claim refused: [a-z][a-z ,:-]+; lease 'nightly' does not exist");
    }

    @Test
    void statesDescribeThemselves() {
        assertThat(new LeaseState.Absent("nightly").describe()).isEqualTo("lease 'nightly' does not exist");
        assertThat(new LeaseState.Vacant("nightly", 3, null, Set.of()).describe())
                .isEqualTo("lease 'nightly' is vacant, last token 3");
        assertThat(new LeaseState.Held(TENURE, LeaseStatus.ACTIVE, null, SINCE, null, false, Set.of()).describe())
                .isEqualTo("lease 'nightly' is held by 'h' under token 3");
        assertThat(new LeaseState.Held(TENURE, LeaseStatus.ACTIVE, LATEST, SINCE, null, true, Set.of()).describe())
                .endsWith(" at the latest unless its session is renewed");
        assertThat(new LeaseState.Corrupt("nightly", "billing#nightly", "token", "missing").describe())
                .isEqualTo("document 'billing#nightly' is corrupt: field 'token': missing");
    }

    @Test
    void statesHaveAStatus() {
        assertThat(new LeaseState.Absent("nightly").status()).isEqualTo(LeaseStatus.FREE);
        assertThat(new LeaseState.Vacant("nightly", 3, null, Set.of()).status()).isEqualTo(LeaseStatus.FREE);
        assertThat(new LeaseState.Corrupt("nightly", "id", "token", "missing").status())
                .isEqualTo(LeaseStatus.CORRUPT);
        assertThat(HELD.name()).isEqualTo("nightly");
    }

    @Test
    void yesGivesItsTenure() {
        assertThat(new Granted(TENURE).orElseThrow()).isEqualTo(TENURE);
        assertThat(new Granted(TENURE).isGranted()).isTrue();
    }

    @Test
    void refusalAsAnExceptionHasNoStackTrace() {
        assertThatExceptionOfType(LeaseRefusedException.class)
                .isThrownBy(REFUSAL::orElseThrow)
                .withMessage(REFUSAL.message())
                .satisfies(refused -> assertThat(refused.refusal()).isSameAs(REFUSAL))
                .satisfies(refused -> assertThat(refused.getStackTrace()).isEmpty());
    }

    @Test
    void refusalAsAnExceptionTravelsWithItsMessage() throws Exception {
        LeaseRefusedException sent = new LeaseRefusedException(REFUSAL);

        LeaseRefusedException received = (LeaseRefusedException) copy(sent);

        assertThat(received).hasMessage(REFUSAL.message());
        assertThat(received.getStackTrace()).isEmpty();
    }

    @Test
    void corruptionNamesDocumentFieldAndFindingAlsoAfterATravel() throws Exception {
        CorruptDocumentException corrupt = new CorruptDocumentException("billing#nightly", "token", "missing");

        CorruptDocumentException received = (CorruptDocumentException) copy(corrupt);

        assertThat(received).hasMessage("document 'billing#nightly' is unusable: field 'token': missing");
        assertThat(received.documentId()).isEqualTo("billing#nightly");
        assertThat(received.field()).isEqualTo("token");
    }

    @Test
    void unknownOutcomeThatHasTravelledSaysThatItWillNotBeKnown() throws Exception {
        LeaseOutcomeUnknownException unknown =
                new LeaseOutcomeUnknownException("lost", null, CompletableFuture.completedFuture(REFUSAL));

        CompletionStage<LeaseResult> resolution = ((LeaseOutcomeUnknownException) copy(unknown)).resolution();

        assertThatThrownBy(resolution.toCompletableFuture()::join).hasCauseInstanceOf(LeaseStoreException.class);
    }

    private static Object copy(Object original) throws IOException, ClassNotFoundException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(original);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return in.readObject();
        }
    }
}
