package dev.leasehold.simulator.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.clock.Machine;
import dev.leasehold.simulator.clock.MachineClock;
import dev.leasehold.simulator.conditions.Draws;
import dev.leasehold.simulator.world.Program;
import dev.leasehold.simulator.world.Workers;
import dev.leasehold.simulator.world.World;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LateThreadTest {

    private static final long MILLI = 1_000_000;
    private static final long LATE = 20 * MILLI;

    private record Done(int task, long atNanos) {}

    private final List<Done> done = new ArrayList<>();

    /** Of a hundred tasks one is due in each millisecond, beginning with the first. */
    private void play(long seed) {
        try (Workers workers = new Workers()) {
            World world = new World(workers);
            Program program = world.addHost(new MachineClock(new Machine(0, 0, 1, List.of(new Machine.Rate(0, 0)))), 1)
                    .startProgram();
            LateThread thread = new LateThread(program, new Lateness(new Draws(seed), LATE));
            program.soon(() -> {
                for (int task = 99; task > 0; task--) {
                    int number = task;
                    thread.executeAfter(task * MILLI, () -> done.add(new Done(number, world.nowNanos())));
                }
                thread.execute(() -> done.add(new Done(0, world.nowNanos())));
            });
            world.run();
        }
    }

    @Test
    void whatIsDueFirstIsDoneFirst() {
        play(1);

        assertThat(done).extracting(Done::task).isSorted().hasSize(100);
    }

    @Test
    void everythingIsDoneWithinTheLatenessAndSomeOfItInTime() {
        play(1);

        assertThat(done)
                .allSatisfy(
                        each -> assertThat(each.atNanos() - each.task() * MILLI).isBetween(0L, LATE));
        assertThat(done)
                .anyMatch(each -> each.atNanos() == each.task() * MILLI)
                .anyMatch(each -> each.atNanos() > each.task() * MILLI + LATE / 2);
    }

    @Test
    void aThreadThatIsStoppedDoesWhatWasHandedInAndNothingThatWasDelayed() {
        try (Workers workers = new Workers()) {
            World world = new World(workers);
            Program program = world.addHost(new MachineClock(new Machine(0, 0, 1, List.of(new Machine.Rate(0, 0)))), 1)
                    .startProgram();
            LateThread thread = new LateThread(program, new Lateness(new Draws(1), LATE));
            program.soon(() -> {
                thread.execute(() -> done.add(new Done(0, world.nowNanos())));
                thread.executeAfter(MILLI, () -> done.add(new Done(1, world.nowNanos())));
                thread.stop();
                thread.execute(() -> done.add(new Done(2, world.nowNanos())));
            });
            world.run();
        }

        assertThat(done).extracting(Done::task).containsExactly(0);
    }
}
