package dev.leasehold.engine.handle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.engine.byhand.HandClock;
import dev.leasehold.engine.byhand.HandRuntime;
import dev.leasehold.engine.handle.Agenda.Alarm;
import dev.leasehold.engine.time.StampClock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the thread of the handles has yet to do, and what is left of that which it need not do any more. */
class AgendaTest {

    private static final long SECOND = 1_000_000_000;
    private static final long YEAR = 365 * 24 * 3600 * SECOND;

    private final HandClock source = new HandClock(HandClock.Z);
    private final HandRuntime runtime = new HandRuntime(source);
    private final StampClock clock = new StampClock(source);
    private final Agenda agenda = new Agenda("billing", runtime.startThread("handles"), clock, () -> {});
    private final List<String> rung = new ArrayList<>();

    private Alarm set(long inNanos, String name) {
        return agenda.at(clock.nowNanos() + inNanos, () -> rung.add(name));
    }

    @Test
    void longWaitsThatEndedEarlyLeaveNothingBehind() {
        for (int i = 0; i < 100; i++) {
            Alarm far = set(YEAR, "far");
            Alarm near = set(SECOND, "near");
            agenda.cancel(far);
            agenda.cancel(near);
            runtime.runFor(2 * SECOND);
        }

        assertThat(runtime.tasksWaiting()).isLessThan(3);
        assertThat(rung).isEmpty();
    }

    @Test
    void alarmForWhichTheThreadHadNoRoomRingsWithTheNext() {
        Error noMemory = new InternalError("out of memory");
        runtime.throwAtNextDelayed(noMemory);
        assertThatThrownBy(() -> set(SECOND, "first")).isSameAs(noMemory);
        set(2 * SECOND, "second");

        runtime.runFor(10 * SECOND);

        assertThat(rung).containsExactly("first", "second");
    }

    @Test
    void alarmsRingInTheirOrderWhateverWasTakenBack() {
        Alarm never = set(5 * SECOND, "never");
        set(7 * SECOND, "third");
        set(SECOND, "first");
        set(6 * SECOND, "second");
        agenda.cancel(never);
        runtime.runFor(SECOND);
        assertThat(rung).containsExactly("first");
        set(10 * SECOND, "fourth");

        runtime.runFor(YEAR);

        assertThat(rung).containsExactly("first", "second", "third", "fourth");
        assertThat(runtime.tasksWaiting()).isZero();
    }
}
