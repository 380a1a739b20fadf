package dev.leasehold.engine.internal.commit;

import static dev.leasehold.engine.internal.commit.SteppedPartition.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.leasehold.engine.LeaseContentionException;
import dev.leasehold.engine.LeaseEngineClosedException;
import dev.leasehold.engine.LeaseOutcomeUnknownException;
import dev.leasehold.engine.LeaseResult;
import dev.leasehold.engine.LeaseStoreException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.metrics.EngineMetrics;
import dev.leasehold.engine.internal.partition.PartitionEngine;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.time.StampClock;
import dev.leasehold.engine.world.LogCapture;
import dev.leasehold.engine.world.ScriptedStore;
import dev.leasehold.engine.world.SteppedRuntime;
import dev.leasehold.engine.world.TestClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Whatever happens between engine and database: what is told yes has it, what is told no never will, and no caller is left
 * without an answer.
 */
class AnswersAreTrueTest {

    private static final long BUDGET = 2 * SECOND;
    private static final int MOMENTS = 40;

    @Property(tries = 1000)
    void callerThatIsToldSomethingIsToldTheTruth(@ForAll long seed, @ForAll boolean closing) {
        LogCapture quiet = new LogCapture();
        try {
            History history = new History(seed, closing);
            history.happens();
            history.callers.forEach(history::assertToldTheTruth);
        } finally {
            quiet.close();
        }
    }

    /** Leaves when its time is over, or before, as a waiting thread would. Each has a lease of its own. */
    private static final class Caller {

        private final PendingOperation operation;
        private boolean abandoned;

        Caller(PendingOperation operation) {
            this.operation = operation;
        }

        boolean waits() {
            return !abandoned && !operation.answer().isDone();
        }

        void leave() {
            abandoned = operation.cancel();
            if (!abandoned) {
                operation.timeOut();
            }
        }
    }

    private static CompletableFuture<LeaseResult> resolution(Throwable unknown) {
        return ((LeaseOutcomeUnknownException) unknown).resolution().toCompletableFuture();
    }

    private static final class History {

        private final Random chance;
        private final boolean closing;
        private final SteppedRuntime runtime = new SteppedRuntime(new TestClock(TestClock.Z));
        private final ScriptedStore stored = new ScriptedStore();
        private final TroubledStore store;
        private final PartitionEngine partition;
        private final List<Caller> callers = new ArrayList<>();
        private boolean evicted;

        History(long seed, boolean closing) {
            this.chance = new Random(seed);
            this.closing = closing;
            this.store = new TroubledStore(stored, chance);
            this.partition = new PartitionEngine(
                    SteppedPartition.settings("a", SECOND),
                    SteppedPartition.PARTITION,
                    store,
                    runtime,
                    runtime.startThread("by hand"),
                    new StampClock(runtime.clock()),
                    EngineMetrics.NONE);
        }

        void happens() {
            for (int moment = 0; moment < MOMENTS; moment++) {
                for (int some = chance.nextInt(6) - 2; some > 0; some--) {
                    claim();
                }
                if (chance.nextInt(20) == 0) {
                    evicted = true;
                    stored.removeWriter(partition.writer());
                }
                runtime.runFor(chance.nextLong(SECOND / 4));
                callers.stream().filter(Caller::waits).filter(this::leavesNow).forEach(Caller::leave);
            }
            if (closing) {
                partition.closeAfter(CompletableFuture.completedFuture(null), 0, false);
                runtime.runDue();
            }
            store.calmDown();
            runtime.runFor(60 * SECOND);
        }

        /** Of a name that is not known, or of one that is vacant and can be written without the clock. */
        private void claim() {
            String name = "lease " + callers.size();
            if (chance.nextBoolean()) {
                stored.put(SteppedPartition.byOther(name, null, 1, 1));
            }
            Long termNanos = chance.nextInt(3) == 0 ? 60 * SECOND : null;
            Request claim = new Request.Acquire(name, "h", termNanos, null);
            Caller caller = new Caller(
                    new PendingOperation("billing", claim, partition.clock().nowNanos() + BUDGET));
            callers.add(caller);
            partition.commitLoop().submit(caller.operation);
        }

        private boolean leavesNow(Caller caller) {
            return chance.nextInt(20) == 0 || partition.clock().nowNanos() > caller.operation.deadlineNanos();
        }

        void assertToldTheTruth(Caller caller) {
            String name = caller.operation.name();
            if (caller.abandoned) {
                assertThat(isHeld(name)).as("carried out, abandoned: %s", name).isFalse();
            } else {
                assertTrueAnswer(name, caller.operation.answer(), false);
            }
        }

        private void assertTrueAnswer(String name, CompletableFuture<?> answer, boolean late) {
            assertThat(answer).as("answer about %s", name).isDone();
            Throwable failure = answer.isCompletedExceptionally() ? cause(answer) : null;
            if (failure instanceof LeaseOutcomeUnknownException) {
                assertTrueAnswer(name, resolution(failure), true);
            } else if (late && failure instanceof LeaseStoreException) {
                assertThat(closing || evicted)
                        .as("it may never be known about %s", name)
                        .isTrue();
            } else {
                assertThat(isHeld(name))
                        .as("carried out: %s, whose caller saw: %s", name, failure)
                        .isEqualTo(failure == null);
                assertThat(failure)
                        .as("about %s", name)
                        .satisfiesAnyOf(
                                none -> assertThat(none).isNull(),
                                no -> assertThat(no)
                                        .isInstanceOfAny(
                                                LeaseUnavailableException.class,
                                                LeaseContentionException.class,
                                                LeaseStoreException.class,
                                                LeaseEngineClosedException.class));
            }
        }

        private boolean isHeld(String name) {
            return stored.has(name) && stored.document(name).holder() != null;
        }

        private static Throwable cause(CompletableFuture<?> answer) {
            Throwable failure = catchThrowable(answer::join);
            return failure instanceof CompletionException ? failure.getCause() : failure;
        }
    }
}
