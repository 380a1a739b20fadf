package dev.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a request refuses, and what it keeps. */
class LeaseRequestTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    @ParameterizedTest
    @DisplayName("VA-5: names that break the rule")
    @NullSource
    @ValueSource(strings = {"", "a\u0000b", "a\tb", "a\nb", "a\u0085b", "a\ud800"})
    void badNameIsRefused(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeaseRequest.of(name))
                .withMessageContaining("name");
    }

    @ParameterizedTest
    @DisplayName("VA-6: holders that break the rule")
    @NullSource
    @ValueSource(strings = {"", "a\u0000b", "a\tb", "a\nb", "a\u0085b", "a\ud800"})
    void badHolderIsRefused(String holder) {
        LeaseRequest sound = LeaseRequest.of("name");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> sound.holder(holder))
                .withMessageContaining("holder");
    }

    @Test
    @DisplayName("VA-13: comments of 512 and of 513 characters")
    void longCommentIsRefused() {
        LeaseRequest sound = LeaseRequest.of("name").comment("x".repeat(512));
        assertThat(sound.comment()).hasValue("x".repeat(512));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> sound.comment("x".repeat(513)))
                .withMessageContaining("512");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> sound.comment(null))
                .withMessageContaining("null");
    }

    @Test
    void missingDurationsAreRefused() {
        LeaseRequest sound = LeaseRequest.of("name");
        assertThatIllegalArgumentException().isThrownBy(() -> sound.term(null)).withMessageContaining("term null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> sound.term(null, MINUTE))
                .withMessageContaining("term null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> sound.waitAtMost(null))
                .withMessageContaining("wait null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> sound.term(MINUTE, null))
                .withMessageContaining("renewal period null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> sound.atLeast(null))
                .withMessageContaining("at least null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> sound.atMost(null))
                .withMessageContaining("at most null");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 65, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void numberOfStripesBeyondTheLimitsIsRefused(int stripes) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeaseRequest.of("name").gateStripes(stripes))
                .withMessage("gate stripes " + stripes + " is refused: it must be 0, for none, to 64");
    }

    @Test
    void stripesStayWhateverElseIsSaidOfTheRequest() {
        LeaseRequest striped = LeaseRequest.of("name").gateStripes(64);

        assertThat(striped.holder("h").comment("why").gateStripes()).isEqualTo(64);
        assertThat(striped.term(MINUTE).gateStripes()).isEqualTo(64);
        assertThat(striped.term(MINUTE, Duration.ofSeconds(5)).gateStripes()).isEqualTo(64);
        assertThat(striped.gateStripes(0).gateStripes()).isZero();
    }

    @Test
    void requestDoesNotChange() {
        LeaseRequest plain = LeaseRequest.of("name");
        LeaseRequest full = plain.holder("h").comment("why").term(MINUTE, Duration.ofSeconds(5));
        LeaseRequest first = plain.waitAtMost(Duration.ZERO);
        List<LeaseRequest> waiting = List.of(
                first,
                first.holder("h"),
                first.comment("why"),
                first.term(MINUTE),
                first.term(MINUTE, Duration.ofSeconds(5)),
                first.gateStripes(1),
                first.supersede(true),
                first.atLeast(MINUTE),
                plain.waitAtMost(MINUTE).waitAtMost(Duration.ZERO));

        assertThat(plain.holder()).isEmpty();
        assertThat(plain.comment()).isEmpty();
        assertThat(plain.payload()).isEmpty();
        assertThat(full.payload("10.0.0.7").term(MINUTE).payload()).hasValue("10.0.0.7");
        assertThat(full.payload("10.0.0.7").payload("").payload()).isEmpty();
        assertThat(plain.term()).isEmpty();
        assertThat(plain.renewalPeriod()).isEmpty();
        assertThat(full.name()).isEqualTo("name");
        assertThat(full.holder()).hasValue("h");
        assertThat(full.comment()).hasValue("why");
        assertThat(full.term()).hasValue(MINUTE);
        assertThat(full.renewalPeriod()).hasValue(Duration.ofSeconds(5));
        assertThat(full.gateStripes()).isZero();
        assertThat(full.gateStripes(16).gateStripes()).isEqualTo(16);
        assertThat(full.term(MINUTE).renewalPeriod()).as("a third again").isEmpty();
        assertThat(full.supersede()).isFalse();
        assertThat(full.atLeast()).isEmpty();
        assertThat(full.atLeast(MINUTE).comment("again").atLeast()).hasValue(MINUTE);
        assertThat(full.atMost()).isEmpty();
        assertThat(full.atMost(MINUTE).atLeast(MINUTE).comment("again").atMost())
                .hasValue(MINUTE);
        assertThat(full.supersede(true).comment("again").supersede()).isTrue();
        assertThat(full.waitAtMost()).isEmpty();
        assertThat(waiting).allSatisfy(each -> assertThat(each.waitAtMost()).hasValue(Duration.ZERO));
        assertThat(full)
                .hasToString(
                        "LeaseRequest[name=name, holder=h, comment=why, payload=null, term=PT1M, renewalPeriod=PT5S,"
                                + " gateStripes=0, supersede=false, atLeast=null, atMost=null, waitAtMost=null,"
                                + " priority=0]");
    }
}
