package dev.leasehold.operator.run;

import static dev.leasehold.operator.run.Supervision.Step.ASK;
import static dev.leasehold.operator.run.Supervision.Step.GO_ON;
import static dev.leasehold.operator.run.Supervision.Step.KILL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.operator.run.Supervision.Standing;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SupervisionTest {

    private static final long S = 1_000_000_000;
    private static final long NOT_ASKED = -1;
    private static final long LEAD = Supervision.LEAD_NANOS;

    private final Supervision supervision = new Supervision(5 * S, false);

    private static Standing held(long remainingNanos) {
        return new Standing.Held(remainingNanos);
    }

    private static Standing lost(boolean another) {
        return new Standing.Lost(another);
    }

    @Test
    @DisplayName(
            "A command goes on while more of the validity is left than it needs to end, and the watchdog to see that")
    void goesOnWhileThereIsTime() {
        assertThat(supervision.next(held(5 * S + LEAD + 1), NOT_ASKED)).isEqualTo(GO_ON);
        assertThat(supervision.next(held(5 * S + LEAD), NOT_ASKED)).isEqualTo(ASK);
    }

    @Test
    @DisplayName("A command that was asked has the grace period, also if the lease is renewed meanwhile")
    void isKilledAfterTheGracePeriod() {
        assertThat(supervision.next(held(4 * S), 0)).isEqualTo(GO_ON);
        assertThat(supervision.next(held(20 * S), 5 * S - 1)).isEqualTo(GO_ON);
        assertThat(supervision.next(held(20 * S), 5 * S)).isEqualTo(KILL);
        assertThat(supervision.next(lost(false), 5 * S)).isEqualTo(KILL);
    }

    @Test
    @DisplayName("A command is killed before the validity is over, however little of the grace period it had")
    void isKilledInTheLastMoment() {
        assertThat(supervision.next(held(Supervision.LAST_MOMENT_NANOS + 1), S)).isEqualTo(GO_ON);
        assertThat(supervision.next(held(Supervision.LAST_MOMENT_NANOS), S)).isEqualTo(KILL);
        assertThat(supervision.next(held(Supervision.LAST_MOMENT_NANOS), NOT_ASKED))
                .isEqualTo(KILL);
    }

    @Test
    @DisplayName(
            "A lease that was lost by an order leaves the command its grace period, one that was lost by time does not")
    void lossByTimeKills() {
        assertThat(supervision.next(lost(false), NOT_ASKED)).isEqualTo(ASK);
        assertThat(supervision.next(lost(false), S)).isEqualTo(GO_ON);
        assertThat(supervision.next(lost(true), NOT_ASKED)).isEqualTo(KILL);
        assertThat(supervision.next(lost(true), S)).isEqualTo(KILL);
    }

    @Test
    @DisplayName("A command that is to be killed at a loss is not asked")
    void isNotAsked() {
        Supervision killing = new Supervision(5 * S, true);

        assertThat(killing.next(held(5 * S + LEAD + 1), NOT_ASKED)).isEqualTo(GO_ON);
        assertThat(killing.next(held(5 * S + LEAD), NOT_ASKED)).isEqualTo(KILL);
        assertThat(killing.next(lost(false), NOT_ASKED)).isEqualTo(KILL);
    }
}
