package dev.leasehold.engine.internal.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.engine.LeaseEngineClosedException;
import dev.leasehold.engine.internal.partition.FailStopStore;
import dev.leasehold.engine.internal.runtime.FailStop;
import dev.leasehold.engine.internal.store.ClockStatement;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.GuardedTransaction;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.world.ScriptedStore;
import dev.leasehold.engine.world.SteppedRuntime;
import dev.leasehold.engine.world.TestClock;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Once an error has ended the engine, nothing is written but what closes it. */
class FailStopStoreTest {

    private static final String WRITER = "a#1";
    private static final GuardedTransaction TRANSACTION =
            new GuardedTransaction(new ClockStatement(WRITER, 1, 3, null, Set.of(), Map.of(), null), List.of(), false);

    private final FailStop runtime = new FailStop(new SteppedRuntime(new TestClock(TestClock.Z)));
    private final ScriptedStore store = new ScriptedStore();
    private final FailStopStore guarded = new FailStopStore(store, runtime, "billing");

    FailStopStoreTest() {
        store.applyClock(new ClockWrite.Register(WRITER, 2, new UUID(1, 2), null));
    }

    private void fail() {
        runtime.fail(new InternalError("out of memory"));
    }

    private static void assertThatIsRefused(ThrowingCallable write) {
        assertThatThrownBy(write).isInstanceOf(LeaseEngineClosedException.class);
    }

    @Test
    void writesUntilAnErrorHasEndedTheEngine() {
        assertThat(guarded.commit(TRANSACTION, () -> true)).isEqualTo(WriteOutcome.APPLIED);
    }

    @Test
    void commitIsWithheldIfAnotherThreadFailsMeanwhile() {
        store.onCommit((transaction, mayCommit) -> {
            fail();
            return store.apply(transaction, mayCommit);
        });

        assertThat(guarded.commit(TRANSACTION, () -> true)).isEqualTo(WriteOutcome.WITHHELD);
        assertThat(store.entry(WRITER).transactionNanos()).isNull();
    }

    @Test
    void nothingIsDecidedUponAfterwards() {
        fail();

        assertThatIsRefused(() -> guarded.commit(TRANSACTION, () -> true));
        assertThatIsRefused(guarded::commitAgain);
        assertThatIsRefused(() -> guarded.writeLeases(WRITER, List.of()));
        assertThatIsRefused(() -> guarded.writeClock(new ClockWrite.Heartbeat(WRITER, 2, 3)));
        assertThatIsRefused(() -> guarded.writeClock(new ClockWrite.Clear(Map.of(), Map.of("b#1", 3L))));
        assertThatIsRefused(() -> guarded.endTransactions(List.of(new UUID(3, 4))));
        assertThat(store.commits()).isEmpty();
        assertThat(store.clockWrites()).isEmpty();
        assertThat(store.ended()).isEmpty();
    }

    @Test
    void entryAndOpenTransactionsOfTheEngineAreEndedAllTheSame() {
        fail();

        guarded.writeClock(new ClockWrite.Barrier(WRITER));
        guarded.writeClock(new ClockWrite.Leave(WRITER));

        assertThat(store.writerNames()).isEmpty();
    }
}
