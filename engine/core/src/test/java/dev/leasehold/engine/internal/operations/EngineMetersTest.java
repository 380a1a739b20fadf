package dev.leasehold.engine.internal.operations;

import static dev.leasehold.engine.internal.operations.FakeEngine.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.CorruptDocumentException;
import dev.leasehold.engine.Lease;
import dev.leasehold.engine.LeaseContentionException;
import dev.leasehold.engine.LeaseOutcomeUnknownException;
import dev.leasehold.engine.LeaseRequest;
import dev.leasehold.engine.LeaseStoreException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.fakes.LogCapture;
import dev.leasehold.engine.fakes.ScriptedStore;
import dev.leasehold.engine.internal.metrics.RecordedMetrics;
import dev.leasehold.engine.internal.metrics.SafeMetrics;
import dev.leasehold.engine.internal.store.StoredLease;
import dev.leasehold.engine.internal.store.WriteOutcome;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an engine reports to its meters, and when. */
class EngineMetersTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final RecordedMetrics meters = new RecordedMetrics();
    private final FakeEngine a = FakeEngine.metered(meters);
    private final LogCapture log = new LogCapture();

    @AfterEach
    void stopListening() {
        Thread.interrupted();
        log.close();
    }

    /** The reports of one kind that the action leads to. */
    private List<String> reports(String kind, Action action) throws InterruptedException {
        meters.reports().clear();
        action.run();
        return meters.reports().stream()
                .filter(report -> report.startsWith(kind + " "))
                .toList();
    }

    private interface Action {
        void run() throws InterruptedException;
    }

    private static void conflictFor(FakeEngine engine, int times) {
        engine.store.onCommit(
                Stream.generate(() -> (ScriptedStore.CommitScript) (transaction, mayCommit) -> ScriptedStore.conflict())
                        .limit(times)
                        .toArray(ScriptedStore.CommitScript[]::new));
    }

    @Test
    void answersAreReportedWithTheStatusBefore() throws InterruptedException {
        assertThat(reports("claim", () -> a.engine.tenures().claim("one", "h", MINUTE)))
                .containsExactly("claim one GRANTED FREE 0");
        assertThat(reports("claim", () -> a.engine.tenures().claim("one", "h", MINUTE)))
                .containsExactly("claim one REFUSED ACTIVE 0");
        Tenure tenure = new Tenure(FakeEngine.NAMESPACE, "one", "h", 1);
        assertThat(reports("extend", () -> a.engine.tenures().extend(tenure, MINUTE.multipliedBy(2))))
                .containsExactly("extend one GRANTED ACTIVE 0");
        assertThat(reports("take-over", () -> a.engine.tenures().takeOver("one", "h2", MINUTE)))
                .containsExactly("take-over one REFUSED ACTIVE 0");
        a.clock.advance(300 * SECOND);
        assertThat(reports("take-over", () -> a.engine.tenures().takeOver("one", "h2", MINUTE)))
                .containsExactly("take-over one GRANTED EXPIRED 0");
        assertThat(reports("release", () -> a.engine.tenures().release(tenure)))
                .containsExactly("release one REFUSED ACTIVE 0");
        a.clock.advance(300 * SECOND);
        assertThat(reports("expire", () -> a.engine.tenures().expire("one")))
                .containsExactly("expire one GRANTED EXPIRED 0");
        assertThat(reports("expire", () -> a.engine.tenures().expire("one")))
                .containsExactly("expire one REFUSED FREE 0");
        a.clock.advance(2 * 3600 * SECOND);
        assertThat(reports("remove", () -> a.engine.housekeeping())).containsExactly("remove one GRANTED FREE 0");
    }

    @Test
    void whatHandlesDoByThemselvesIsCountedToo() throws InterruptedException {
        Lease lease = a.engine.acquire(LeaseRequest.of("one").term(MINUTE), Duration.ZERO);

        assertThat(reports("extend", () -> a.runtime.runFor(20 * SECOND)))
                .containsExactly("extend one GRANTED ACTIVE 0");
        assertThat(reports("release", lease::close)).containsExactly("release one GRANTED ACTIVE 0");
    }

    @Test
    void eachTryOfARenewalThatFailsIsCounted() throws InterruptedException {
        a.engine.acquire(LeaseRequest.of("one").term(MINUTE), Duration.ZERO);
        a.store.onCommit(
                (transaction, mayCommit) -> WriteOutcome.failed(new LeaseStoreException("scripted refusal", null)));

        assertThat(reports("extend", () -> a.runtime.runFor(25 * SECOND)))
                .containsExactly("extend one FAILED ACTIVE 0", "extend one GRANTED ACTIVE 0");
    }

    @Test
    void waitIsCountedUntilTheCallerIsAnswered() throws InterruptedException {
        a.store.onCommit((transaction, mayCommit) -> {
            a.clock.advance(7);
            return a.store.apply(transaction, mayCommit);
        });

        assertThat(reports("claim", () -> a.engine.tenures().claim("one", "h", MINUTE)))
                .containsExactly("claim one GRANTED FREE 7");
    }

    @Test
    void contentionIsReportedAsSuch() throws InterruptedException {
        conflictFor(a, 1000);

        assertThat(reports(
                        "claim",
                        () -> assertThatThrownBy(() -> a.engine.tenures().claim("one", "h", MINUTE))
                                .isInstanceOf(LeaseContentionException.class)))
                .singleElement()
                .asString()
                .startsWith("claim one CONTENTION FREE ");
    }

    @Test
    void whatWasNeverReadHasNoStatusBefore() throws InterruptedException {
        a.store.onRead(Stream.generate(() -> (Runnable) () -> {
                    throw new LeaseUnavailableException("scripted outage", null);
                })
                .limit(1000)
                .toArray(Runnable[]::new));

        assertThat(reports(
                        "claim",
                        () -> assertThatThrownBy(() -> a.engine.tenures().claim("one", "h", MINUTE))
                                .isInstanceOf(LeaseUnavailableException.class)))
                .singleElement()
                .asString()
                .startsWith("claim one UNAVAILABLE null ");
    }

    @Test
    void otherFailuresAreReportedAsFailed() throws InterruptedException {
        a.store.put(new StoredLease.Corrupt("bad", "billing#bad", "expiry", "a double"));

        assertThat(reports(
                        "claim",
                        () -> assertThatThrownBy(() -> a.engine.tenures().claim("bad", "h", MINUTE))
                                .isInstanceOf(CorruptDocumentException.class)))
                .containsExactly("claim bad FAILED CORRUPT 0");
    }

    @Test
    void interruptIsReportedAsSuch() throws InterruptedException {
        Thread.currentThread().interrupt();

        assertThat(reports(
                        "claim",
                        () -> assertThatThrownBy(() -> a.engine.tenures().claim("one", "h", MINUTE))
                                .isInstanceOf(InterruptedException.class)))
                .containsExactly("claim one INTERRUPTED null 0");
    }

    @Test
    void unknownOutcomeIsReportedAndItsResolutionToo() throws InterruptedException {
        a.store.onCommit(a.store::landUnheard);
        a.store.onCommitAgain(() -> {
            a.clock.advance(11 * SECOND);
            return ScriptedStore.unknown();
        });

        assertThat(reports(
                        "claim",
                        () -> assertThatThrownBy(() -> a.engine.tenures().claim("one", "h", MINUTE))
                                .isInstanceOf(LeaseOutcomeUnknownException.class)))
                .singleElement()
                .asString()
                .startsWith("claim one UNKNOWN FREE ");
        assertThat(reports("resolved", () -> a.runtime.runFor(SECOND))).containsExactly("resolved LANDED");
    }

    @Test
    void commitThatIsFoundNotToHaveLandedIsReportedOnce() throws InterruptedException {
        a.store.onCommit(ScriptedStore::sentInVain);
        a.store.onCommitAgain(ScriptedStore::unavailable);

        assertThat(reports("resolved", () -> a.engine.tenures().claim("one", "h", MINUTE)))
                .containsExactly("resolved NOT_LANDED");
    }

    @Test
    void commitInDoubtWhenTheEngineIsClosedIsLost() throws InterruptedException {
        a.store.onCommit(ScriptedStore::sentInVain);
        a.store.onCommitAgain(() -> {
            a.clock.advance(11 * SECOND);
            return ScriptedStore.unknown();
        });
        assertThatThrownBy(() -> a.engine.tenures().claim("one", "h", MINUTE))
                .isInstanceOf(LeaseOutcomeUnknownException.class);

        assertThat(reports("resolved", () -> a.engine.close())).containsExactly("resolved LOST");
    }

    @Test
    void readsThatFeedTheViewReportTheirWindowAndTheWritersSeen() throws InterruptedException {
        a.engine.tenures().claim("one", "h", MINUTE);
        a.store.onRead(() -> a.clock.advance(9));

        assertThat(reports("read", () -> a.engine.refresh(List.of("one")))).containsExactly("read 9");
        assertThat(reports("read", () -> a.engine.leases())).containsExactly("read 0");
        long nowNanos = a.clock.wallNanos();
        assertThat(reports("seen", () -> a.engine.leases())).containsExactly("seen billing a#1 [a#1] " + nowNanos);
    }

    @Test
    void everyTryOfATransactionIsReported() throws InterruptedException {
        a.store.onCommit(
                (transaction, mayCommit) -> ScriptedStore.conflict(), (transaction, mayCommit) -> WriteOutcome.MISSED);

        assertThat(reports("transaction", () -> a.engine.tenures().claim("one", "h", MINUTE)))
                .containsExactly("transaction CONFLICT 1", "transaction MISSED 1", "transaction APPLIED 1");
    }

    @Test
    void clockDocumentIsSurveyedAtOnceAndThenEveryMinute() throws InterruptedException {
        assertThat(reports("surveyed", () -> a.runtime.runDue())).containsExactly("surveyed billing 100");
        assertThat(reports("surveyed", () -> a.runtime.runFor(60 * SECOND - 1))).isEmpty();
        assertThat(reports("surveyed", () -> a.runtime.runFor(1))).hasSize(1);
        assertThat(reports("surveyed", () -> a.runtime.runFor(600 * SECOND))).hasSize(10);
    }

    @Test
    void surveyThatThrowsIsTriedAgainAMinuteLater() throws InterruptedException {
        a.store.onRead(
                () -> {
                    throw new LeaseUnavailableException("scripted outage", null);
                },
                () -> {
                    throw new IllegalStateException("a bug");
                },
                () -> {
                    throw new IllegalArgumentException("another");
                });

        assertThat(reports("surveyed", () -> a.runtime.runFor(180 * SECOND - 1)))
                .isEmpty();
        assertThat(reports("surveyed", () -> a.runtime.runFor(1))).hasSize(1);
    }

    @Test
    void surveysEndWithTheEngineAndTheMetersAreClosedLast() {
        a.runtime.runDue();

        a.engine.close();
        int surveys = a.store.surveys();
        a.runtime.runFor(600 * SECOND);

        assertThat(a.store.surveys()).isEqualTo(surveys);
        assertThat(meters.reports()).last().isEqualTo("close");
        assertThat(a.store.closes()).isEqualTo(1);
        assertThat(a.runtime.isQuiet()).isTrue();
    }

    @Test
    void withoutMetersNothingIsSurveyed() {
        FakeEngine plain = FakeEngine.atZ();

        plain.runtime.runFor(600 * SECOND);

        assertThat(plain.store.surveys()).isZero();
        assertThat(plain.store.calls()).isZero();
    }

    @Test
    void brokenMetersChangeNothing() throws InterruptedException {
        FakeEngine broken = FakeEngine.metered(SafeMetrics.of("billing", () -> meters));
        meters.breakDown();

        Tenure tenure = broken.engine.tenures().claim("one", "h", MINUTE).orElseThrow();
        assertThat(broken.engine.tenures().isHeld(tenure)).isTrue();
        broken.runtime.runFor(120 * SECOND);
        assertThat(broken.store.surveys()).isEqualTo(3);
        assertThat(broken.engine.tenures().release(tenure).isGranted()).isTrue();
        broken.engine.close();
        broken.runtime.runDue();

        assertThat(broken.runtime.isQuiet()).isTrue();
    }
}
