package dev.leasehold.engine.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.engine.internal.eventloop.EventLoop;
import dev.leasehold.engine.internal.eventloop.EventLoop.Timer;
import dev.leasehold.engine.internal.time.StampClock;
import dev.leasehold.engine.world.SteppedRuntime;
import dev.leasehold.engine.world.TestClock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the thread of the handles has yet to do, and what is left of that which it need not do any more. */
class EventLoopTest {

    private static final long SECOND = 1_000_000_000;
    private static final long YEAR = 365 * 24 * 3600 * SECOND;

    private final TestClock source = new TestClock(TestClock.Z);
    private final SteppedRuntime runtime = new SteppedRuntime(source);
    private final StampClock clock = new StampClock(source);
    private final EventLoop loop = new EventLoop("billing", runtime.startThread("handles"), clock, () -> {});
    private final List<String> rung = new ArrayList<>();

    private Timer set(long inNanos, String name) {
        return loop.at(clock.nowNanos() + inNanos, () -> rung.add(name));
    }

    @Test
    void longWaitsThatEndedEarlyLeaveNothingBehind() {
        for (int i = 0; i < 100; i++) {
            Timer far = set(YEAR, "far");
            Timer near = set(SECOND, "near");
            loop.cancel(far);
            loop.cancel(near);
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
        Timer never = set(5 * SECOND, "never");
        set(7 * SECOND, "third");
        set(SECOND, "first");
        set(6 * SECOND, "second");
        loop.cancel(never);
        runtime.runFor(SECOND);
        assertThat(rung).containsExactly("first");
        set(10 * SECOND, "fourth");

        runtime.runFor(YEAR);

        assertThat(rung).containsExactly("first", "second", "third", "fourth");
        assertThat(runtime.tasksWaiting()).isZero();
    }
}
