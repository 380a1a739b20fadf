package dev.leasehold.simulator.campaign;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseOutcomeUnknownException;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.LeaseResult;
import dev.leasehold.simulator.history.Answer;
import dev.leasehold.simulator.history.HeldTenure;
import dev.leasehold.simulator.history.Operation;
import dev.leasehold.simulator.history.Operation.Kind;
import dev.leasehold.simulator.run.Answers;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/** Calls of an engine, each with its answer in the journal, the late ones too. */
final class Questions {

    /** A call of the engine. */
    interface Question {
        LeaseResult ask(int call) throws InterruptedException;
    }

    /** An acquired lease, and the call that acquired it. */
    record Handle(int call, Lease lease) {}

    /** On which clock of the recording an engine would take a lease is not known. */
    private static final LongUnaryOperator NOT_KNOWN = nanos -> Long.MAX_VALUE;

    private final LeaseEngine engine;
    private final Journal journal;
    private final ValidityWatch validities;
    private final Queue<CompletableFuture<?>> late = new ConcurrentLinkedQueue<>();

    Questions(LeaseEngine engine, Journal journal, ValidityWatch validities) {
        this.engine = engine;
        this.journal = journal;
        this.validities = validities;
    }

    /** The comment names the call, so that what sees the lease can tell which call began the tenure. */
    Optional<Tenure> claim(String lease, String holder, Duration term, Consumer<Tenure> comesLate)
            throws InterruptedException {
        return answer(
                new Operation(Kind.CLAIM, lease, holder, null, term.toNanos(), false),
                call -> engine.tenures().claim(lease, holder, term, comment(call)),
                comesLate);
    }

    Optional<Tenure> takeOver(String lease, String holder, Duration term, Consumer<Tenure> comesLate)
            throws InterruptedException {
        return answer(
                new Operation(Kind.TAKE_OVER, lease, holder, null, term.toNanos(), false),
                call -> engine.tenures().takeOver(lease, holder, term, comment(call)),
                comesLate);
    }

    static String comment(int call) {
        return String.valueOf(call);
    }

    /**
     * Acquires for a holder of its own: it is told of a tenure of this call alone.
     *
     * @param term null for a lease that the session keeps
     */
    Optional<Handle> acquire(String lease, String holder, @Nullable Duration term, Duration wait)
            throws InterruptedException {
        long termNanos = Objects.requireNonNullElse(term, Contender.SESSION).toNanos();
        int call = journal.called(
                new Operation(Kind.ACQUIRE, lease, holder, null, termNanos, term == null, wait.toNanos()));
        LeaseRequest request = LeaseRequest.of(lease).holder(holder).comment(comment(call));
        try {
            Acquisition answer = engine.tryAcquire((term == null ? request : request.term(term)).waitAtMost(wait));
            journal.answered(call, Answers.of(answer, NOT_KNOWN));
            return answer.asOptional().map(acquired -> new Handle(call, acquired));
        } catch (LeaseException e) {
            failed(call, e, tenure -> {});
            return Optional.empty();
        }
    }

    /**
     * It answers nothing: the lease may be released in the background. From before the call on it is not looked at: at which instant of
     * the call the validity ends cannot be told.
     */
    void close(Handle handle) {
        validities.forget(handle.lease().tenure());
        HeldTenure tenure = Journal.held(handle.lease().tenure());
        int call = journal.called(new Operation(
                Kind.CLOSE_HANDLE, tenure.lease(), null, tenure, 0, false, 0, false, 0, handle.call(), null, false));
        handle.lease().close();
        journal.answered(call, Answers.DONE);
        validities.watch(handle.lease());
    }

    void expire(String lease) throws InterruptedException {
        answer(
                new Operation(Kind.EXPIRE, lease, null, null, 0, false),
                call -> engine.tenures().expire(lease),
                tenure -> {});
    }

    /** Empty where it is certainly over, or not known. */
    Optional<Tenure> extend(Tenure tenure, Duration term) throws InterruptedException {
        return answer(
                new Operation(Kind.EXTEND, tenure.name(), null, Journal.held(tenure), term.toNanos(), false),
                call -> engine.tenures().extend(tenure, term),
                late -> {});
    }

    /** As with {@link #close}. */
    void release(Tenure tenure) throws InterruptedException {
        validities.forget(tenure);
        answer(
                new Operation(Kind.RELEASE, tenure.name(), null, Journal.held(tenure), 0, false),
                call -> engine.tenures().release(tenure),
                late -> {});
        validities.watch(tenure);
    }

    /** Completes when nothing is unknown any more that can be known. */
    CompletableFuture<Void> allResolved() {
        return CompletableFuture.allOf(late.toArray(CompletableFuture[]::new));
    }

    private Optional<Tenure> answer(Operation operation, Question question, Consumer<Tenure> comesLate)
            throws InterruptedException {
        int call = journal.called(operation);
        try {
            LeaseResult answer = question.ask(call);
            journal.answered(call, Answers.of(answer, NOT_KNOWN));
            return answer.isGranted() ? Optional.of(answer.orElseThrow()) : Optional.empty();
        } catch (LeaseException e) {
            failed(call, e, comesLate);
            return Optional.empty();
        }
    }

    private void failed(int call, LeaseException failure, Consumer<Tenure> comesLate) {
        journal.answered(call, Answers.of(failure));
        if (failure instanceof LeaseOutcomeUnknownException unknown) {
            late.add(unknown.resolution()
                    .handle((answer, trouble) -> resolved(call, answer, trouble, comesLate))
                    .toCompletableFuture());
        }
    }

    private boolean resolved(
            int call, @Nullable LeaseResult answer, @Nullable Throwable trouble, Consumer<Tenure> comesLate) {
        Answer late =
                answer == null ? Answers.ofResolution(Objects.requireNonNull(trouble)) : Answers.of(answer, NOT_KNOWN);
        journal.resolved(call, late);
        if (answer != null && answer.isGranted()) {
            comesLate.accept(answer.orElseThrow());
        }
        return answer != null;
    }
}
