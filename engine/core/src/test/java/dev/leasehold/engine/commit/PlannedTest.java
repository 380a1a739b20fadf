package dev.leasehold.engine.commit;

import static dev.leasehold.engine.commit.HandEngine.NAMESPACE;
import static dev.leasehold.engine.commit.HandEngine.byOther;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.LeaseContentionException;
import dev.leasehold.engine.LeaseException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.byhand.HandClock;
import dev.leasehold.engine.protocol.Decision;
import dev.leasehold.engine.protocol.Decision.Rests;
import dev.leasehold.engine.protocol.Request;
import dev.leasehold.engine.protocol.Situation;
import dev.leasehold.engine.store.ClockStatement;
import dev.leasehold.engine.store.LeaseGuard;
import dev.leasehold.engine.store.LeaseWrite;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the clock statement of a transaction rests on. */
class PlannedTest {

    private static final long STAMP = HandClock.Z + 2;

    private static final LeaseException CONFLICT = new LeaseContentionException("conflict", null);

    private static final Decision.Write INSERT =
            write(new LeaseWrite.Insert(byOther("new", "h", 42, 17)), new Rests.OnTokenFloor());
    private static final Decision.Write REPLACE = write(replace("held", "b#1"), new Rests.OnOwnEntry());
    private static final Decision.Write ORPHANED =
            write(replace("orphaned", "gone#1"), new Rests.OnAbsentWriter("gone#1"));

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
        Decision.Write another = write(replace("orphaned too", "gone#2"), new Rests.OnAbsentWriter("gone#2"));

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
        Planned planned = planned(REPLACE, INSERT);

        assertThat(planned.transaction(17).writes()).containsExactly(REPLACE.write(), INSERT.write());
        assertThat(planned.operations()).extracting(PendingOperation::name).containsExactly("held", "new");
    }

    @Test
    void theClockIsSentApartWhereAConflictWillTellLeasesApart() {
        Planned shared = planned(REPLACE, INSERT);
        assertThat(shared.transaction(17).clockApart()).as("no conflict yet").isFalse();

        shared.operations().get(1).tries().conflicted(CONFLICT);

        assertThat(shared.transaction(17).clockApart()).isTrue();
    }

    @Test
    void aloneTheClockIsSentApartOnlyAfterALongTime() {
        Planned alone = planned(REPLACE);
        PendingOperation operation = alone.operations().get(0);
        while (!Backoff.isLongest(operation.tries().failures())) {
            assertThat(alone.transaction(17).clockApart()).isFalse();
            operation.tries().conflicted(CONFLICT);
        }

        assertThat(alone.transaction(17).clockApart()).isTrue();
    }

    @Test
    void troubleOfAnotherKindDoesNotSendTheClockApart() {
        Planned shared = planned(REPLACE, INSERT);
        shared.operations()
                .forEach(operation -> operation.tries().failed(new LeaseUnavailableException("no database", null)));

        assertThat(shared.transaction(17).clockApart()).isFalse();
    }

    private static ClockStatement clockStatement(Decision.Write... writes) {
        return planned(writes).transaction(17).clock();
    }

    private static Planned planned(Decision.Write... writes) {
        Situation at = new Situation(NAMESPACE, "a#1", HandClock.Z, STAMP, HandClock.Z, 41);
        List<Planned.Step> steps = Stream.of(writes)
                .map(write -> new Planned.Step(
                        new PendingOperation(
                                "billing", new Request.Expire(write.write().name()), 17),
                        write))
                .toList();
        return new Planned(at, steps);
    }

    private static LeaseWrite replace(String name, String seenWriter) {
        return new LeaseWrite.Replace(new LeaseGuard(seenWriter, 3, 3), byOther(name, "h", 4, 17), false);
    }

    private static Decision.Write removal(String name, long token) {
        return write(new LeaseWrite.Remove(name, new LeaseGuard("b#1", 3, token), token, 0), new Rests.OnOwnEntry());
    }

    private static Decision.Write write(LeaseWrite write, Rests rests) {
        return new Decision.Write(write, null, null, rests);
    }
}
