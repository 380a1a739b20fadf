package dev.leasehold.engine.internal.commit;

import static dev.leasehold.engine.internal.commit.SteppedPartition.NAMESPACE;
import static dev.leasehold.engine.internal.commit.SteppedPartition.byOther;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.LeaseContentionException;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.rules.Decision;
import dev.leasehold.engine.internal.rules.Decision.WriteDependency;
import dev.leasehold.engine.internal.rules.DecisionContext;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.runtime.Backoff;
import dev.leasehold.engine.internal.store.ClockStatement;
import dev.leasehold.engine.internal.store.LeaseGuard;
import dev.leasehold.engine.internal.store.LeaseWrite;
import dev.leasehold.engine.world.TestClock;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the clock statement of a transaction rests on. */
class WriteBatchTest {

    private static final long STAMP = TestClock.Z + 2;

    private static final LeaseException CONFLICT = new LeaseContentionException("conflict", null);

    private static final Decision.Write INSERT =
            write(new LeaseWrite.Insert(byOther("new", "h", 42, 17)), new WriteDependency.OnTokenFloor());
    private static final Decision.Write REPLACE = write(replace("held", "b#1"), new WriteDependency.OnOwnEntry());
    private static final Decision.Write ORPHANED =
            write(replace("orphaned", "gone#1"), new WriteDependency.OnAbsentWriter("gone#1"));

    @Test
    void plainWritesRestOnTheWritersEntryAlone() {
        assertThat(clockStatement(REPLACE))
                .isEqualTo(new ClockStatement("a#1", 17, STAMP, null, Set.of(), Map.of(), null));
    }

    @Test
    void firstDocumentPinsTheTokenFloor() {
        assertThat(clockStatement(REPLACE, INSERT))
                .isEqualTo(new ClockStatement("a#1", 17, STAMP, 41L, Set.of(), Map.of(), null));
    }

    @Test
    void leasesOfAbsentWritersPinTheirAbsence() {
        Decision.Write another = write(replace("orphaned too", "gone#2"), new WriteDependency.OnAbsentWriter("gone#2"));

        assertThat(clockStatement(ORPHANED, REPLACE, another).absentWriters())
                .containsExactlyInAnyOrder("gone#1", "gone#2");
    }

    @Test
    void removalsLiftTheFloorToTheGreatestRemovedToken() {
        assertThat(clockStatement(removal("one", 5), REPLACE, removal("two", 9), removal("three", 7)))
                .isEqualTo(new ClockStatement("a#1", 17, STAMP, null, Set.of(), Map.of(), 9L));
    }

    @Test
    void writesKeepTheOrderOfTheirOperations() {
        WriteBatch writeBatch = planned(REPLACE, INSERT);

        assertThat(writeBatch.transaction(17).writes()).containsExactly(REPLACE.write(), INSERT.write());
        assertThat(writeBatch.operations()).extracting(PendingOperation::name).containsExactly("held", "new");
    }

    @Test
    void theClockIsSentApartWhereAConflictWillTellLeasesApart() {
        WriteBatch shared = planned(REPLACE, INSERT);
        assertThat(shared.transaction(17).clockApart()).as("no conflict yet").isFalse();

        shared.operations().get(1).retryState().conflicted(CONFLICT);

        assertThat(shared.transaction(17).clockApart()).isTrue();
    }

    @Test
    void aloneTheClockIsSentApartOnlyAfterALongTime() {
        WriteBatch alone = planned(REPLACE);
        PendingOperation operation = alone.operations().get(0);
        while (!Backoff.isLongest(operation.retryState().failures())) {
            assertThat(alone.transaction(17).clockApart()).isFalse();
            operation.retryState().conflicted(CONFLICT);
        }

        assertThat(alone.transaction(17).clockApart()).isTrue();
    }

    @Test
    void troubleOfAnotherKindDoesNotSendTheClockApart() {
        WriteBatch shared = planned(REPLACE, INSERT);
        shared.operations()
                .forEach(
                        operation -> operation.retryState().failed(new LeaseUnavailableException("no database", null)));

        assertThat(shared.transaction(17).clockApart()).isFalse();
    }

    private static ClockStatement clockStatement(Decision.Write... writes) {
        return planned(writes).transaction(17).clock();
    }

    private static WriteBatch planned(Decision.Write... writes) {
        DecisionContext at = new DecisionContext(NAMESPACE, "a#1", TestClock.Z, STAMP, TestClock.Z, 41);
        List<WriteBatch.Step> steps = Stream.of(writes)
                .map(write -> new WriteBatch.Step(
                        new PendingOperation(
                                "billing", new Request.Expire(write.write().name()), 17),
                        write))
                .toList();
        return new WriteBatch(at, steps);
    }

    private static LeaseWrite replace(String name, String seenWriter) {
        return new LeaseWrite.Replace(new LeaseGuard(seenWriter, 3, 3), byOther(name, "h", 4, 17), false);
    }

    private static Decision.Write removal(String name, long token) {
        return write(new LeaseWrite.Remove(name, new LeaseGuard("b#1", 3, token), 0), new WriteDependency.OnOwnEntry());
    }

    private static Decision.Write write(LeaseWrite write, WriteDependency writeDependency) {
        return new Decision.Write(write, null, null, writeDependency);
    }
}
