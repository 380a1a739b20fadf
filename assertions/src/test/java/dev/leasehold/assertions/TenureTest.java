package dev.leasehold.assertions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TenureTest {

    @Test
    void theLeaseIdIsThatOfItsDocument() {
        assertThat(new Tenure("jobs", "nightly", "h", 1).leaseId()).isEqualTo("jobs#nightly");
    }

    @Test
    void theTenureOfALeaseInAPartitionTellsWhereItsDocumentLies() {
        assertThat(new Tenure("jobs~3", "nightly", "h", 1).leaseId()).isEqualTo("jobs~3#nightly");
    }

    @Test
    void everyPartTellsTenuresApart() {
        Tenure tenure = new Tenure("jobs", "nightly", "h", 5);

        assertThat(tenure)
                .isEqualTo(new Tenure("jobs", "nightly", "h", 5))
                .isNotEqualTo(new Tenure("other", "nightly", "h", 5))
                .isNotEqualTo(new Tenure("jobs", "other", "h", 5))
                .isNotEqualTo(new Tenure("jobs", "nightly", "other", 5))
                .isNotEqualTo(new Tenure("jobs", "nightly", "h", 6));
    }

    @ParameterizedTest
    @DisplayName("VA-10: a token below 1 is refused")
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void tokenBelowOneIsRefused(long token) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Tenure("jobs", "nightly", "h", token))
                .withMessage("token " + token + " is refused: it must be 1 or more");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 1L << 53, Long.MAX_VALUE})
    void everyTokenFromOneUpIsAccepted(long token) {
        assertThat(new Tenure("jobs", "nightly", "h", token).token()).isEqualTo(token);
    }

    @Test
    @DisplayName("VA-11: of several bad parts the first one is named")
    void ofSeveralBadPartsTheFirstIsNamed() {
        assertRefused(() -> new Tenure("", "", "", 0), "namespace");
        assertRefused(() -> new Tenure("n", "", "", 0), "lease name");
        assertRefused(() -> new Tenure("n", "n", "", 0), "holder");
        assertRefused(() -> new Tenure("n", "n", "h", 0), "token");
    }

    @Test
    void aTenureCanBeSentToAnotherProcess() throws IOException, ClassNotFoundException {
        Tenure tenure = new Tenure("jobs", "\u03a9", "h", 5);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(tenure);
        }

        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            assertThat(in.readObject()).isEqualTo(tenure);
        }
    }

    private static void assertRefused(ThrowingCallable construction, String part) {
        assertThatIllegalArgumentException().isThrownBy(construction).withMessageStartingWith(part);
    }
}
