package dev.leasehold.engine.internal.lease;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseState;
import dev.leasehold.engine.LeaseStatus;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.Refusal;
import dev.leasehold.engine.Refusal.Reason;
import dev.leasehold.engine.internal.commit.LeaseReader;
import dev.leasehold.engine.internal.commit.OperationEnds;
import dev.leasehold.engine.internal.commit.Partitions;
import dev.leasehold.engine.internal.commit.PendingOperation;
import dev.leasehold.engine.internal.rules.HoldBasis;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.rules.WaitQueue.QueueView;
import dev.leasehold.engine.internal.runtime.EngineThread;
import dev.leasehold.engine.internal.session.ValidityTracker;
import dev.leasehold.engine.internal.store.LeaseChange;
import dev.leasehold.engine.internal.time.LocalInstant;
import dev.leasehold.engine.internal.time.StampClock;
import dev.leasehold.engine.internal.time.Validity;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An engine and its database in a map. It answers on a thread of its own; a script may stand in for the answer to the next
 * operation.
 */
final class FakeOperations implements Partitions {

    static final String NAMESPACE = "billing";
    static final String WRITER = "a-1";
    static final long SESSION_NANOS = 30_000_000_000L;

    private final StampClock clock;
    private final EngineThread thread;
    private final Map<String, Row> rows = new HashMap<>();
    private final ValidityTracker validities;
    private int failingPolls;
    private final Deque<Consumer<PendingOperation>> scripts = new ArrayDeque<>();
    private final List<PendingOperation> sent = new ArrayList<>();
    private final List<Set<String>> polls = new ArrayList<>();
    private final List<String> heardOf = new ArrayList<>();
    private final List<String> reported = new ArrayList<>();
    private @Nullable Throwable renewalTrouble;
    private @Nullable RuntimeException atSubmit;
    private Runnable behindSubmit = () -> {};
    private Runnable onValiditiesEnded = () -> {};
    private boolean silent;
    private boolean idle;
    private long pollsAgainAfterNanos = Long.MAX_VALUE;
    private QueueView queue = QueueView.NONE;
    /** The polls that wait for their answers; null if each is answered at once. */
    private @Nullable List<Runnable> heldPolls;

    /** A lease: who holds it, under which token, and until when on the clock of this engine. */
    private record Row(
            @Nullable Tenure tenure,
            long token,
            @Nullable Long boundNanos,
            boolean session,
            Set<String> pins,
            boolean own) {

        Row(@Nullable Tenure tenure, long token, @Nullable Long boundNanos, boolean session, Set<String> pins) {
            this(tenure, token, boundNanos, session, pins, false);
        }

        boolean isHeldBy(String holder) {
            return tenure != null && tenure.holder().equals(holder);
        }
    }

    FakeOperations(StampClock clock, EngineThread thread) {
        this.clock = clock;
        this.thread = thread;
        this.validities = new ValidityTracker(clock);
    }

    // ---- what a test says ----

    /** Another holder has it for so long from now; null for an unknown time. */
    Tenure heldByAnother(String name, String holder, @Nullable Long forNanos) {
        Tenure tenure = new Tenure(NAMESPACE, name, holder, token(name) + 1);
        Long boundNanos = forNanos == null ? null : clock.nowNanos() + forNanos;
        rows.put(name, new Row(tenure, tenure.token(), boundNanos, false, Set.of()));
        return tenure;
    }

    /** Another engine's session keeps it, as far as is known for good. */
    void keptByASession(String name, String holder) {
        Tenure tenure = new Tenure(NAMESPACE, name, holder, token(name) + 1);
        rows.put(name, new Row(tenure, tenure.token(), null, true, Set.of()));
    }

    /** So long after each poll the next one is worthwhile. */
    void pollsAgainAfter(long nanos) {
        pollsAgainAfterNanos = nanos;
    }

    /** Each poll shows that a ticket of this engine is the first in the queue. */
    void nearTheHead() {
        queue = new QueueView(1, 0, false, Map.of(7L, 0), null, Set.of(), Set.of());
    }

    /** From now on polls are not answered. */
    void holdPolls() {
        heldPolls = new ArrayList<>();
    }

    /** They are answered, and so is each from now on. */
    void answerPolls() {
        List<Runnable> held = Objects.requireNonNull(heldPolls);
        heldPolls = null;
        held.forEach(thread::execute);
    }

    /** Whoever holds it does so no longer. */
    void vacate(String name) {
        rows.put(name, new Row(null, token(name), null, false, Set.of()));
    }

    void pin(String name) {
        rows.put(name, new Row(null, token(name), null, false, Set.of("maintenance")));
    }

    /** What becomes of the next operation that has no script yet, instead of an answer. */
    void script(Consumer<PendingOperation> next) {
        scripts.add(next);
    }

    /** The next operation is not even taken on. */
    void throwAtSubmit(RuntimeException failure) {
        atSubmit = failure;
    }

    /** The next operation is taken on, and whoever hands it in may not come to know that. */
    void behindSubmit(Runnable action) {
        behindSubmit = action;
    }

    /** Another thread is there just when the validities have been ended. */
    void onValiditiesEnded(Runnable action) {
        onValiditiesEnded = action;
    }

    /** The next polls find nothing out. */
    void failPolls(int polls) {
        failingPolls = polls;
    }

    /** The database has ended a validity, and the word of it is on its way to the handles. */
    void cutShort(Tenure tenure, LeaseLoss.Reason reason) {
        validities.lost(tenure, reason);
    }

    /** From now on its thread takes tasks of the loop, and runs those that follow from its answers. */
    void takesTasksOfTheLoop() {
        idle = true;
    }

    /** From now on only scripts say anything. */
    void neverAnswer() {
        silent = true;
    }

    /** Those that were not used are not. */
    void dropScripts() {
        scripts.clear();
    }

    /** An operation whose commit was sent long ago is carried out now, unless the leases have moved on. */
    void landIfPossible(PendingOperation operation) {
        if (operation.request() instanceof Request.Acquire acquire && holding(acquire.name()) == null) {
            Tenure tenure = nextTenure(operation);
            beginValidity(tenure, SESSION_NANOS);
            landLate(operation, tenure);
        } else if (operation.request() instanceof Request.Release release
                && release.tenure().equals(holding(release.name()))) {
            vacate(release.name());
            OperationEnds.grant(operation, release.tenure());
        } else {
            OperationEnds.fail(operation);
        }
    }

    /** What is remembered of tenures that are being released. */
    int traces() {
        return validities.rememberedCount();
    }

    /** It is carried out, and nobody hears of it. */
    void answerUnheard(PendingOperation operation) {
        Request.Extend extend = (Request.Extend) operation.request();
        rows.put(
                extend.name(),
                new Row(
                        extend.tenure(),
                        extend.tenure().token(),
                        clock.nowNanos() + extend.durationNanos(),
                        false,
                        Set.of(),
                        true));
    }

    /** As the database would answer. */
    void answer(PendingOperation operation) {
        if (operation.request() instanceof Request.Acquire acquire) {
            acquire(operation, acquire);
        } else if (operation.request() instanceof Request.Extend extend) {
            extend(operation, extend);
        } else if (operation.request() instanceof Request.Release release) {
            release(operation, release);
        } else {
            throw new IllegalArgumentException(operation.request().describe());
        }
    }

    /** The heartbeat of the session does not get through. */
    void heartbeatFailure(@Nullable Throwable trouble) {
        renewalTrouble = trouble;
    }

    /** The session is renewed now. */
    void heartbeat() {
        rows.values().stream()
                .map(Row::tenure)
                .filter(Objects::nonNull)
                .forEach(tenure -> beginValidity(tenure, SESSION_NANOS));
    }

    @Nullable Tenure holding(String name) {
        Row row = rows.get(name);
        return row == null ? null : row.tenure();
    }

    /** What is held and has not expired. A term that was lost by time is left to run out, and stays in the document. */
    @Nullable Tenure unexpired(String name) {
        Row row = rows.get(name);
        return row != null && (row.session() || state(name).status() == LeaseStatus.ACTIVE) ? row.tenure() : null;
    }

    List<PendingOperation> sent() {
        return sent;
    }

    <R extends Request> List<R> sent(Class<R> kind) {
        return sent.stream()
                .map(PendingOperation::request)
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
    }

    /** The leases of which it heard that they became free. */
    List<String> heardOf() {
        return heardOf;
    }

    List<Set<String>> polls() {
        return polls;
    }

    boolean isGivenUp(Tenure tenure) {
        return validities.isEnded(tenure);
    }

    // ---- the database ----

    private long token(String name) {
        Row row = rows.get(name);
        return row == null ? 0 : row.token();
    }

    private void acquire(PendingOperation operation, Request.Acquire request) {
        Row row = rows.get(request.name());
        if (state(request.name()) instanceof LeaseState.Vacant vacant && vacant.keptFreeUntil() != null) {
            OperationEnds.refuse(operation, new Refusal(request.describe(), Reason.NOT_YET, vacant));
        } else if (row != null && !row.pins().isEmpty()) {
            OperationEnds.refuse(operation, new Refusal(request.describe(), Reason.PINNED, state(request.name())));
        } else if (state(request.name()).status() == LeaseStatus.ACTIVE && !mayEnd(row, request)) {
            OperationEnds.refuse(operation, new Refusal(request.describe(), Reason.HELD, state(request.name())));
        } else {
            hold(operation, nextTenure(operation), request.termNanos());
        }
    }

    private boolean mayEnd(@Nullable Row row, Request.Acquire request) {
        return row != null
                && row.isHeldBy(request.holder())
                && (row.own() ? validities.isEnded(row.tenure()) : request.supersede());
    }

    private void hold(PendingOperation operation, Tenure tenure, @Nullable Long termNanos) {
        long nanos = termNanos == null ? SESSION_NANOS : termNanos;
        boolean awaited = OperationEnds.beginCommit(operation);
        if (awaited || operation.answer().isDone()) {
            rows.put(
                    tenure.name(),
                    new Row(tenure, tenure.token(), clock.nowNanos() + nanos, termNanos == null, Set.of(), true));
        }
        if (awaited) {
            beginValidity(tenure, nanos);
            OperationEnds.grant(operation, tenure);
        }
    }

    /** What an acquisition would be granted now. */
    Tenure nextTenure(PendingOperation operation) {
        Request.Acquire request = (Request.Acquire) operation.request();
        return new Tenure(NAMESPACE, request.name(), request.holder(), token(request.name()) + 1);
    }

    /** It landed although nobody knew for long. */
    void landLate(PendingOperation operation, Tenure tenure) {
        rows.put(
                tenure.name(),
                new Row(
                        tenure,
                        tenure.token(),
                        clock.nowNanos() + SESSION_NANOS,
                        operation.request() instanceof Request.Acquire acquire && acquire.termNanos() == null,
                        Set.of(),
                        true));
        OperationEnds.grant(operation, tenure);
    }

    /** A caller has extended it by its tenure, or it was granted for less. */
    void extended(Tenure tenure, long nanos) {
        validities.forget(tenure);
        beginValidity(tenure, nanos);
    }

    private void beginValidity(Tenure tenure, long nanos) {
        Validity validity = Validity.from(clock.nowNanos(), clock.wallNanos(), nanos);
        validities.begin(tenure, new HoldBasis.Term(validity));
    }

    private void extend(PendingOperation operation, Request.Extend extend) {
        if (extend.tenure().equals(holding(extend.name()))) {
            hold(operation, extend.tenure(), extend.durationNanos());
        } else {
            OperationEnds.refuse(
                    operation, new Refusal(extend.describe(), Reason.NOT_THAT_TENURE, state(extend.name())));
        }
    }

    private void release(PendingOperation operation, Request.Release release) {
        Tenure tenure = release.tenure();
        if (tenure.equals(holding(tenure.name()))) {
            rows.put(
                    tenure.name(),
                    new Row(null, token(tenure.name()), release.notBeforeNanos(), false, Set.of(), true));
            OperationEnds.grant(operation, tenure);
        } else {
            OperationEnds.refuse(
                    operation,
                    new Refusal(operation.request().describe(), Reason.NOT_THAT_TENURE, state(tenure.name())));
        }
    }

    private LeaseState state(String name) {
        Row row = rows.get(name);
        if (row == null) {
            return new LeaseState.Absent(name);
        }
        if (row.tenure() == null) {
            boolean isFree = row.boundNanos() == null || clock.nowNanos() > row.boundNanos();
            return new LeaseState.Vacant(
                    name, row.token(), null, row.pins(), isFree ? null : LocalInstant.of(row.boundNanos()));
        }
        Long boundNanos = row.boundNanos();
        boolean expired = boundNanos != null && clock.nowNanos() > boundNanos;
        return new LeaseState.Held(
                row.tenure(),
                expired ? LeaseStatus.EXPIRED : LeaseStatus.ACTIVE,
                boundNanos == null ? null : LocalInstant.of(boundNanos),
                Instant.EPOCH,
                "a comment",
                row.session(),
                row.pins());
    }

    // ---- the seam ----

    @Override
    public StampClock clock() {
        return clock;
    }

    @Override
    public String writer(String lease) {
        return WRITER;
    }

    @Override
    public String idOf(String lease) {
        return NAMESPACE;
    }

    @Override
    public boolean executeUnlessSending(String lease, Runnable task) {
        if (idle) {
            thread.execute(task);
        }
        return idle;
    }

    @Override
    public void submit(PendingOperation operation) {
        OperationEnds.sharesRound(operation, !idle);
        RuntimeException failure = atSubmit;
        if (failure != null) {
            atSubmit = null;
            throw failure;
        }
        sent.add(operation);
        Consumer<PendingOperation> script = scripts.poll();
        thread.execute(() ->
                (script == null ? (Consumer<PendingOperation>) this::answerUnlessSilent : script).accept(operation));
        Runnable action = behindSubmit;
        behindSubmit = () -> {};
        action.run();
    }

    private void answerUnlessSilent(PendingOperation operation) {
        if (!silent) {
            answer(operation);
        }
    }

    @Override
    public List<CompletableFuture<LeaseReader.Polled>> poll(Set<String> names, long deadlineNanos) {
        polls.add(names);
        if (failingPolls > 0) {
            failingPolls--;
            return List.of(CompletableFuture.failedFuture(new LeaseUnavailableException("no poll", null)));
        }
        return List.of(CompletableFuture.supplyAsync(
                () -> new LeaseReader.Polled(
                        names.stream().map(this::state).toList(),
                        StampClock.sum(clock.nowNanos(), pollsAgainAfterNanos),
                        names.stream().collect(Collectors.toMap(name -> name, name -> queue))),
                heldPolls == null ? thread::execute : heldPolls::add));
    }

    @Override
    public void judge(LeaseChange.OfLease change) {}

    @Override
    public void hasten(String lease, long untilNanos) {}

    @Override
    public void noteVacant(LeaseChange.Freed change) {
        heardOf.add(change.name());
    }

    @Override
    public void clockLost(String partition) {
        validities.endAll(LeaseLoss.Reason.CLOCK_DOCUMENT_LOST);
    }

    @Override
    public void clockReplaced(String partition) {
        reported.add("replaced " + partition);
    }

    @Override
    public void writerGone(String partition, String writer) {
        reported.add("gone " + partition + " " + writer);
    }

    /** What changes have reported of clock documents. */
    List<String> reported() {
        return reported;
    }

    @Override
    public ValidityTracker validities(Tenure tenure) {
        return validities;
    }

    @Override
    public void endAllValidity() {
        validities.close();
        onValiditiesEnded.run();
    }

    @Override
    public @Nullable Throwable heartbeatFailure(Tenure tenure) {
        return renewalTrouble;
    }
}
