package dev.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.assertions.LeaseNotHeldException;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Refusal.Reason;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a program may conclude from an exception; and that tests of applications can make each of them. */
class ExceptionsTest {

    private static final Tenure TENURE = new Tenure("billing", "name", "h", 7);
    private static final Set<Reason> MAY_PASS =
            EnumSet.of(Reason.HELD, Reason.HELD_PAST_EXPIRY, Reason.NOT_EXPIRED, Reason.PINNED, Reason.NOT_YET);

    static Stream<LeaseException> thatMayPass() {
        return Stream.of(
                new LeaseUnavailableException("no answer", null),
                new LeaseContentionException("others write", null),
                new LeaseOutcomeUnknownException("the answer was lost", null));
    }

    static Stream<LeaseException> thatStay() {
        return Stream.of(
                new LeaseStoreException("no right to write", null),
                new CorruptDocumentException("billing#name", "token", "none"),
                new ClockAnomalyException("it went back", null),
                new LeaseEngineClosedException("closed", null),
                new UnsupportedDeploymentException("a standalone server", null));
    }

    @ParameterizedTest
    @MethodSource("thatMayPass")
    void whatMayPassByItselfIsRetryable(LeaseException exception) {
        assertThat(exception.isRetryable()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("thatStay")
    void whatAnOperatorHasToMendIsNotRetryable(LeaseException exception) {
        assertThat(exception.isRetryable()).isFalse();
    }

    @ParameterizedTest
    @EnumSource(Reason.class)
    void refusalIsRetryableIfTheLeaseMayBecomeFree(Reason reason) {
        LeaseState held = new LeaseState.Held(
                TENURE, LeaseStatus.ACTIVE, null, Instant.EPOCH, "nightly run", true, Set.of("operator"));
        LeaseRefusedException refused = new LeaseRefusedException(new Refusal("acquisition", reason, held));

        assertThat(refused.isRetryable()).isEqualTo(MAY_PASS.contains(reason));
        assertThat(refused).hasMessageContaining("nightly run");
    }

    @Test
    void leaseNotHeldNamesItsTenureAndWhy() {
        LeaseNotHeldException notHeld = new LeaseNotHeldException(TENURE, "a test says so");

        assertThat(notHeld.tenure()).isEqualTo(TENURE);
        assertThat(notHeld)
                .hasMessageContaining("'name' of namespace 'billing'")
                .hasMessageEndingWith("is not held by 'h' under token 7: a test says so");
    }
}
