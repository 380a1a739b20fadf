package dev.leasehold.simulator.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.internal.runtime.EngineThread;
import dev.leasehold.simulator.clock.Machine;
import dev.leasehold.simulator.clock.MachineClock;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.world.SimulatedEngineThread;
import dev.leasehold.simulator.world.SimulatedProcess;
import dev.leasehold.simulator.world.Simulation;
import dev.leasehold.simulator.world.Workers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** An engine that waits a negative time breaks a limit. */
class NegativeWaitTest {

    private static List<Event> play(Consumer<SimulatedProcess> asks) {
        try (Workers workers = new Workers()) {
            Simulation simulation = new Simulation(workers);
            SimulatedProcess simulatedProcess = simulation
                    .addMachine(new MachineClock(new Machine(0, 0, 1, List.of(new Machine.Rate(0, 0)))), 1)
                    .startProcess();
            simulatedProcess.start("test", () -> asks.accept(simulatedProcess));
            simulation.run();
            return simulation.events();
        }
    }

    private static void isNoted(Function<SimulatedProcess, EngineThread> thread) {
        assertThat(play(simulatedProcess -> thread.apply(simulatedProcess).executeAfter(0, () -> {})))
                .isEmpty();
        assertThat(play(simulatedProcess -> thread.apply(simulatedProcess).executeAfter(-1, () -> {})))
                .containsExactly(new Event.Broken(0, 0, "it asked for a wait of -1 ns"));
    }

    @Test
    void ofAThreadItIsNoted() {
        isNoted(simulatedProcess -> SimulatedEngineThread.waiting(simulatedProcess, "thread"));
        isNoted(SimulatedEngineThread::stepping);
        isNoted(simulatedProcess -> SimulatedEngineThread.delayed(simulatedProcess, () -> 1));
    }

    @Test
    void ofACallerItIsNoted() {
        assertThat(play(simulatedProcess ->
                        new ProcessRuntime(simulatedProcess, null).await(new CompletableFuture<>(), 0)))
                .isEmpty();
        assertThat(play(simulatedProcess ->
                        new ProcessRuntime(simulatedProcess, null).await(new CompletableFuture<>(), -7)))
                .containsExactly(new Event.Broken(0, 0, "it asked for a wait of -7 ns"));
    }
}
