package dev.leasehold.engine.campaign;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.campaign.Entry.Valid;
import java.util.Optional;

/**
 * Joins samples of the validity of one tenure to the time during which it certainly was there. A validity that was ended by a release
 * does not come back, and one that is still there was not ended since the sample before: so it lasted until the
 * end that the former sample foretold, or until the latter.
 */
final class ValiditySpan {

    private final Tenure tenure;
    private boolean begun;
    private long fromNanos;
    private long untilNanos;
    private long foretoldNanos;

    ValiditySpan(Tenure tenure) {
        this.tenure = tenure;
    }

    /**
     * Adds a sample.
     *
     * @param beforeNanos before the engine was asked
     * @param remainingNanos its answer; 0 for no validity
     * @param afterNanos after its answer
     * @return what is certain, once the validity has ended
     */
    Optional<Valid> sample(long beforeNanos, long remainingNanos, long afterNanos) {
        Optional<Valid> ended = Optional.empty();
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
    Optional<Valid> soFar() {
        if (!begun || untilNanos <= fromNanos) {
            return Optional.empty();
        }
        Valid piece = new Valid(tenure.name(), tenure.holder(), tenure.token(), fromNanos, untilNanos);
        fromNanos = untilNanos;
        return Optional.of(piece);
    }

    /** A process that was stopped between the answer and now may have lost the validity meanwhile. */
    private void begin(long nanos) {
        if (!begun && nanos < foretoldNanos) {
            begun = true;
            fromNanos = nanos;
            untilNanos = nanos;
        }
    }

    private Optional<Valid> end() {
        Optional<Valid> last = soFar();
        begun = false;
        return last;
    }
}
