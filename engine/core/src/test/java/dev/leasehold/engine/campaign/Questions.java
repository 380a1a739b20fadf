package dev.leasehold.engine.campaign;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.Granted;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseContentionException;
import dev.leasehold.engine.LeaseEngine;
import dev.leasehold.engine.LeaseOutcomeUnknownException;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.LeaseResult;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.LeaseStoreException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.Refusal;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls of an engine, each with its answer in the journal, the late ones too. */
final class Questions {

    /** A call of the engine. */
    interface Question {
        LeaseResult ask(LeaseEngine engine) throws InterruptedException;
    }

    private static final Logger LOG = LoggerFactory.getLogger(Questions.class);

    private final LeaseEngine engine;
    private final Journal journal;
    private final Queue<CompletableFuture<?>> late = new ConcurrentLinkedQueue<>();

    Questions(LeaseEngine engine, Journal journal) {
        this.engine = engine;
        this.journal = journal;
    }

    /** The comment names the call, so that whoever sees the lease can tell which call began the tenure. */
    Optional<LeaseResult> claim(String lease, String holder, Duration term, Consumer<Tenure> comesLate)
            throws InterruptedException {
        String call = journal.newCall();
        journal.asks(call, Operation.CLAIM, lease, holder, 0, term.toNanos());
        return answer(call, engine -> engine.tenures().claim(lease, holder, term, call), comesLate);
    }

    Optional<LeaseResult> takeOver(String lease, String holder, Duration term, Consumer<Tenure> comesLate)
            throws InterruptedException {
        String call = journal.newCall();
        journal.asks(call, Operation.TAKE_OVER, lease, holder, 0, term.toNanos());
        return answer(call, engine -> engine.tenures().takeOver(lease, holder, term, call), comesLate);
    }

    /**
     * Acquires for a holder of its own, which has the name of the call: it is told of a tenure of this call alone.
     *
     * @param term null for a lease that the session keeps
     */
    Optional<Lease> acquire(String lease, @Nullable Duration term, Duration wait) throws InterruptedException {
        String call = journal.newCall();
        journal.asks(call, Operation.ACQUIRE, lease, call, 0, term == null ? 0 : term.toNanos());
        LeaseRequest request = LeaseRequest.of(lease).holder(call).comment(call);
        AtomicReference<@Nullable Lease> acquired = new AtomicReference<>();
        answer(
                call,
                engine -> {
                    Acquisition answer = engine.tryAcquire(term == null ? request : request.term(term), wait);
                    acquired.set(answer.asOptional().orElse(null));
                    return answer instanceof Acquisition.NotAcquired no
                            ? no.refusal()
                            : new Granted(answer.orElseThrow().tenure());
                },
                tenure -> {});
        return Optional.ofNullable(acquired.get());
    }

    /** It answers nothing: the lease may be released in the background. */
    void close(Lease lease) {
        String call = journal.newCall();
        journal.asks(call, Operation.CLOSE, lease.name(), lease.holder(), lease.token(), 0);
        lease.close();
        journal.told(call, Verdict.NEVER_KNOWN, 0, "closed");
    }

    Optional<LeaseResult> expire(String lease, String holder) throws InterruptedException {
        String call = journal.newCall();
        journal.asks(call, Operation.EXPIRE, lease, holder, 0, 0);
        return answer(call, engine -> engine.tenures().expire(lease), tenure -> {});
    }

    Optional<LeaseResult> extend(Tenure tenure, Duration term) throws InterruptedException {
        String call = journal.newCall();
        journal.asks(call, Operation.EXTEND, tenure.name(), tenure.holder(), tenure.token(), term.toNanos());
        return answer(call, engine -> engine.tenures().extend(tenure, term), late -> {});
    }

    Optional<LeaseResult> release(Tenure tenure) throws InterruptedException {
        String call = journal.newCall();
        journal.asks(call, Operation.RELEASE, tenure.name(), tenure.holder(), tenure.token(), 0);
        return answer(call, engine -> engine.tenures().release(tenure), late -> {});
    }

    /** Completes when nothing is unknown any more that can be known. */
    CompletableFuture<Void> allResolved() {
        return CompletableFuture.allOf(late.toArray(CompletableFuture[]::new));
    }

    private Optional<LeaseResult> answer(String call, Question question, Consumer<Tenure> comesLate)
            throws InterruptedException {
        try {
            LeaseResult answer = question.ask(engine);
            told(call, answer);
            return Optional.of(answer);
        } catch (LeaseOutcomeUnknownException e) {
            journal.told(call, Verdict.UNKNOWN, 0, name(e));
            late.add(e.resolution()
                    .handle((answer, trouble) -> resolved(call, answer, trouble, comesLate))
                    .toCompletableFuture());
        } catch (RuntimeException e) {
            journal.told(call, verdictOf(e), 0, name(e));
        }
        return Optional.empty();
    }

    private void told(String call, LeaseResult answer) {
        if (answer instanceof Refusal refusal) {
            journal.told(call, Verdict.NO, 0, refusal.reason().name());
            saw(refusal.state());
        } else {
            journal.told(call, Verdict.YES, answer.orElseThrow().token(), "granted");
        }
    }

    private void saw(LeaseState state) {
        if (state instanceof LeaseState.Held held && held.comment() != null) {
            Tenure tenure = held.tenure();
            journal.write(new Entry.Seen(tenure.name(), tenure.holder(), tenure.token(), held.comment()));
        }
    }

    private boolean resolved(
            String call, @Nullable LeaseResult answer, @Nullable Throwable trouble, Consumer<Tenure> comesLate) {
        if (answer != null) {
            told(call, answer);
            if (answer.isGranted()) {
                comesLate.accept(answer.orElseThrow());
            }
            return true;
        }
        Throwable cause = trouble instanceof CompletionException ? trouble.getCause() : trouble;
        journal.told(
                call, cause instanceof LeaseStoreException ? Verdict.NEVER_KNOWN : verdictOf(cause), 0, name(cause));
        return false;
    }

    private static Verdict verdictOf(@Nullable Throwable trouble) {
        if (trouble instanceof LeaseUnavailableException || trouble instanceof LeaseContentionException) {
            return Verdict.NO;
        }
        LOG.error("an answer of no known kind", trouble);
        return Verdict.UNPROMISED;
    }

    private static String name(@Nullable Throwable trouble) {
        return trouble == null ? "nothing" : trouble.getClass().getSimpleName();
    }
}
