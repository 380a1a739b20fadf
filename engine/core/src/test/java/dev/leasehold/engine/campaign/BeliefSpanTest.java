package dev.leasehold.engine.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.campaign.Entry.Believed;
import org.junit.jupiter.api.Test;

class BeliefSpanTest {

    private final BeliefSpan span = new BeliefSpan(new Tenure("campaign", "lease", "h", 3));

    private static Believed believed(long fromNanos, long untilNanos) {
        return new Believed("lease", "h", 3, fromNanos, untilNanos);
    }

    @Test
    void reachesFromTheFirstAnswerToTheLastQuestion() {
        assertThat(span.sample(10, 50, 12)).isEmpty();
        assertThat(span.sample(20, 40, 22)).isEmpty();
        assertThat(span.sample(30, 30, 32)).isEmpty();

        assertThat(span.sample(40, 0, 42)).contains(believed(12, 30));
    }

    @Test
    void endsWhereTheBeliefWasToEndAndBeginsAnew() {
        span.sample(10, 50, 12);
        span.sample(20, 10, 22);

        assertThat(span.sample(31, 50, 33)).contains(believed(12, 20));
        span.sample(40, 41, 42);
        assertThat(span.soFar()).contains(believed(33, 40));
    }

    @Test
    void doesNotRestOnAnAnswerThatCameTooLate() {
        span.sample(10, 50, 61);
        span.sample(62, 100, 63);
        span.sample(70, 92, 71);

        assertThat(span.sample(80, 0, 81)).contains(believed(63, 70));
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
        assertThat(span.soFar()).contains(believed(12, 20));
        assertThat(span.soFar()).isEmpty();

        span.sample(30, 30, 32);
        assertThat(span.sample(40, 0, 42)).contains(believed(20, 30));
    }
}
