package dev.leasehold.simulator.bugs.mistakes;

import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.commit.PendingOperation;
import dev.leasehold.engine.store.WriteOutcome;
import dev.leasehold.engine.store.WriteOutcome.Verdict;
import dev.leasehold.engine.time.LocalInstant;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.asm.MemberSubstitution;

/** What callers are told. */
public final class AnswerMistakes {

    private AnswerMistakes() {}

    /** What is not known was done. */
    public static final class UnknownIsYes {
        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(value = 1, readOnly = false) WriteOutcome outcome) {
            if (outcome.verdict() == Verdict.UNKNOWN) {
                outcome = WriteOutcome.APPLIED;
            }
        }
    }

    /** What is not known was not done, and is tried once more. */
    public static final class UnknownIsUndone {
        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(value = 1, readOnly = false) WriteOutcome outcome) {
            if (outcome.verdict() == Verdict.UNKNOWN) {
                outcome = WriteOutcome.unavailable(new LeaseUnavailableException("no answer", outcome.cause()));
            }
        }
    }

    /** A commit that is sent again is not believed to have happened before. */
    public static Verdict undone(@MemberSubstitution.This WriteOutcome outcome) {
        return outcome.verdict() == Verdict.APPLIED ? Verdict.UNAVAILABLE : outcome.verdict();
    }

    /** What was not read for the question answers it. */
    public static final class FromMemory {
        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(value = 2, readOnly = false) boolean justRead) {
            justRead = true;
        }
    }

    /** Whoever might have to be told later is told after each attempt. */
    public static final class ToldTooEarly {
        @Advice.OnMethodExit
        static void exit(
                @Advice.This PendingOperation operation,
                @Advice.FieldValue("lateAnswer") CompletableFuture<?> lateAnswer) {
            lateAnswer.completeExceptionally(operation.outOfTime());
        }
    }

    /** Whatever was done is answered with no. */
    public static final class No {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) boolean done) {
            done = false;
        }
    }

    /** What nobody holds is not shown. */
    public static final class HeldAlone {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) List<LeaseState> states) {
            states = held(states);
        }
    }

    /** Those that somebody holds. */
    public static List<LeaseState> held(List<LeaseState> states) {
        return states.stream().filter(LeaseState.Held.class::isInstance).toList();
    }

    /** Half a second before. */
    public static Instant early(@MemberSubstitution.Argument(0) long nanos) {
        return LocalInstant.of(nanos - 500_000_000);
    }

    /** Who waits for a majority does not wait. */
    public static void atOnce(@MemberSubstitution.Argument(1) Runnable then) {
        then.run();
    }
}
