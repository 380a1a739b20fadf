package dev.leasehold.engine.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.EngineHealth;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.fakes.FakeClock;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a readiness probe is told. */
class HealthReportTest {

    private static final long PATIENCE_NANOS = 10_000_000_000L;

    private final FakeClock clock = new FakeClock(FakeClock.Z);
    private final StoreHealth storeHealth = new StoreHealth(clock, PATIENCE_NANOS);
    private final AtomicBoolean unknown = new AtomicBoolean();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final AtomicInteger held = new AtomicInteger(3);
    private final AtomicInteger waiting = new AtomicInteger(17);
    private final HealthReport healthReport = new HealthReport(
            List.of(new HealthReport.Part("billing", storeHealth, unknown::get)),
            this::whyClosed,
            held::get,
            waiting::get);

    private String whyClosed() {
        return closed.get() ? "the engine is closed" : null;
    }

    private void failToReachTheDatabase() {
        storeHealth.failed(new LeaseUnavailableException("scripted outage", null));
    }

    @Test
    void engineThatNothingIsWrongWithIsReady() {
        assertThat(healthReport.now()).isEqualTo(new EngineHealth(true, true, "all is well", 3, 17));
    }

    @Test
    void oneOfSeveralPartitionsInTroubleIsEnoughAndIsNamed() {
        HealthReport several = severalPartitions();
        failToReachTheDatabase();

        assertThat(several.now().ready()).isFalse();
        assertThat(several.now().detail())
                .startsWith("partition 'billing~1': dealings")
                .doesNotContain("in trouble");
    }

    @Test
    void ofSeveralPartitionsInTroubleOneSpeaksForTheOthers() {
        HealthReport several = severalPartitions();
        failToReachTheDatabase();
        unknown.set(true);

        assertThat(several.now().detail())
                .startsWith("partition 'billing': the outcome of a write is not known")
                .endsWith("; partitions in trouble: 2 of 2");
    }

    private HealthReport severalPartitions() {
        return new HealthReport(
                List.of(
                        new HealthReport.Part("billing", new StoreHealth(clock, PATIENCE_NANOS), unknown::get),
                        new HealthReport.Part("billing~1", storeHealth, () -> false)),
                this::whyClosed,
                held::get,
                waiting::get);
    }

    @Test
    void heldLeasesAndWaitersAreThoseOfTheMoment() {
        held.set(4);
        waiting.set(0);

        assertThat(healthReport.now()).isEqualTo(new EngineHealth(true, true, "all is well", 4, 0));
    }

    @Test
    void engineThatCannotReachItsDatabaseIsNotReadyAndSaysForHowLong() {
        failToReachTheDatabase();
        clock.advance(12_999_999_999L);

        assertThat(healthReport.now().ready()).isFalse();
        assertThat(healthReport.now().detail())
                .isEqualTo("dealings with the database have failed for 12 s, the last with: scripted outage");
    }

    @Test
    void itIsReadyAgainAfterTheNextAnswer() {
        failToReachTheDatabase();
        storeHealth.succeeded();

        assertThat(healthReport.now().ready()).isTrue();
    }

    /** A driver that looks for a server says nothing for half a minute, unless it was told otherwise. */
    @Test
    void commandWithoutAnAnswerForAsLongAsAnOperationMayTakeIsTroubleBeforeItHasFailed() {
        storeHealth.begin();
        clock.advance(PATIENCE_NANOS);
        assertThat(healthReport.now().ready()).isTrue();

        clock.advance(1);
        assertThat(healthReport.now().ready()).isFalse();
        assertThat(healthReport.now().detail()).isEqualTo("the database has not answered for 10 s");

        storeHealth.succeeded();
        assertThat(healthReport.now().ready()).isTrue();
    }

    @Test
    void whatHasFailedBeforeIsToldWhileTheNextOneIsUnderWay() {
        failToReachTheDatabase();
        storeHealth.begin();
        clock.advance(PATIENCE_NANOS + 1);

        assertThat(healthReport.now().detail()).endsWith("scripted outage");
    }

    @Test
    void engineWithAnUnknownOutcomeIsNotReadyHoweverWellItsDatabaseAnswers() {
        unknown.set(true);
        assertThat(healthReport.now().ready()).isFalse();
        assertThat(healthReport.now().detail()).contains("not known");

        unknown.set(false);
        assertThat(healthReport.now().ready()).isTrue();
    }

    @Test
    void unknownOutcomeAndOutageAreToldTogether() {
        unknown.set(true);
        failToReachTheDatabase();

        assertThat(healthReport.now().detail())
                .contains("not known")
                .contains("; ")
                .endsWith("scripted outage");
    }

    @Test
    void closedEngineSaysNothingElse() {
        unknown.set(true);
        failToReachTheDatabase();
        closed.set(true);
        held.set(0);
        waiting.set(0);

        assertThat(healthReport.now()).isEqualTo(new EngineHealth(false, false, "the engine is closed", 0, 0));
    }

    @Test
    void failureWithoutWordsIsAFailureAllTheSame() {
        storeHealth.failed(null);
        assertThat(healthReport.now().ready()).isFalse();
        assertThat(healthReport.now().detail()).endsWith("no cause is known");

        storeHealth.failed(new IllegalStateException());
        assertThat(healthReport.now().detail()).endsWith("IllegalStateException");
    }
}
