package dev.leasehold.engine.campaign;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.campaign.Entry.Believed;
import java.util.Optional;

/**
 * Joins samples of the belief in one tenure to the time during which it certainly was there. A belief that was given up
 * does not come back, and one that is still there has not been given up since the sample before: so it lasted until the
 * end that the former sample foretold, or until the latter.
 */
final class BeliefSpan {

    private final Tenure tenure;
    private boolean begun;
    private long fromNanos;
    private long untilNanos;
    private long foretoldNanos;

    BeliefSpan(Tenure tenure) {
        this.tenure = tenure;
    }

    /**
     * Adds a sample.
     *
     * @param beforeNanos before the engine was asked
     * @param remainingNanos its answer; 0 for no belief
     * @param afterNanos after its answer
     * @return what is certain, once the belief has ended
     */
    Optional<Believed> sample(long beforeNanos, long remainingNanos, long afterNanos) {
        Optional<Believed> ended = Optional.empty();
        if (begun && remainingNanos > 0 && beforeNanos <= foretoldNanos) {
            untilNanos = beforeNanos;
        } else {
            ended = end();
        }
        if (remainingNanos > 0) {
            foretoldNanos = beforeNanos + remainingNanos;
            begin(afterNanos);
        }
        return ended;
    }

    /** What is certain so far. The span goes on from there. */
    Optional<Believed> soFar() {
        if (!begun || untilNanos <= fromNanos) {
            return Optional.empty();
        }
        Believed piece = new Believed(tenure.name(), tenure.holder(), tenure.token(), fromNanos, untilNanos);
        fromNanos = untilNanos;
        return Optional.of(piece);
    }

    /** A process that was stopped between the answer and now may have lost the belief meanwhile. */
    private void begin(long nanos) {
        if (!begun && nanos < foretoldNanos) {
            begun = true;
            fromNanos = nanos;
            untilNanos = nanos;
        }
    }

    private Optional<Believed> end() {
        Optional<Believed> last = soFar();
        begun = false;
        return last;
    }
}
