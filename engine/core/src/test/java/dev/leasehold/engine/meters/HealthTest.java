package dev.leasehold.engine.meters;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.EngineHealth;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.byhand.HandClock;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a readiness probe is told. */
class HealthTest {

    private static final long PATIENCE_NANOS = 10_000_000_000L;

    private final HandClock clock = new HandClock(HandClock.Z);
    private final Dealings dealings = new Dealings(clock, PATIENCE_NANOS);
    private final AtomicBoolean inDoubt = new AtomicBoolean();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final AtomicInteger held = new AtomicInteger(3);
    private final AtomicInteger waiting = new AtomicInteger(17);
    private final Health health = new Health(
            List.of(new Health.Part("billing", dealings, inDoubt::get)), this::whyClosed, held::get, waiting::get);

    private String whyClosed() {
        return closed.get() ? "the engine is closed" : null;
    }

    private void failToReachTheDatabase() {
        dealings.failed(new LeaseUnavailableException("scripted outage", null));
    }

    @Test
    void engineThatNothingIsWrongWithIsReady() {
        assertThat(health.now()).isEqualTo(new EngineHealth(true, true, "all is well", 3, 17));
    }

    @Test
    void oneOfSeveralPartitionsInTroubleIsEnoughAndIsNamed() {
        Health several = severalPartitions();
        failToReachTheDatabase();

        assertThat(several.now().ready()).isFalse();
        assertThat(several.now().detail())
                .startsWith("partition 'billing~1': dealings")
                .doesNotContain("in trouble");
    }

    @Test
    void ofSeveralPartitionsInTroubleOneSpeaksForTheOthers() {
        Health several = severalPartitions();
        failToReachTheDatabase();
        inDoubt.set(true);

        assertThat(several.now().detail())
                .startsWith("partition 'billing': the outcome of a write is not known")
                .endsWith("; partitions in trouble: 2 of 2");
    }

    private Health severalPartitions() {
        return new Health(
                List.of(
                        new Health.Part("billing", new Dealings(clock, PATIENCE_NANOS), inDoubt::get),
                        new Health.Part("billing~1", dealings, () -> false)),
                this::whyClosed,
                held::get,
                waiting::get);
    }

    @Test
    void heldLeasesAndWaitersAreThoseOfTheMoment() {
        held.set(4);
        waiting.set(0);

        assertThat(health.now()).isEqualTo(new EngineHealth(true, true, "all is well", 4, 0));
    }

    @Test
    void engineThatCannotReachItsDatabaseIsNotReadyAndSaysForHowLong() {
        failToReachTheDatabase();
        clock.advance(12_999_999_999L);

        assertThat(health.now().ready()).isFalse();
        assertThat(health.now().detail())
                .isEqualTo("dealings with the database have failed for 12 s, the last with: scripted outage");
    }

    @Test
    void itIsReadyAgainAfterTheNextAnswer() {
        failToReachTheDatabase();
        dealings.wentWell();

        assertThat(health.now().ready()).isTrue();
    }

    /** A driver that looks for a server says nothing for half a minute, unless it was told otherwise. */
    @Test
    void commandWithoutAnAnswerForAsLongAsAnOperationMayTakeIsTroubleBeforeItHasFailed() {
        dealings.begin();
        clock.advance(PATIENCE_NANOS);
        assertThat(health.now().ready()).isTrue();

        clock.advance(1);
        assertThat(health.now().ready()).isFalse();
        assertThat(health.now().detail()).isEqualTo("the database has not answered for 10 s");

        dealings.wentWell();
        assertThat(health.now().ready()).isTrue();
    }

    @Test
    void whatHasFailedBeforeIsToldWhileTheNextOneIsUnderWay() {
        failToReachTheDatabase();
        dealings.begin();
        clock.advance(PATIENCE_NANOS + 1);

        assertThat(health.now().detail()).endsWith("scripted outage");
    }

    @Test
    void engineInDoubtIsNotReadyHoweverWellItsDatabaseAnswers() {
        inDoubt.set(true);
        assertThat(health.now().ready()).isFalse();
        assertThat(health.now().detail()).contains("not known");

        inDoubt.set(false);
        assertThat(health.now().ready()).isTrue();
    }

    @Test
    void doubtAndOutageAreToldTogether() {
        inDoubt.set(true);
        failToReachTheDatabase();

        assertThat(health.now().detail()).contains("not known").contains("; ").endsWith("scripted outage");
    }

    @Test
    void closedEngineSaysNothingElse() {
        inDoubt.set(true);
        failToReachTheDatabase();
        closed.set(true);
        held.set(0);
        waiting.set(0);

        assertThat(health.now()).isEqualTo(new EngineHealth(false, false, "the engine is closed", 0, 0));
    }

    @Test
    void failureWithoutWordsIsAFailureAllTheSame() {
        dealings.failed(null);
        assertThat(health.now().ready()).isFalse();
        assertThat(health.now().detail()).endsWith("no cause is known");

        dealings.failed(new IllegalStateException());
        assertThat(health.now().detail()).endsWith("IllegalStateException");
    }
}
