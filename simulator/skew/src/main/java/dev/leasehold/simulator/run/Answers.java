package dev.leasehold.simulator.run;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.Granted;
import dev.leasehold.engine.LeaseContentionException;
import dev.leasehold.engine.LeaseOutcomeUnknownException;
import dev.leasehold.engine.LeaseResult;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.LeaseStatus;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.Refusal;
import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.Answer.Kind;
import dev.leasehold.simulator.history.Answer.Shown;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/** What engines answer, as the checker reads it: the instants that they show lie in true time. */
public final class Answers {

    public static final Answer DONE = new Answer(Kind.YES, null, null, List.of());

    private Answers() {}

    static Answer yes(Tenure tenure) {
        return new Answer(Kind.YES, GrantedTenures.held(tenure), null, List.of());
    }

    public static Answer no(String reason) {
        return new Answer(Kind.NO, null, reason, List.of());
    }

    public static Answer of(LeaseResult answer, LongUnaryOperator trueTime) {
        return answer instanceof Granted granted ? yes(granted.tenure()) : refused((Refusal) answer, trueTime);
    }

    public static Answer of(Acquisition acquisition, LongUnaryOperator trueTime) {
        return acquisition instanceof Acquisition.NotAcquired refused
                ? refused(refused.refusal(), trueTime)
                : yes(acquisition.orElseThrow().tenure());
    }

    private static Answer refused(Refusal refusal, LongUnaryOperator trueTime) {
        return new Answer(Kind.NO, null, refusal.reason().name(), List.of(shown(refusal.state(), trueTime)));
    }

    static Answer of(List<LeaseState> states, LongUnaryOperator trueTime) {
        List<Shown> shown = new ArrayList<>(states.size());
        for (LeaseState state : states) {
            shown.add(shown(state, trueTime));
        }
        return new Answer(Kind.YES, null, null, shown);
    }

    /** Whatever is thrown and is not of an unknown outcome says that nothing was done. */
    public static Answer of(RuntimeException thrown) {
        Kind kind = thrown instanceof LeaseOutcomeUnknownException ? Kind.UNKNOWN : Kind.NO;
        return new Answer(kind, null, thrown.getClass().getSimpleName(), List.of());
    }

    /** What had become of an unknown outcome, where it is no answer: it was not carried out, or it can never be known. */
    public static Answer ofResolution(Throwable failure) {
        // A stage that depends on another one wraps what that has failed with.
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        boolean never = cause instanceof LeaseUnavailableException || cause instanceof LeaseContentionException;
        return new Answer(never ? Kind.NO : Kind.UNKNOWN, null, cause.getClass().getSimpleName(), List.of());
    }

    private static Shown shown(LeaseState state, LongUnaryOperator trueTime) {
        if (state instanceof LeaseState.Held held) {
            return new Shown(
                    held.name(),
                    held.tenure().holder(),
                    held.tenure().token(),
                    false,
                    held.status() == LeaseStatus.EXPIRED,
                    safeAfter(held.latestExpiry(), trueTime));
        }
        if (state instanceof LeaseState.Vacant vacant) {
            return new Shown(vacant.name(), null, vacant.token(), false, false, Long.MAX_VALUE);
        }
        return new Shown(state.name(), null, 0, state instanceof LeaseState.Corrupt, false, Long.MAX_VALUE);
    }

    private static long safeAfter(@Nullable Instant latestExpiry, LongUnaryOperator trueTime) {
        return latestExpiry == null ? Long.MAX_VALUE : trueTime.applyAsLong(nanos(latestExpiry));
    }

    static long nanos(Instant local) {
        return local.getEpochSecond() * 1_000_000_000L + local.getNano();
    }
}
