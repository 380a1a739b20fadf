package dev.leasehold.engine.internal.operations;

import static dev.leasehold.engine.internal.operations.SteppedEngine.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.CorruptDocumentException;
import dev.leasehold.engine.LeaseContentionException;
import dev.leasehold.engine.LeaseEngineClosedException;
import dev.leasehold.engine.LeaseOutcomeUnknownException;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.LeaseStatus;
import dev.leasehold.engine.LeaseStoreException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.internal.metrics.EngineEvent;
import dev.leasehold.engine.internal.metrics.EngineEvent.ClockSurveyed;
import dev.leasehold.engine.internal.metrics.EngineEvent.LeasesRead;
import dev.leasehold.engine.internal.metrics.EngineEvent.OperationEnded;
import dev.leasehold.engine.internal.metrics.EngineEvent.Resolution;
import dev.leasehold.engine.internal.metrics.EngineEvent.UnknownResolved;
import dev.leasehold.engine.internal.metrics.EngineEvent.WritersRead;
import dev.leasehold.engine.internal.metrics.OperationOutcome;
import dev.leasehold.engine.internal.metrics.RecordedMetrics;
import dev.leasehold.engine.internal.store.StoredLease;
import dev.leasehold.engine.internal.store.WriteOutcome;
import dev.leasehold.engine.internal.store.WriterEntry;
import dev.leasehold.engine.world.LogCapture;
import dev.leasehold.engine.world.ScriptedStore;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an engine reports to its meters, and when. */
class EngineMetersTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final RecordedMetrics meters = new RecordedMetrics();
    private final SteppedEngine a = SteppedEngine.metered(meters);
    private final LogCapture log = new LogCapture();

    @AfterEach
    void stopListening() {
        Thread.interrupted();
        log.close();
    }

    /** The operations of one kind that end while the action runs. */
    private List<OperationEnded> operations(String kind, Action action) throws InterruptedException {
        meters.clear();
        action.run();
        return meters.operations(kind);
    }

    /** The events of one type that the action leads to. */
    private <E extends EngineEvent> List<E> events(Class<E> type, Action action) throws InterruptedException {
        meters.clear();
        action.run();
        return meters.events(type);
    }

    /** What is recorded of a claim that fails so. */
    private OperationEnded claimFails(String lease, Class<? extends Throwable> failure) throws InterruptedException {
        List<OperationEnded> claims = operations(
                "claim",
                () -> assertThatThrownBy(() -> a.engine.tenures().claim(lease, "h", MINUTE))
                        .isInstanceOf(failure));
        assertThat(claims).hasSize(1);
        return claims.get(0);
    }

    /** A commit whose outcome is not known before the time of its operation is over. */
    private void outcomeStaysUnknown(ScriptedStore.CommitScript commit) {
        a.store.onCommit(commit);
        a.store.onCommitAgain(() -> {
            a.clock.advance(11 * SECOND);
            return ScriptedStore.unknown();
        });
    }

    private static OperationEnded ended(
            String kind, OperationOutcome outcome, @Nullable LeaseStatus prior, long waitedNanos) {
        return new OperationEnded(kind, "one", outcome, prior, waitedNanos);
    }

    private interface Action {
        void run() throws InterruptedException;
    }

    private static void conflictFor(SteppedEngine engine, int times) {
        engine.store.onCommit(
                Stream.generate(() -> (ScriptedStore.CommitScript) (transaction, mayCommit) -> ScriptedStore.conflict())
                        .limit(times)
                        .toArray(ScriptedStore.CommitScript[]::new));
    }

    @Test
    void answersAreReportedWithTheStatusBefore() throws InterruptedException {
        assertThat(operations("claim", () -> a.engine.tenures().claim("one", "h", MINUTE)))
                .containsExactly(ended("claim", OperationOutcome.GRANTED, LeaseStatus.FREE, 0));
        assertThat(operations("claim", () -> a.engine.tenures().claim("one", "h", MINUTE)))
                .containsExactly(ended("claim", OperationOutcome.REFUSED, LeaseStatus.ACTIVE, 0));
        Tenure tenure = new Tenure(SteppedEngine.NAMESPACE, "one", "h", 1);
        assertThat(operations("extend", () -> a.engine.tenures().extend(tenure, MINUTE.multipliedBy(2))))
                .containsExactly(ended("extend", OperationOutcome.GRANTED, LeaseStatus.ACTIVE, 0));
        assertThat(operations("take-over", () -> a.engine.tenures().takeOver("one", "h2", MINUTE)))
                .containsExactly(ended("take-over", OperationOutcome.REFUSED, LeaseStatus.ACTIVE, 0));
        a.clock.advance(300 * SECOND);
        assertThat(operations("take-over", () -> a.engine.tenures().takeOver("one", "h2", MINUTE)))
                .containsExactly(ended("take-over", OperationOutcome.GRANTED, LeaseStatus.EXPIRED, 0));
        assertThat(operations("release", () -> a.engine.tenures().release(tenure)))
                .containsExactly(ended("release", OperationOutcome.REFUSED, LeaseStatus.ACTIVE, 0));
        a.clock.advance(300 * SECOND);
        assertThat(operations("expire", () -> a.engine.tenures().expire("one")))
                .containsExactly(ended("expire", OperationOutcome.GRANTED, LeaseStatus.EXPIRED, 0));
        assertThat(operations("expire", () -> a.engine.tenures().expire("one")))
                .containsExactly(ended("expire", OperationOutcome.REFUSED, LeaseStatus.FREE, 0));
        a.clock.advance(2 * 3600 * SECOND);
        assertThat(operations("remove", () -> a.engine.housekeeping()))
                .containsExactly(ended("remove", OperationOutcome.GRANTED, LeaseStatus.FREE, 0));
    }

    @Test
    void eachTryOfARenewalThatFailsIsCounted() throws InterruptedException {
        a.engine.tryAcquire(LeaseRequest.of("one").term(MINUTE)).orElseThrow();
        a.store.onCommit(
                (transaction, mayCommit) -> WriteOutcome.failed(new LeaseStoreException("scripted refusal", null)));

        assertThat(operations("extend", () -> a.runtime.runFor(25 * SECOND)))
                .containsExactly(
                        ended("extend", OperationOutcome.FAILED, LeaseStatus.ACTIVE, 0),
                        ended("extend", OperationOutcome.GRANTED, LeaseStatus.ACTIVE, 0));
    }

    @Test
    void waitIsCountedUntilTheCallerIsAnswered() throws InterruptedException {
        a.store.onCommit((transaction, mayCommit) -> {
            a.clock.advance(7);
            return a.store.apply(transaction, mayCommit);
        });

        assertThat(operations("claim", () -> a.engine.tenures().claim("one", "h", MINUTE)))
                .containsExactly(ended("claim", OperationOutcome.GRANTED, LeaseStatus.FREE, 7));
    }

    @Test
    void contentionIsReportedAsSuch() throws InterruptedException {
        conflictFor(a, 1000);

        assertThat(claimFails("one", LeaseContentionException.class))
                .returns(OperationOutcome.CONTENTION, OperationEnded::outcome)
                .returns(LeaseStatus.FREE, OperationEnded::prior);
    }

    @Test
    void whatWasNeverReadHasNoStatusBefore() throws InterruptedException {
        a.store.fail(new LeaseUnavailableException("scripted outage", null));

        assertThat(claimFails("one", LeaseUnavailableException.class))
                .returns(OperationOutcome.UNAVAILABLE, OperationEnded::outcome)
                .returns(null, OperationEnded::prior);
    }

    @Test
    void otherFailuresAreReportedAsFailed() throws InterruptedException {
        a.store.put(new StoredLease.Corrupt("bad", "billing#bad", "expiry", "a double"));

        assertThat(claimFails("bad", CorruptDocumentException.class))
                .isEqualTo(new OperationEnded("claim", "bad", OperationOutcome.FAILED, LeaseStatus.CORRUPT, 0));
    }

    @Test
    void interruptIsReportedAsSuch() throws InterruptedException {
        Thread.currentThread().interrupt();

        assertThat(claimFails("one", InterruptedException.class))
                .isEqualTo(ended("claim", OperationOutcome.INTERRUPTED, null, 0));
    }

    @Test
    void unknownOutcomeIsReportedAndItsResolutionToo() throws InterruptedException {
        outcomeStaysUnknown(a.store::landUnheard);

        assertThat(claimFails("one", LeaseOutcomeUnknownException.class))
                .returns(OperationOutcome.UNKNOWN, OperationEnded::outcome)
                .returns(LeaseStatus.FREE, OperationEnded::prior);
        assertThat(events(UnknownResolved.class, () -> a.runtime.runFor(SECOND)))
                .containsExactly(new UnknownResolved(Resolution.LANDED));
    }

    @Test
    void commitThatIsFoundNotToHaveLandedIsReportedOnce() throws InterruptedException {
        a.store.onCommit(ScriptedStore::sentInVain);
        a.store.onCommitAgain(ScriptedStore::unavailable);

        assertThat(events(UnknownResolved.class, () -> a.engine.tenures().claim("one", "h", MINUTE)))
                .containsExactly(new UnknownResolved(Resolution.NOT_LANDED));
    }

    @Test
    void commitOfUnknownOutcomeWhenTheEngineIsClosedIsLost() throws InterruptedException {
        outcomeStaysUnknown(ScriptedStore::sentInVain);
        claimFails("one", LeaseOutcomeUnknownException.class);

        assertThat(events(UnknownResolved.class, () -> a.engine.close()))
                .containsExactly(new UnknownResolved(Resolution.LOST));
    }

    @Test
    void commitOfUnknownOutcomeIsLostOnceThoughAnErrorEndsTheEngineBeforeItsClose() throws InterruptedException {
        outcomeStaysUnknown(ScriptedStore::sentInVain);
        claimFails("one", LeaseOutcomeUnknownException.class);
        a.store.onRead(ScriptedStore.failing(new InternalError("out of memory")));

        assertThat(events(UnknownResolved.class, () -> {
                    assertThatThrownBy(() -> a.engine.refresh(List.of("two")))
                            .isInstanceOf(LeaseEngineClosedException.class);
                    a.runtime.runDue();
                    a.engine.close();
                }))
                .containsExactly(new UnknownResolved(Resolution.LOST));
    }

    @Test
    void readsThatFeedTheViewReportTheirWindowAndTheWritersSeen() throws InterruptedException {
        a.engine.tenures().claim("one", "h", MINUTE);
        a.store.onRead(() -> a.clock.advance(9));

        assertThat(events(LeasesRead.class, () -> a.engine.refresh(List.of("one"))))
                .containsExactly(new LeasesRead(9));
        assertThat(events(LeasesRead.class, () -> a.engine.leases())).containsExactly(new LeasesRead(0));
        long nowNanos = a.clock.wallNanos();
        assertThat(events(WritersRead.class, () -> a.engine.leases()))
                .singleElement()
                .satisfies(
                        read -> assertThat(read.partition()).isEqualTo("billing"),
                        read -> assertThat(read.ownWriter()).isEqualTo("a#1"),
                        read -> assertThat(read.entries())
                                .extracting(WriterEntry::writer)
                                .containsExactly("a#1"),
                        read -> assertThat(read.readEndedNanos()).isEqualTo(nowNanos));
    }

    @Test
    void clockDocumentIsSurveyedAtOnceAndThenEveryMinute() throws InterruptedException {
        assertThat(events(ClockSurveyed.class, () -> a.runtime.runDue()))
                .singleElement()
                .satisfies(
                        surveyed -> assertThat(surveyed.read().partition()).isEqualTo("billing"),
                        surveyed -> assertThat(surveyed.sizeBytes()).isEqualTo(99));
        assertThat(events(ClockSurveyed.class, () -> a.runtime.runFor(60 * SECOND - 1)))
                .isEmpty();
        assertThat(events(ClockSurveyed.class, () -> a.runtime.runFor(1))).hasSize(1);
        assertThat(events(ClockSurveyed.class, () -> a.runtime.runFor(600 * SECOND)))
                .hasSize(10);
    }

    @Test
    void surveyThatThrowsIsTriedAgainAMinuteLater() throws InterruptedException {
        a.store.onRead(
                ScriptedStore.failing(new LeaseUnavailableException("scripted outage", null)),
                ScriptedStore.failing(new IllegalStateException("a bug")),
                ScriptedStore.failing(new IllegalArgumentException("another")));

        assertThat(events(ClockSurveyed.class, () -> a.runtime.runFor(180 * SECOND - 1)))
                .isEmpty();
        assertThat(events(ClockSurveyed.class, () -> a.runtime.runFor(1))).hasSize(1);
    }

    @Test
    void surveysEndWithTheEngineAndTheMetersAreClosedLast() {
        a.runtime.runDue();

        a.engine.close();
        int surveys = a.store.surveys();
        a.runtime.runFor(600 * SECOND);

        assertThat(a.store.surveys()).isEqualTo(surveys);
        assertThat(meters.isClosedLast()).isTrue();
        assertThat(a.store.closes()).isEqualTo(1);
        assertThat(a.runtime.isQuiet()).isTrue();
    }
}
