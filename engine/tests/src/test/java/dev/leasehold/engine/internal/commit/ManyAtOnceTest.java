package dev.leasehold.engine.internal.commit;

import static dev.leasehold.engine.internal.commit.SteppedPartition.granted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.world.TestClock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Leases of the session that many callers acquire at once: how they are written, and what comes next. */
class ManyAtOnceTest {

    private static final int FEW = 8;
    private static final long MILLI = 1_000_000;

    private final SteppedPartition a = SteppedPartition.withSingleWrites(FEW);

    @BeforeEach
    void theSessionHasBegun() {
        submit("first", 1);
        a.runtime.runDue();
        a.store.commits().clear();
    }

    private List<PendingOperation> submit(String name, int leases) {
        List<PendingOperation> operations = new ArrayList<>();
        for (int number = 0; number < leases; number++) {
            a.store.put(SteppedPartition.byOther(name + number, null, 1, 17));
            operations.add(a.submit(new Request.Acquire(name + number, "h", null, null)));
        }
        return operations;
    }

    private static void assertGranted(List<PendingOperation> operations) {
        assertThat(operations)
                .allSatisfy(operation -> assertThat(granted(operation).token()).isEqualTo(2));
    }

    @Test
    void fewAreWrittenEachForItselfInOneCommand() {
        a.store.leaseWrites().clear();
        List<PendingOperation> operations = submit("l", FEW);
        a.runtime.runDue();

        assertGranted(operations);
        assertThat(a.store.leaseWrites()).hasSize(1);
        assertThat(a.store.leaseWrites().get(0)).hasSize(FEW);
        assertThat(a.store.commits()).isEmpty();
    }

    @Test
    void manyShareATransaction() {
        a.store.leaseWrites().clear();
        List<PendingOperation> operations = submit("l", FEW + 1);
        a.runtime.runDue();

        assertGranted(operations);
        assertThat(a.store.leaseWrites()).isEmpty();
        assertThat(a.store.commits()).hasSize(1);
    }

    @Test
    void afterManyTheNextRoundWaitsForThoseThatAskAgain() {
        submit("l", FEW + 1);
        a.runtime.runDue();

        List<PendingOperation> early = submit("early", 2);
        a.runtime.runDue();
        assertThat(early).noneMatch(PendingOperation::isOver);
        a.runtime.runFor(MILLI);
        List<PendingOperation> late = submit("late", FEW);
        a.runtime.runFor(MILLI);

        assertGranted(early);
        assertGranted(late);
        assertThat(a.store.commits())
                .as("one for those of before, and one for these")
                .hasSize(2);
    }

    @Test
    void afterFewNoRoundWaits() {
        submit("l", FEW);
        a.runtime.runDue();
        List<PendingOperation> next = submit("next", 1);
        a.runtime.runDue();

        assertGranted(next);
        assertThat(a.nowNanos()).isEqualTo(TestClock.Z);
    }
}
