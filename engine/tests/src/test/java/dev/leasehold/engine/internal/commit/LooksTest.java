package dev.leasehold.engine.internal.commit;

import static dev.leasehold.engine.internal.commit.SteppedPartition.HOUR;
import static dev.leasehold.engine.internal.commit.SteppedPartition.SECOND;
import static dev.leasehold.engine.internal.commit.SteppedPartition.SESSION;
import static dev.leasehold.engine.internal.commit.SteppedPartition.byOther;
import static dev.leasehold.engine.internal.commit.SteppedPartition.bySessionOfOther;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.Refusal;
import dev.leasehold.engine.internal.metrics.RecordedMetrics;
import dev.leasehold.engine.internal.partition.PartitionEngine;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.engine.world.ScriptedStore;
import dev.leasehold.engine.world.TestClock;
import java.util.Collections;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How an engine watches the clocks of others, and what that is good for. */
class LooksTest {

    private static final String NAME = "nightly";
    private static final String OTHER = "b#1";
    private static final long Z = TestClock.Z;

    private final SteppedPartition a = new SteppedPartition();

    @Test
    @DisplayName("The session lease of a holder that was killed yesterday is granted at the first ask")
    void sessionLeaseOfALongDeadHolderIsGrantedAtOnce() {
        a.store.put(session(OTHER));
        a.store.put(bySessionOfOther(NAME, "dead", 1, Z));
        a.partition.startLooking();
        a.runtime.runFor(24 * HOUR);

        PendingOperation acquire = a.submitAndRun(new Request.Acquire(NAME, "h", null, null));

        assertThat(SteppedPartition.granted(acquire).token()).isEqualTo(2);
        assertThat(a.store.writerNames())
                .as("evicted under the guard of its time")
                .doesNotContain(OTHER);
    }

    @Test
    @DisplayName("The same of a term lease, also if housekeeping has removed the holder's entry since")
    void termLeaseOfALongDeadHolderIsGrantedAtOnce() {
        a.store.put(session(OTHER));
        a.store.put(byOther(NAME, "dead", 1, Z));
        a.partition.startLooking();
        a.runtime.runFor(2 * HOUR);
        a.store.removeWriter(OTHER);
        a.runtime.runFor(HOUR);

        PendingOperation acquire = a.submitAndRun(new Request.Acquire(NAME, "h", SECOND, null));

        assertThat(SteppedPartition.granted(acquire).token()).isEqualTo(2);
    }

    @Test
    @DisplayName("What was held and renewed until a moment ago is refused, however often its writer was looked at")
    void liveHolderKeepsItsLease() {
        a.store.put(bySessionOfOther(NAME, "dead", 1, Z));
        a.partition.startLooking();
        for (int i = 0; i < 100; i++) {
            a.store.put(new WriterEntry.Sound(OTHER, Z + i, null, SESSION, null));
            a.runtime.runFor(10 * SECOND);
        }

        PendingOperation acquire = a.submitAndRun(new Request.Acquire(NAME, "h", null, null));

        assertThat(SteppedPartition.refused(acquire).reason()).isEqualTo(Refusal.Reason.HELD);
    }

    @Test
    @DisplayName("A look during which the clock went back proves nothing, and the next one counts")
    void lookThatWentBackProvesNothing() {
        a.store.put(session(OTHER));
        a.store.put(bySessionOfOther(NAME, "dead", 1, Z));
        a.store.onLook(() -> a.clock.stepMonotonic(-40 * SECOND));
        a.partition.startLooking();
        a.runtime.runDue();

        PendingOperation acquire = a.submitAndRun(new Request.Acquire(NAME, "h", null, null));

        assertThat(SteppedPartition.refused(acquire).reason()).isEqualTo(Refusal.Reason.HELD);
    }

    @Test
    @DisplayName("An idle engine looks once per heartbeat period, and reads nothing else")
    void idleEngineLooksOncePerHeartbeatPeriod() {
        a.partition.startLooking();
        a.runtime.runFor(10 * 60 * SECOND);

        assertThat(a.store.looks()).isEqualTo(61);
        assertThat(a.store.surveys()).isZero();
        assertThat(a.store.reads()).isEmpty();
        assertThat(a.store.clockWrites()).isEmpty();
    }

    @Test
    @DisplayName(
            "Partitions share the looks of an engine, and with many writers there are fewer; one a minute at least")
    void looksAreRareWhereTheyAreDear() {
        assertThat(PartitionEngine.lookNanos(10 * SECOND, 1)).isEqualTo(10 * SECOND);
        assertThat(PartitionEngine.lookNanos(10 * SECOND, 4)).isEqualTo(40 * SECOND);
        assertThat(PartitionEngine.lookNanos(10 * SECOND, 64)).isEqualTo(60 * SECOND);
        assertThat(PartitionEngine.lookNanos(HOUR, 1)).isEqualTo(60 * SECOND);
        assertThat(PartitionEngine.lookNanos(Long.MAX_VALUE, 64)).isEqualTo(60 * SECOND);

        assertThat(PartitionEngine.nextLookNanos(10 * SECOND, 1_000)).isEqualTo(10 * SECOND);
        assertThat(PartitionEngine.nextLookNanos(10 * SECOND, 2_000)).isEqualTo(20 * SECOND);
        assertThat(PartitionEngine.nextLookNanos(10 * SECOND, 10_000)).isEqualTo(60 * SECOND);
    }

    @Test
    @DisplayName("With meters one look a minute is a survey, and the survey is a sight too")
    void surveyIsALook() {
        SteppedPartition metered = new SteppedPartition(new RecordedMetrics());
        metered.store.put(session(OTHER));
        metered.store.put(bySessionOfOther(NAME, "dead", 1, Z));
        metered.partition.startLooking();
        metered.runtime.runFor(SESSION + 1);

        assertThat(metered.store.surveys()).isEqualTo(1);
        assertThat(metered.store.looks()).isEqualTo(3);
        PendingOperation acquire = metered.submitAndRun(new Request.Acquire(NAME, "h", null, null));
        assertThat(SteppedPartition.granted(acquire).token()).isEqualTo(2);
    }

    @Test
    @DisplayName("A look that failed is repeated a period later")
    void failedLookIsRepeatedAPeriodLater() {
        a.store.onLook(LooksTest::unavailable);
        a.partition.startLooking();
        a.runtime.runFor(10 * SECOND);

        assertThat(a.store.looks()).isEqualTo(2);
    }

    @Test
    @DisplayName("While the database fails, no look comes before the next heartbeat of a session, but for one a minute")
    @SuppressWarnings("unchecked")
    void lookDelaysNoHeartbeat() {
        a.submitAndRun(new Request.Acquire("another", "h", null, null));
        a.store.onClockWrite(Collections.nCopies(10_000, (Supplier<WriteOutcome>) ScriptedStore::unavailable)
                .toArray(Supplier[]::new));
        a.runtime.runFor(11 * SECOND);
        int before = a.store.looks();
        a.store.onLook(
                Collections.nCopies(10, (Runnable) LooksTest::unavailable).toArray(Runnable[]::new));
        a.partition.startLooking();
        a.runtime.runFor(5 * 60 * SECOND);

        assertThat(a.store.looks() - before).isBetween(4, 6);
    }

    private static void unavailable() {
        throw new LeaseUnavailableException("scripted", null);
    }

    private static WriterEntry session(String writer) {
        return new WriterEntry.Sound(writer, Z, null, SESSION, null);
    }
}
