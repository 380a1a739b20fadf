package dev.leasehold.simulator.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.internal.runtime.EngineThread;
import dev.leasehold.simulator.clock.Machine;
import dev.leasehold.simulator.clock.MachineClock;
import dev.leasehold.simulator.conditions.SeededRandom;
import dev.leasehold.simulator.world.SimulatedEngineThread;
import dev.leasehold.simulator.world.SimulatedProcess;
import dev.leasehold.simulator.world.Simulation;
import dev.leasehold.simulator.world.Workers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

class DelayedThreadTest {

    private static final long MILLI = 1_000_000;
    private static final long LATE = 20 * MILLI;

    private record Done(int task, long atNanos) {}

    private final List<Done> done = new ArrayList<>();

    private static LongSupplier delays(long seed) {
        SeededRandom random = new SeededRandom(seed);
        return () -> Math.max(0, random.upTo(2 * LATE) - LATE);
    }

    /** Of a hundred tasks one is due in each millisecond, beginning with the first. */
    private void play(long seed) {
        try (Workers workers = new Workers()) {
            Simulation simulation = new Simulation(workers);
            SimulatedProcess simulatedProcess = simulation
                    .addMachine(new MachineClock(new Machine(0, 0, 1, List.of(new Machine.Rate(0, 0)))), 1)
                    .startProcess();
            EngineThread thread = SimulatedEngineThread.delayed(simulatedProcess, delays(seed));
            simulatedProcess.soon(() -> {
                for (int task = 99; task > 0; task--) {
                    int number = task;
                    thread.executeAfter(task * MILLI, () -> done.add(new Done(number, simulation.nowNanos())));
                }
                thread.execute(() -> done.add(new Done(0, simulation.nowNanos())));
            });
            simulation.run();
        }
    }

    @Test
    void whatIsDueFirstIsDoneFirst() {
        play(1);

        assertThat(done).extracting(Done::task).isSorted().hasSize(100);
    }

    @Test
    void everythingIsDoneWithinTheDelayAndSomeOfItInTime() {
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
            Simulation simulation = new Simulation(workers);
            SimulatedProcess simulatedProcess = simulation
                    .addMachine(new MachineClock(new Machine(0, 0, 1, List.of(new Machine.Rate(0, 0)))), 1)
                    .startProcess();
            EngineThread thread = SimulatedEngineThread.delayed(simulatedProcess, delays(1));
            simulatedProcess.soon(() -> {
                thread.execute(() -> done.add(new Done(0, simulation.nowNanos())));
                thread.executeAfter(MILLI, () -> done.add(new Done(1, simulation.nowNanos())));
                thread.stop();
                thread.execute(() -> done.add(new Done(2, simulation.nowNanos())));
            });
            simulation.run();
        }

        assertThat(done).extracting(Done::task).containsExactly(0);
    }

    /** Plays tasks on a thread that may wait, which is busy for the first three milliseconds. */
    private void playBehindAWait(BiConsumer<EngineThread, Simulation> tasks) {
        try (Workers workers = new Workers()) {
            Simulation simulation = new Simulation(workers);
            SimulatedProcess simulatedProcess = simulation
                    .addMachine(new MachineClock(new Machine(0, 0, 1, List.of(new Machine.Rate(0, 0)))), 1)
                    .startProcess();
            EngineThread thread = SimulatedEngineThread.waiting(simulatedProcess, "thread");
            simulatedProcess.soon(() -> {
                thread.execute(() -> simulatedProcess.await(new CompletableFuture<>(), 3 * MILLI));
                tasks.accept(thread, simulation);
            });
            simulation.run();
        }
    }

    @Test
    void whatHasBecomeDueGoesBeforeWhatWasSubmittedAsOnTheRealThread() {
        playBehindAWait((thread, simulation) -> {
            thread.execute(() -> done.add(new Done(2, simulation.nowNanos())));
            thread.executeAfter(MILLI, () -> done.add(new Done(1, simulation.nowNanos())));
        });

        assertThat(done).containsExactly(new Done(1, 3 * MILLI), new Done(2, 3 * MILLI));
    }

    @Test
    void oneThatWasSubmittedIsPassedByOnlyOneOfThoseThatBecameDueSinceAsOnTheRealThread() {
        playBehindAWait((thread, simulation) -> {
            thread.execute(() -> done.add(new Done(2, simulation.nowNanos())));
            thread.executeAfter(MILLI, () -> {
                done.add(new Done(1, simulation.nowNanos()));
                thread.execute(() -> done.add(new Done(4, simulation.nowNanos())));
            });
            thread.executeAfter(2 * MILLI, () -> done.add(new Done(3, simulation.nowNanos())));
        });

        assertThat(done).extracting(Done::task).containsExactly(1, 2, 3, 4);
    }

    @Test
    void whatIsDueTogetherIsNotPartedByWhatItSubmitsAsOnTheRealThread() {
        playBehindAWait((thread, simulation) -> {
            thread.executeAfter(MILLI, () -> {
                done.add(new Done(1, simulation.nowNanos()));
                thread.execute(() -> done.add(new Done(3, simulation.nowNanos())));
            });
            thread.executeAfter(2 * MILLI, () -> done.add(new Done(2, simulation.nowNanos())));
        });

        assertThat(done).extracting(Done::task).containsExactly(1, 2, 3);
    }
}
