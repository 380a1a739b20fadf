package dev.leasehold.engine.internal.operations;

import static dev.leasehold.engine.internal.commit.SteppedPartition.bySessionOfOther;
import static dev.leasehold.engine.internal.operations.SteppedEngine.BUDGET;
import static dev.leasehold.engine.internal.operations.SteppedEngine.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.Acquisition;
import dev.leasehold.engine.Granted;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseEngineClosedException;
import dev.leasehold.engine.LeaseLoss;
import dev.leasehold.engine.LeaseOutcomeUnknownException;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.LeaseResult;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.engine.world.ScriptedStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Fail stop answers no more than it knows, wherever in a round the error is thrown: a yes was carried out, "closed" was not and never
 * will be, everything else is unknown.
 */
class FailStopEveryPointTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final String LEASE = "lease";
    private static final String MAIN = "main";

    /** The operation that is under way when the error is thrown. Each would be granted. */
    private enum Operation {
        CLAIM((faulty, before) -> faulty.engine.tenures().claim(LEASE, MAIN, MINUTE)),
        CLAIM_WHOSE_ANSWER_IS_LOST((faulty, before) -> {
            faulty.store.onCommit(faulty.store::landUnheard);
            faulty.store.onCommitAgain(ScriptedStore::unknown);
            return faulty.engine.tenures().claim(LEASE, MAIN, MINUTE);
        }),
        CLAIM_WHOSE_CALLER_HAS_LEFT((faulty, before) -> {
            faulty.store.onCommit((transaction, mayCommit) -> {
                faulty.store.apply(transaction, mayCommit);
                faulty.clock.advance(BUDGET + SECOND);
                return ScriptedStore.unknown();
            });
            faulty.store.onCommitAgain(ScriptedStore::unknown);
            return faulty.engine.tenures().claim(LEASE, MAIN, MINUTE);
        }),
        RELEASE((faulty, before) -> faulty.engine.tenures().release(before)),
        EXTEND((faulty, before) -> faulty.engine.tenures().extend(before, HOUR.plusMinutes(1))),
        FORCED_EXPIRY((faulty, before) -> faulty.engine.admin().forceExpire(LEASE, "stuck")),
        SESSION_LEASE((faulty, before) ->
                faulty.engine.tryAcquire(LeaseRequest.of(LEASE).holder(MAIN))),
        TERM_LEASE((faulty, before) ->
                faulty.engine.tryAcquire(LeaseRequest.of(LEASE).holder(MAIN).term(MINUTE)));

        private interface Call {
            Object run(FaultyEngine faulty, Tenure before) throws InterruptedException;
        }

        private final Call call;

        Operation(Call call) {
            this.call = call;
        }

        boolean begins() {
            return this != RELEASE && this != EXTEND && this != FORCED_EXPIRY;
        }

        /** Whether it was carried out, as the database shows. */
        boolean landed(ScriptedStore store, Tenure before) {
            if (this == EXTEND) {
                Long expiryNanos = store.document(LEASE).expiryNanos();
                return expiryNanos != null
                        && expiryNanos > store.document(LEASE).writtenNanos() + HOUR.toNanos();
            }
            return begins() ? isHeldBy(store, LEASE, MAIN) : !isHeldBy(store, LEASE, before.holder());
        }
    }

    private static boolean isHeldBy(ScriptedStore store, String name, String holder) {
        return store.has(name) && holder.equals(store.document(name).holder());
    }

    private final Map<String, Integer> points = new TreeMap<>();
    private FaultyEngine faulty;
    private final List<LeaseLoss> losses = new ArrayList<>();

    @ParameterizedTest
    @EnumSource(Operation.class)
    @DisplayName("An error anywhere: what was answered is so, nothing is sent afterwards, and nothing is valid")
    void errorAnywhere(Operation operation) throws InterruptedException {
        for (boolean others : new boolean[] {false, true}) {
            for (boolean handles : new boolean[] {false, true}) {
                int point = 1;
                while (strikes(operation, others, handles, point)) {
                    point++;
                }
                assertThat(point).as("points of the operation").isGreaterThan(10);
            }
        }
        assertThat(points)
                .as("points at which it struck")
                .containsKeys(
                        "clock", "execute", "before read", "asking", "asked", "behind commit", "event OperationEnded");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    @DisplayName(
            "A further error while the engine ends for the first one: every loss is told, every caller answered, and no thread stays")
    void furtherErrorBehindTheFirst(int gap) throws InterruptedException {
        int point = 1;
        while (strikesTwice(point, gap)) {
            point++;
        }
        assertThat(point).as("points of the operation").isGreaterThan(10);
    }

    private boolean strikesTwice(int point, int gap) throws InterruptedException {
        losses.clear();
        try (FaultyEngine engine = new FaultyEngine()) {
            faulty = engine;
            List<Lease> held = hold();
            faulty.store.put(new WriterEntry.Sound("b#1", 1, null, HOUR.toNanos(), null));
            faulty.store.put(bySessionOfOther(SteppedEngine.NAMESPACE, LEASE, "other", 1, 1));
            engine.runtime.runDue();
            engine.strikeAt(point);
            engine.strikeAgainAt(gap);
            CompletableFuture<Acquisition> waiting = faulty.engine
                    .tryAcquireAsync(LeaseRequest.of(LEASE).waitAtMost(HOUR))
                    .toCompletableFuture();
            held.get(0).closeAsync();
            runOnFor(SECOND);
            boolean hasStruck = engine.hasStruck();
            runOnFor(3 * BUDGET);
            engine.disarm();
            if (!hasStruck) {
                return false;
            }
            String where = "errors at " + engine.struck() + ", the first at point " + point;
            assertThat(waiting).as(where).isDone();
            held.forEach(lease -> assertThat(lease.isHeld()).as(where).isFalse());
            assertThat(losses)
                    .as(where)
                    .extracting(loss -> loss.tenure().name(), LeaseLoss::reason)
                    .containsExactlyInAnyOrder(
                            tuple("term", LeaseLoss.Reason.ENGINE_FAILED),
                            tuple("session", LeaseLoss.Reason.ENGINE_FAILED));
            assertThat(engine.runtime.namesOfLiveThreads()).as(where).isEmpty();
            return true;
        }
    }

    /** A real thread outlives what a task throws. */
    private void runOnFor(long nanos) {
        try {
            faulty.runtime.runFor(nanos);
        } catch (InternalError e) {
            faulty.runtime.runFor(nanos);
        }
    }

    @Test
    @DisplayName("An error anywhere while it waits with a ticket: the caller is told, and no thread stays")
    void errorAnywhereWhileItWaitsWithATicket() {
        int point = 1;
        while (strikesWhileItWaits(point)) {
            point++;
        }
        assertThat(point).as("points of the wait").isGreaterThan(100);
    }

    /** Waits for a lease, and leaves, with an error at a point; false if it was over before that point. */
    private boolean strikesWhileItWaits(int point) {
        try (FaultyEngine engine = new FaultyEngine()) {
            faulty = engine;
            faulty.store.put(new WriterEntry.Sound("b#1", 1, null, HOUR.toNanos(), null));
            faulty.store.put(bySessionOfOther(SteppedEngine.NAMESPACE, LEASE, "other", 1, 1));
            engine.runtime.runDue();
            engine.strikeAt(point);
            CompletableFuture<Acquisition> waiting = faulty.engine
                    .tryAcquireAsync(LeaseRequest.of(LEASE).waitAtMost(HOUR))
                    .toCompletableFuture();
            engine.runtime.runFor(2 * SECOND);
            waiting.cancel(false);
            engine.runtime.runFor(SECOND);
            engine.disarm();
            if (!engine.hasStruck()) {
                return false;
            }
            engine.runtime.runFor(3 * BUDGET);
            assertThat(waiting)
                    .as("error at point " + point + ": " + engine.struck())
                    .isDone();
            assertThat(engine.runtime.namesOfLiveThreads())
                    .as("error at point " + point + ": " + engine.struck())
                    .isEmpty();
            return true;
        }
    }

    /** Runs the operation with an error at a point; false if it was over before that point. */
    private boolean strikes(Operation operation, boolean others, boolean handles, int point)
            throws InterruptedException {
        losses.clear();
        try (FaultyEngine engine = new FaultyEngine()) {
            faulty = engine;
            Tenure before = prepare(operation);
            List<Lease> held = handles ? hold() : List.of();
            engine.runtime.runDue();
            engine.strikeAt(point);
            List<CompletableFuture<Acquisition>> waiting = new ArrayList<>();
            if (handles) {
                held.get(0).closeAsync();
            }
            if (others) {
                waiting.add(acquires("other"));
                // On the same lease, so that it is not part of the same round.
                waiting.add(acquires(LEASE));
            }
            Object answer = answerOf(operation, before);
            engine.runtime.runDue();
            engine.disarm();
            if (!engine.hasStruck()) {
                return false;
            }
            engine.runtime.runFor(3 * BUDGET);
            points.merge(engine.struck(), 1, Integer::sum);
            try {
                assertThatAnswerIsTrue(answer, operation.landed(engine.store, before));
                waiting.forEach(FailStopEveryPointTest::assertThatIsAnswered);
                if (others) {
                    assertThatAnswerIsTrue(now(waiting.get(0)), isHeldBy(engine.store, "other", "waits"));
                    assertThatAnswerIsTrue(now(waiting.get(1)), isHeldBy(engine.store, LEASE, "waits"));
                }
                assertThatTheEngineHasFailed(held);
            } catch (AssertionError e) {
                throw new AssertionError(
                        operation + ", others " + others + ", handles " + handles + ", error at point " + point + ": "
                                + engine.struck() + "; answer: " + answer,
                        e);
            }
            return true;
        }
    }

    /** The tenure that the operation needs, if it ends one. */
    private Tenure prepare(Operation operation) throws InterruptedException {
        // So that the writer is registered, and the commit the first thing that is sent.
        faulty.engine.tenures().claim("first", "h", MINUTE).orElseThrow();
        if (!operation.begins()) {
            return faulty.engine.tenures().claim(LEASE, "before", MINUTE).orElseThrow();
        }
        if (operation == Operation.SESSION_LEASE) {
            // A vacant one, which is written alone.
            faulty.store.put(bySessionOfOther(SteppedEngine.NAMESPACE, LEASE, null, 1, 1));
        }
        return new Tenure(SteppedEngine.NAMESPACE, LEASE, "absent", 1);
    }

    /** Handles of two term leases and of a session lease. */
    private List<Lease> hold() throws InterruptedException {
        List<Lease> held = List.of(
                faulty.engine.tryAcquire(LeaseRequest.of("closed").term(MINUTE)).orElseThrow(),
                faulty.engine.tryAcquire(LeaseRequest.of("term").term(MINUTE)).orElseThrow(),
                faulty.engine.tryAcquire(LeaseRequest.of("session")).orElseThrow());
        held.subList(1, 3).forEach(lease -> lease.onLost(losses::add));
        return held;
    }

    private CompletableFuture<Acquisition> acquires(String name) {
        return faulty.engine
                .tryAcquireAsync(LeaseRequest.of(name).holder("waits").term(MINUTE))
                .toCompletableFuture();
    }

    private Object answerOf(Operation operation, Tenure before) throws InterruptedException {
        try {
            return operation.call.run(faulty, before);
        } catch (RuntimeException e) {
            return e;
        }
    }

    private static void assertThatIsAnswered(CompletableFuture<?> future) {
        assertThat(future).isDone();
    }

    private static Object now(CompletableFuture<Acquisition> acquisition) {
        return acquisition
                .handle((value, failure) -> value != null ? value : unwrapped(failure))
                .join();
    }

    private static Throwable unwrapped(Throwable failure) {
        return failure instanceof CompletionException ? failure.getCause() : failure;
    }

    private static void assertThatAnswerIsTrue(Object answer, boolean landed) {
        if (answer instanceof LeaseOutcomeUnknownException unknown) {
            assertThatIsAnswered(unknown.resolution().toCompletableFuture());
            unknown.resolution().whenComplete((result, failure) -> {
                if (result instanceof Granted) {
                    assertThat(landed).isTrue();
                }
            });
        } else if (answer instanceof LeaseEngineClosedException || answer instanceof LeaseUnavailableException) {
            assertThat(landed)
                    .as("carried out though the caller was told that it was not")
                    .isFalse();
        } else if (answer instanceof Acquisition.Acquired acquired) {
            assertThat(landed).as("carried out").isTrue();
            assertThat(acquired.lease().isHeld()).isFalse();
        } else if (answer instanceof LeaseResult result && result.isGranted()) {
            assertThat(landed).as("carried out").isTrue();
        } else if (answer instanceof Acquisition.NotAcquired || answer instanceof LeaseResult) {
            // A refusal that was decided before the error: another holder has the lease.
            assertThat(landed).as("carried out though it was refused").isFalse();
        } else {
            throw new AssertionError("no answer that says what became of it", (Throwable) answer);
        }
    }

    private void assertThatTheEngineHasFailed(List<Lease> held) {
        assertThat(faulty.engine.health().ready()).isFalse();
        assertThat(faulty.engine.health().detail()).contains("out of memory");
        assertThat(faulty.sentAfterwards).as("sent after the error").isEmpty();
        assertThat(faulty.engine.tenures().isHeld(new Tenure(SteppedEngine.NAMESPACE, LEASE, MAIN, 1)))
                .isFalse();
        held.forEach(lease -> assertThat(lease.isHeld()).isFalse());
        if (!held.isEmpty()) {
            assertThat(losses)
                    .extracting(loss -> loss.tenure().name(), LeaseLoss::reason)
                    .containsExactlyInAnyOrder(
                            tuple("term", LeaseLoss.Reason.ENGINE_FAILED),
                            tuple("session", LeaseLoss.Reason.ENGINE_FAILED));
        }
        assertThat(faulty.engine.health().heldLeases()).isZero();
        assertThat(faulty.engine.health().waiters()).isZero();
        assertThat(faulty.store.closes()).isEqualTo(1);
        assertThat(faulty.runtime.namesOfLiveThreads()).isEmpty();
    }
}
