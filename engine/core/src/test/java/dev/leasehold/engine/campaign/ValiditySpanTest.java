package dev.leasehold.engine.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.campaign.Entry.Valid;
import org.junit.jupiter.api.Test;

class ValiditySpanTest {

    private final ValiditySpan span = new ValiditySpan(new Tenure("campaign", "lease", "h", 3));

    private static Valid valid(long fromNanos, long untilNanos) {
        return new Valid("lease", "h", 3, fromNanos, untilNanos);
    }

    @Test
    void reachesFromTheFirstAnswerToTheLastQuestion() {
        assertThat(span.sample(10, 50, 12)).isEmpty();
        assertThat(span.sample(20, 40, 22)).isEmpty();
        assertThat(span.sample(30, 30, 32)).isEmpty();

        assertThat(span.sample(40, 0, 42)).contains(valid(12, 30));
    }

    @Test
    void endsWhereTheValidityWasToEndAndBeginsAnew() {
        span.sample(10, 50, 12);
        span.sample(20, 10, 22);

        assertThat(span.sample(31, 50, 33)).contains(valid(12, 20));
        span.sample(40, 41, 42);
        assertThat(span.soFar()).contains(valid(33, 40));
    }

    @Test
    void doesNotRestOnAnAnswerThatCameTooLate() {
        span.sample(10, 50, 61);
        span.sample(62, 100, 63);
        span.sample(70, 92, 71);

        assertThat(span.sample(80, 0, 81)).contains(valid(63, 70));
    }

    @Test
    void isOfNoLengthAfterOneSample() {
        span.sample(10, 50, 12);

        assertThat(span.soFar()).isEmpty();
        assertThat(span.sample(20, 0, 22)).isEmpty();
    }

    @Test
    void isToldInPieces() {
        span.sample(10, 50, 12);
        span.sample(20, 40, 22);
        assertThat(span.soFar()).contains(valid(12, 20));
        assertThat(span.soFar()).isEmpty();

        span.sample(30, 30, 32);
        assertThat(span.sample(40, 0, 42)).contains(valid(20, 30));
    }
}
