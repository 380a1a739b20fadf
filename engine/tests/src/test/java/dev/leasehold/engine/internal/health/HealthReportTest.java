package dev.leasehold.engine.internal.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.EngineHealth;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.world.TestClock;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a readiness probe is told. */
class HealthReportTest {

    private static final long PATIENCE_NANOS = 10_000_000_000L;

    private final TestClock clock = new TestClock(TestClock.Z);
    private final StoreHealth storeHealth = new StoreHealth(clock, PATIENCE_NANOS);
    private boolean unknown;
    private boolean closed;
    private int held = 3;
    private int waiting = 17;

    private EngineHealth health() {
        return health(new HealthReport.Part("billing", storeHealth.failure(), unknown));
    }

    private EngineHealth health(HealthReport.Part... parts) {
        return HealthReport.of(List.of(parts), closed ? "the engine is closed" : null, held, waiting);
    }

    private void failToReachTheDatabase() {
        storeHealth.failed(new LeaseUnavailableException("scripted outage", null));
    }

    @Test
    void engineThatNothingIsWrongWithIsReady() {
        assertThat(health()).isEqualTo(new EngineHealth(true, true, "all is well", 3, 17));
    }

    @Test
    void oneOfSeveralPartitionsInTroubleIsEnoughAndIsNamed() {
        failToReachTheDatabase();

        assertThat(severalPartitions().ready()).isFalse();
        assertThat(severalPartitions().detail())
                .startsWith("partition 'billing~1': dealings")
                .doesNotContain("in trouble");
    }

    @Test
    void ofSeveralPartitionsInTroubleOneSpeaksForTheOthers() {
        failToReachTheDatabase();
        unknown = true;

        assertThat(severalPartitions().detail())
                .startsWith("partition 'billing': the outcome of a write is not known")
                .endsWith("; partitions in trouble: 2 of 2");
    }

    private EngineHealth severalPartitions() {
        return health(
                new HealthReport.Part("billing", null, unknown),
                new HealthReport.Part("billing~1", storeHealth.failure(), false));
    }

    @Test
    void engineThatCannotReachItsDatabaseIsNotReadyAndSaysForHowLong() {
        failToReachTheDatabase();
        clock.advance(12_999_999_999L);

        assertThat(health().ready()).isFalse();
        assertThat(health().detail())
                .isEqualTo("dealings with the database have failed for 12 s, the last with: scripted outage");
    }

    /** A driver that looks for a server says nothing for half a minute, unless it was told otherwise. */
    @Test
    void commandWithoutAnAnswerForAsLongAsAnOperationMayTakeIsTroubleBeforeItHasFailed() {
        storeHealth.begin();
        clock.advance(PATIENCE_NANOS);
        assertThat(health().ready()).isTrue();

        clock.advance(1);
        assertThat(health().ready()).isFalse();
        assertThat(health().detail()).isEqualTo("the database has not answered for 10 s");

        storeHealth.succeeded();
        assertThat(health().ready()).isTrue();
    }

    @Test
    void whatHasFailedBeforeIsToldWhileTheNextOneIsUnderWay() {
        failToReachTheDatabase();
        storeHealth.begin();
        clock.advance(PATIENCE_NANOS + 1);

        assertThat(health().detail()).endsWith("scripted outage");
    }

    @Test
    void engineWithAnUnknownOutcomeIsNotReadyHoweverWellItsDatabaseAnswers() {
        unknown = true;
        assertThat(health().ready()).isFalse();
        assertThat(health().detail()).contains("not known");

        unknown = false;
        assertThat(health().ready()).isTrue();
    }

    @Test
    void unknownOutcomeAndOutageAreToldTogether() {
        unknown = true;
        failToReachTheDatabase();

        assertThat(health().detail()).contains("not known").contains("; ").endsWith("scripted outage");
    }

    @Test
    void closedEngineSaysNothingElse() {
        unknown = true;
        failToReachTheDatabase();
        closed = true;
        held = 0;
        waiting = 0;

        assertThat(health()).isEqualTo(new EngineHealth(false, false, "the engine is closed", 0, 0));
    }

    @Test
    void failureWithoutWordsIsAFailureAllTheSame() {
        storeHealth.failed(null);
        assertThat(health().ready()).isFalse();
        assertThat(health().detail()).endsWith("no cause is known");

        storeHealth.failed(new IllegalStateException());
        assertThat(health().detail()).endsWith("IllegalStateException");
    }
}
