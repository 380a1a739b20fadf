package dev.leasehold.engine.internal.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseEngine;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Bad arguments are refused before anything is sent, with the offending value and the rule. */
class ValidationTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Tenure TENURE = new Tenure(SteppedEngine.NAMESPACE, "one", "h", 1);

    private final SteppedEngine client = SteppedEngine.atZ();
    private final LeaseEngine engine = client.engine;
    private boolean mayCallTheStore;

    @AfterEach
    void nothingWasSent() {
        if (!mayCallTheStore) {
            client.runtime.runDue();
            assertThat(client.store.calls()).isZero();
        }
    }

    @ParameterizedTest
    @DisplayName("VA-5, VA-9, VA-10: names that break the rule")
    @MethodSource("badTexts")
    void badNamesAreRefused(String text, String shown) {
        refused("lease name", shown, () -> engine.tenures().claim(text, "h", MINUTE));
        refused("lease name", shown, () -> engine.tenures().claim(text, "h", MINUTE, "comment"));
        refused("lease name", shown, () -> engine.tenures().takeOver(text, "h", MINUTE));
        refused("lease name", shown, () -> engine.tenures().takeOver(text, "h", MINUTE, "comment"));
        refused("lease name", shown, () -> engine.tenures().expire(text));
        refused("lease name", shown, () -> engine.refresh(Arrays.asList("good", text)));
        refused("lease name", shown, () -> new Tenure(SteppedEngine.NAMESPACE, text, "h", 1));
    }

    @ParameterizedTest
    @DisplayName("VA-6, VA-9: holders that break the rule")
    @MethodSource("badTexts")
    void badHoldersAreRefused(String text, String shown) {
        refused("holder", shown, () -> engine.tenures().claim("one", text, MINUTE));
        refused("holder", shown, () -> engine.tenures().takeOver("one", text, MINUTE));
        refused("holder", shown, () -> new Tenure(SteppedEngine.NAMESPACE, "one", text, 1));
    }

    @ParameterizedTest
    @DisplayName("Entities that break the rule")
    @MethodSource("badTexts")
    void badEntitiesAreRefused(String text, String shown) {
        refused("entity", shown, () -> engine.admin().pin("one", text));
        refused("entity", shown, () -> engine.admin().unpin("one", text));
    }

    static Stream<Arguments> badTexts() {
        return Stream.of(
                Arguments.of("", "''"),
                Arguments.of(null, "null"),
                Arguments.of("a\u0000b", "a\\u0000b"),
                Arguments.of("a\tb", "a\\u0009b"),
                Arguments.of("a\nb", "a\\u000ab"),
                Arguments.of("a\u0085b", "a\\u0085b"),
                Arguments.of("a\ud800b", "a\\ud800b"),
                Arguments.of("x".repeat(513), "x".repeat(512)));
    }

    @ParameterizedTest
    @DisplayName("VA-8, VA-9: durations out of range")
    @MethodSource("badDurations")
    void badDurationsAreRefused(Duration duration, String shown) {
        refused("duration", shown, () -> engine.tenures().claim("one", "h", duration));
        refused("duration", shown, () -> engine.tenures().takeOver("one", "h", duration));
        refused("duration", shown, () -> engine.tenures().extend(TENURE, duration));
    }

    static Stream<Arguments> badDurations() {
        return Stream.of(
                Arguments.of(null, "null"),
                Arguments.of(Duration.ZERO, "PT0S"),
                Arguments.of(Duration.ofSeconds(-1), "PT-1S"),
                Arguments.of(Duration.ofNanos(999_999), "PT0.000999999S"),
                Arguments.of(Duration.ofDays(36_500).plusNanos(1), "PT876000H0.000000001S"),
                Arguments.of(Duration.ofSeconds(Long.MAX_VALUE), String.valueOf(Duration.ofSeconds(Long.MAX_VALUE))));
    }

    @Test
    void shortestAndLongestDurationAreAccepted() throws InterruptedException {
        mayCallTheStore = true;

        assertThat(engine.tenures().claim("short", "h", Duration.ofMillis(1)).isGranted())
                .isTrue();
        assertThat(engine.tenures().claim("long", "h", Duration.ofDays(36_500)).isGranted())
                .isTrue();
    }

    @Test
    @DisplayName("VA-10: a tenure needs a token of 1 or more, and must be of this engine's namespace")
    void badTenuresAreRefused() {
        refused("token", "0", () -> new Tenure(SteppedEngine.NAMESPACE, "one", "h", 0));
        refused("token", "-1", () -> new Tenure(SteppedEngine.NAMESPACE, "one", "h", -1));
        Tenure elsewhere = new Tenure("shipping", "one", "h", 1);
        for (Tenure tenure : new Tenure[] {elsewhere, null}) {
            String shown = tenure == null ? "null" : "shipping";
            refused("tenure", shown, () -> engine.tenures().release(tenure));
            refused("tenure", shown, () -> engine.tenures().extend(tenure, MINUTE));
            refused("tenure", shown, () -> engine.tenures().isHeld(tenure));
            refused("tenure", shown, () -> engine.tenures().remaining(tenure));
            refused("tenure", shown, () -> engine.tenures().assertion(tenure));
        }
    }

    @Test
    @DisplayName("VA-11: the name is complained of first, then the holder, then the duration")
    void orderOfComplaints() {
        refused("lease name", "a\\u0009b", () -> engine.tenures().claim("a\tb", "", Duration.ZERO));
        refused("holder", "''", () -> engine.tenures().claim("one", "", Duration.ZERO));
        refused("duration", "PT0S", () -> engine.tenures().claim("one", "h", Duration.ZERO));
        refused("lease name", "a\\u0009b", () -> engine.tenures().takeOver("a\tb", "", Duration.ZERO));
        refused("tenure", "null", () -> engine.tenures().extend(null, Duration.ZERO));
    }

    @Test
    @DisplayName("VA-12: a term that ends past the range of the clock is an overflow")
    void termPastTheEndOfTimeIsRefused() {
        SteppedEngine late =
                SteppedEngine.at(Instant.parse("2200-01-01T00:00:00Z").getEpochSecond() * SteppedEngine.SECOND);
        Duration century = Duration.ofDays(36_500);

        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> late.engine.tenures().claim("one", "h", century),
                () -> late.engine.tenures().takeOver("one", "h", century),
                () -> late.engine.tenures().extend(TENURE, century))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(call)
                    .withMessageContaining("overflow")
                    .withMessageContaining("PT876000H");
        }
        assertThat(late.store.calls()).isZero();
    }

    @Test
    @DisplayName("VA-13: a comment of 513 characters")
    void longCommentIsRefused() {
        refused("comment", "x".repeat(512), () -> engine.tenures().claim("one", "h", MINUTE, "x".repeat(513)));
        refused("comment", "x".repeat(512), () -> engine.tenures().takeOver("one", "h", MINUTE, "x".repeat(513)));
        refused("comment", "a\\u000ab", () -> engine.tenures().claim("one", "h", MINUTE, "a\nb"));
    }

    @Test
    @DisplayName("VA-13: a comment of 512 characters, an empty one, and none")
    void otherCommentsAreAccepted() throws InterruptedException {
        mayCallTheStore = true;

        engine.tenures().claim("long", "h", MINUTE, "x".repeat(512)).orElseThrow();
        engine.tenures().claim("empty", "h", MINUTE, "").orElseThrow();
        engine.tenures().claim("none", "h", MINUTE, null).orElseThrow();

        assertThat(client.store.document("long").comment()).hasSize(512);
        assertThat(client.store.document("empty").comment()).isEmpty();
        assertThat(client.store.document("none").comment()).isNull();
    }

    @Test
    void refreshingNothingAsksNothing() throws InterruptedException {
        assertThat(engine.refresh(List.of())).isEmpty();
    }

    private static void refused(String what, String shown, ThrowingCallable call) {
        assertThatIllegalArgumentException()
                .isThrownBy(call)
                .withMessageStartingWith(what)
                .withMessageContaining(shown)
                .withMessageMatching("(?s).*(must be|works on namespace).*");
    }
}
