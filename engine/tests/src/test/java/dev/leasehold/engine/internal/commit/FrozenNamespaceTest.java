package dev.leasehold.engine.internal.commit;

import static dev.leasehold.engine.internal.commit.SteppedPartition.SECOND;
import static dev.leasehold.engine.internal.commit.SteppedPartition.granted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.engine.world.ScriptedStore;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How soon a namespace is usable again that a dead engine's transaction has blocked, by the engine's own clock. */
class FrozenNamespaceTest {

    private static final UUID STUCK = new UUID(7, 7);
    private static final long GIVEN_UP_NANOS = SECOND + SECOND / 20;
    private static final long USABLE_AGAIN_NANOS = 3 * SECOND;

    private final SteppedPartition a = new SteppedPartition();

    @BeforeEach
    void aTransactionWillGetStuck() {
        a.store.put(new WriterEntry.Sound("dead#1", 1, null, null, STUCK));
    }

    /** From now on the clock document is blocked, by a transaction that the server lists, until that is ended. */
    private void freezes() {
        for (int i = 0; i < 1_000; i++) {
            a.store.onCommit((transaction, mayCommit) ->
                    isFrozen() ? ScriptedStore.conflict() : a.store.apply(transaction, mayCommit));
        }
        a.store.onClockWrite(this::waits);
        a.store.rests(STUCK, a.clock::monotonicNanos);
    }

    private boolean isFrozen() {
        return !a.store.ended().contains(STUCK);
    }

    private WriteOutcome waits() {
        if (!isFrozen()) {
            return WriteOutcome.APPLIED;
        }
        a.clock.advance(GIVEN_UP_NANOS);
        a.store.onClockWrite(this::waits);
        return ScriptedStore.conflict();
    }

    @Test
    void forAnEngineThatIsNew() {
        freezes();

        PendingOperation claim = a.submitClaim("one");
        a.runtime.runFor(USABLE_AGAIN_NANOS);

        granted(claim);
    }

    @Test
    void forAnEngineThatReads() {
        a.claims("one", "h");
        freezes();

        PendingOperation claim = a.submitClaim("two");
        a.runtime.runFor(USABLE_AGAIN_NANOS);

        granted(claim);
    }

    @Test
    @DisplayName("An engine that only ever writes has not seen how far the clock document has come")
    void forAnEngineThatHasNotReadForLong() {
        Tenure held = a.claims("one", "h");
        a.store.tick();
        freezes();

        PendingOperation extend = a.submit(new Request.Extend(held, 90 * SECOND));
        a.runtime.runFor(USABLE_AGAIN_NANOS);

        granted(extend);
    }

    @Test
    void forAllOfABatch() {
        a.claims("registered", "h");
        freezes();

        List<PendingOperation> claims =
                Stream.of("one", "two", "three", "four").map(a::submitClaim).toList();
        a.runtime.runFor(USABLE_AGAIN_NANOS);

        assertThat(claims).allSatisfy(SteppedPartition::granted);
    }
}
