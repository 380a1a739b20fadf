package dev.leasehold.engine.internal.commit;

import static dev.leasehold.engine.internal.commit.SteppedPartition.SECOND;
import static dev.leasehold.engine.internal.commit.SteppedPartition.byOther;
import static dev.leasehold.engine.internal.commit.SteppedPartition.failure;
import static dev.leasehold.engine.internal.commit.SteppedPartition.granted;
import static dev.leasehold.engine.internal.commit.SteppedPartition.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.ClockAnomalyException;
import dev.leasehold.engine.CorruptDocumentException;
import dev.leasehold.engine.LeaseStoreException;
import dev.leasehold.engine.internal.metrics.EngineMetrics;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.store.ClockWrite;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.engine.world.LogCapture;
import dev.leasehold.engine.world.ScriptedStore;
import dev.leasehold.engine.world.TestClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Under which writer the engine writes, and what happens when its entry is not as it left it. */
class WriterIncarnationTest {

    private final SteppedPartition a = new SteppedPartition();

    @AutoClose
    private final LogCapture log = new LogCapture();

    @Test
    void writerRegistersOnceBeforeItsFirstTransactionAndBelowItsFirstStamp() {
        a.claims("one", "h");
        a.claims("two", "h");

        assertThat(a.store.clockWrites())
                .containsExactly(new ClockWrite.Register("a#1", TestClock.Z - 1, a.store.driverSession(), null));
        assertThat(a.store.commits().get(0).clock().stampNanos()).isEqualTo(TestClock.Z);
    }

    @Test
    void readsNeedNoRegistration() {
        a.partition.reads().poll(Set.of("one"), a.nowNanos() + SECOND);

        a.runtime.runDue();

        assertThat(a.store.reads()).hasSize(1);
        assertThat(a.store.clockWrites()).isEmpty();
    }

    @Test
    @DisplayName("VA-3: a dot of the instance is no dot in the key, and meets no other instance's key")
    void instanceWithADotHasAKeyWithoutOne() {
        assertThat(firstWriter("a.b")).isEqualTo("a~b#1");
        assertThat(firstWriter("a_b")).isEqualTo("a_b#1");
        assertThat(firstWriter("a-b")).isEqualTo("a-b#1");
    }

    @Test
    @DisplayName(
            "Section 4: an engine whose entry is gone goes on as a new writer and writes nothing under the old one")
    void removedEntryMakesANewWriter() {
        Tenure before = a.claims("one", "h");
        a.store.removeWriter("a#1");

        PendingOperation claim = a.submitClaimAndRun("two");

        assertThat(granted(claim).token()).isEqualTo(1);
        assertThat(a.store.document("two").writer()).isEqualTo("a#2");
        assertThat(a.store.writerNames()).containsExactly("a#2");
        assertThat(a.store.document("one").writer()).isEqualTo("a#1");
        assertThat(warnings())
                .singleElement()
                .asString()
                .contains("a#1")
                .contains("a#2")
                .contains(SteppedPartition.NAMESPACE);
        assertThat(a.partition.validities().isValid(before))
                .as("a term lease stands by its own expiry")
                .isTrue();
    }

    @Test
    void newWriterTreatsItsPredecessorsLeasesAsForeign() {
        Tenure tenure = a.claims("one", "h");
        a.store.removeWriter("a#1");
        a.claims("two", "h");
        a.clock.advance(20 * SECOND);

        PendingOperation extend = a.submitAndRun(new Request.Extend(tenure, SECOND));

        granted(extend);
        assertThat(a.store.document("one").writer())
                .as("written, though its term is long enough")
                .isEqualTo("a#2");
        assertThat(a.store.document("one").expiryNanos())
                .as("carried over from the first read of the new writer")
                .isEqualTo(TestClock.Z + 80 * SECOND + 1);
    }

    @Test
    void newWriterReadsWhatItNoLongerRemembers() {
        Tenure tenure = a.claims("one", "h");
        Tenure other = a.claims("two", "h");
        a.store.removeWriter("a#1");
        PendingOperation first = a.submit(new Request.Release(tenure));
        PendingOperation second = a.submit(new Request.Release(other));

        a.runtime.runDue();

        assertThat(granted(first)).isEqualTo(tenure);
        assertThat(granted(second)).isEqualTo(other);
        assertThat(warnings()).hasSize(1);
    }

    @Test
    void readThatFindsTheEntryGoneMakesANewWriterToo() {
        a.claims("one", "h");
        a.store.removeWriter("a#1");

        a.partition.reads().poll(Set.of("one"), a.nowNanos() + SECOND);
        a.runtime.runDue();
        a.claims("two", "h");

        assertThat(a.store.document("two").writer()).isEqualTo("a#2");
        assertThat(a.store.commits()).as("no transaction was spent to find out").hasSize(2);
    }

    @Test
    @DisplayName("Section 4: an entry older than acknowledged is a registration that landed late: a new writer")
    void entryOlderThanAcknowledgedMakesANewWriter() {
        a.claims("one", "h");
        a.store.put(entry("a#1", TestClock.Z - 1));

        a.claims("two", "h");
        a.store.put(entry("a#1", TestClock.Z - 1));
        a.partition.reads().poll(Set.of("one"), a.nowNanos() + SECOND);
        a.runtime.runDue();

        assertThat(a.claims("three", "h").token()).isEqualTo(1);
        assertThat(a.store.document("three").writer()).isEqualTo("a#2");
    }

    @Test
    @DisplayName(
            "Section 4: an entry ahead of every stamp issued was written by a copy: a new writer, and nothing of the old one's is valid")
    void entryAheadOfTheClockMakesANewWriter() {
        List<String> losses = new ArrayList<>();
        a.partition.validities().listener((tenure, reason) -> losses.add(tenure.name() + " " + reason));
        Tenure term = a.claims("one", "h");
        PendingOperation kept = a.submitAndRun(new Request.Acquire("kept", "h", null, null));
        Tenure session = granted(kept);
        a.store.put(new WriterEntry.Sound(
                "a#1", TestClock.Z + 5 * SECOND, null, SteppedPartition.SESSION, a.store.driverSession()));

        PendingOperation claim = a.submitClaimAndRun("two");

        assertThat(granted(claim).token()).isEqualTo(1);
        assertThat(a.store.document("two").writer()).isEqualTo("a#2");
        assertThat(a.partition.validities().isValid(term))
                .as("others count its term from the stored time, which is ahead")
                .isFalse();
        assertThat(a.partition.validities().isValid(session)).isFalse();
        assertThat(losses).containsExactlyInAnyOrder("one CLOCK_ANOMALY", "kept CLOCK_ANOMALY");
        assertThat(a.store.entry("a#1").timeNanos()).as("left to others").isEqualTo(TestClock.Z + 5 * SECOND);
        assertThat(warnings())
                .filteredOn(warning -> warning.contains("a#2"))
                .singleElement()
                .asString()
                .contains("a#1", String.valueOf(TestClock.Z + 5 * SECOND), "cloned");
    }

    @Test
    void corruptOwnEntryIsAnErrorThatNamesIt() {
        a.claims("one", "h");
        a.store.put(new WriterEntry.Corrupt("a#1", "time", "a string"));

        PendingOperation claim = a.submitClaimAndRun("two");

        assertThat(failure(claim))
                .isInstanceOf(CorruptDocumentException.class)
                .hasMessageContaining("writers.a#1.time");
    }

    @Test
    void registrationOfUnknownOutcomeIsLeftBehindUnderItsName() {
        a.store.onClockWrite(ScriptedStore::unknown);

        PendingOperation claim = a.submitClaim("one");
        a.runtime.runFor(SECOND);

        granted(claim);
        assertThat(a.store.document("one").writer()).isEqualTo("a#2");
        assertThat(a.store.clockWrites()).extracting(ClockWrite::writer).containsExactly("a#1", "a#2");
    }

    @Test
    void registrationThatCouldNotBeDoneIsTriedAgainUnderTheSameName() {
        a.store.onClockWrite(ScriptedStore::unavailable);

        PendingOperation claim = a.submitClaim("one");
        a.runtime.runFor(SECOND);

        granted(claim);
        assertThat(a.store.clockWrites()).extracting(ClockWrite::writer).containsExactly("a#1", "a#1");
        assertThat(a.store.commits()).hasSize(1);
    }

    @Test
    void registrationWhoseEntryIsThereAlreadyAdoptsIt() {
        a.store.onClockWrite(() -> {
            a.store.put(entry("a#1", TestClock.Z - 1));
            return WriteOutcome.MISSED;
        });

        a.claims("one", "h");

        assertThat(a.store.document("one").writer()).isEqualTo("a#1");
    }

    @Test
    void registrationOfWhichThisEngineDoesNotKnowThatItLandedIsLeftBehindUnderItsName() {
        a.store.onClockWrite(() -> {
            a.store.put(entry("a#1", TestClock.Z - 1));
            throw new IllegalStateException("unexpected");
        });
        assertThat(failure(claimed("one"))).isInstanceOf(LeaseStoreException.class);

        a.clock.advance(SECOND);

        assertThat(granted(claimed("two")).token()).isEqualTo(1);
        assertThat(a.store.document("two").writer()).isEqualTo("a#2");
    }

    private PendingOperation claimed(String name) {
        PendingOperation claim = a.submitClaim(name);
        a.runtime.runFor(SECOND);
        return claim;
    }

    @Test
    void refusedRegistrationIsToldAsItIs() {
        LeaseStoreException refusal = new LeaseStoreException("no right", null);
        a.store.onClockWrite(() -> WriteOutcome.failed(refusal));

        PendingOperation claim = a.submitClaimAndRun("one");

        assertThat(failure(claim)).isSameAs(refusal);
        assertThat(a.store.commits()).isEmpty();
    }

    @Test
    @DisplayName("RA-17: a monotonic source that goes back during a read: nothing is concluded from it")
    void clockThatGoesBackDuringAReadIsAnAnomaly() {
        a.store.onRead(() -> a.clock.stepMonotonic(-7));

        PendingOperation claim = a.submitClaimAndRun("one");

        assertThat(failure(claim)).isInstanceOf(ClockAnomalyException.class).hasMessageContaining("7 ns");
        assertThat(a.store.commits()).isEmpty();
    }

    @Test
    @DisplayName("RA-17: nor is anything from a read of all writers, by which a living session could be evicted")
    void clockThatGoesBackDuringAReadOfAllWritersIsAnAnomaly() {
        a.store.put(entry("b#1", 1_000));
        a.clock.advance(100 * SECOND);
        a.store.onRead(() -> a.clock.stepMonotonic(-40 * SECOND));

        CompletableFuture<?> silent = a.partition.reads().silentWriters(a.nowNanos() + SECOND);
        a.runtime.runDue();

        assertThatThrownBy(() -> silent.getNow(null)).hasCauseInstanceOf(ClockAnomalyException.class);
    }

    @Test
    @DisplayName("RA-16: a wall that steps back during a read has no part in it")
    void wallThatGoesBackDuringAReadDoesNotMatter() {
        a.store.onRead(() -> a.clock.stepWall(-3600 * SECOND));

        assertThat(a.claims("one", "h").token()).isEqualTo(1);
    }

    @Test
    void closingRemovesTheEntryOfAnEngineByWhichNothingIsHeld() {
        Tenure tenure = a.claims("one", "h");
        a.submitAndRun(new Request.Release(tenure));

        a.partition.closeAfter(CompletableFuture.completedFuture(null), 0, false);
        a.runtime.runDue();

        assertThat(a.store.clockWrites()).last().isEqualTo(new ClockWrite.Leave("a#1"));
        assertThat(a.store.closes()).isEqualTo(1);
    }

    @Test
    void closingTakesTheDriverSessionOutOfTheEntryByWhichTermsAreJudged() {
        a.claims("one", "h");

        a.partition.closeAfter(CompletableFuture.completedFuture(null), 0, false);
        a.runtime.runDue();

        assertThat(a.store.clockWrites()).last().isEqualTo(new ClockWrite.Unlist("a#1"));
        assertThat(a.store.entry("a#1")).isEqualTo(new WriterEntry.Sound("a#1", TestClock.Z, TestClock.Z, null, null));
        assertThat(a.store.document("one").holder()).isEqualTo("h");
        assertThat(a.store.closes()).isEqualTo(1);
        assertThat(a.runtime.isQuiet()).isTrue();
    }

    @Test
    void closingAnEngineThatNeverWroteWritesNothing() {
        a.partition.closeAfter(CompletableFuture.completedFuture(null), 0, false);
        a.runtime.runDue();

        assertThat(a.store.clockWrites()).isEmpty();
        assertThat(a.store.closes()).isEqualTo(1);
    }

    @Test
    @DisplayName("The last transaction of an evicted engine, whose abort may have been lost, is ended by the close")
    void closingAnEvictedEngineLeavesNoTransactionOpen() {
        Tenure tenure = a.claims("one", "h");
        a.store.removeWriter("a#1");
        a.store.put(byOther("one", "heir", 2, 17));
        PendingOperation release = a.submitAndRun(new Request.Release(tenure));
        assertThat(refused(release)).isNotNull();

        a.partition.closeAfter(CompletableFuture.completedFuture(null), 0, false);
        a.runtime.runDue();

        assertThat(a.store.clockWrites()).last().isInstanceOf(ClockWrite.Barrier.class);
        assertThat(a.store.closes()).isEqualTo(1);
    }

    private List<String> warnings() {
        return log.messages(Level.WARN);
    }

    private static WriterEntry entry(String writer, long timeNanos) {
        return new WriterEntry.Sound(writer, timeNanos, null, null, null);
    }

    private static String firstWriter(String instance) {
        SteppedPartition engine =
                new SteppedPartition(EngineMetrics.NONE, SteppedPartition.settings(instance, SteppedPartition.HOUR));
        engine.claims("one", "h");
        return engine.store.document("one").writer();
    }
}
