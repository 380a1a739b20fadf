package dev.leasehold.simulator.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.engine.runtime.EngineThread;
import dev.leasehold.simulator.clock.Machine;
import dev.leasehold.simulator.clock.MachineClock;
import dev.leasehold.simulator.conditions.Draws;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.world.Program;
import dev.leasehold.simulator.world.ProgramThread;
import dev.leasehold.simulator.world.StepThread;
import dev.leasehold.simulator.world.Workers;
import dev.leasehold.simulator.world.World;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** An engine that waits a negative time breaks a limit. */
class NegativeWaitTest {

    private static List<Event> play(Consumer<Program> asks) {
        try (Workers workers = new Workers()) {
            World world = new World(workers);
            Program program = world.addHost(new MachineClock(new Machine(0, 0, 1, List.of(new Machine.Rate(0, 0)))), 1)
                    .startProgram();
            program.start("test", () -> asks.accept(program));
            world.run();
            return world.events();
        }
    }

    private static void isNoted(Function<Program, EngineThread> thread) {
        assertThat(play(program -> thread.apply(program).executeAfter(0, () -> {})))
                .isEmpty();
        assertThat(play(program -> thread.apply(program).executeAfter(-1, () -> {})))
                .containsExactly(new Event.Broken(0, 0, "it asked for a wait of -1 ns"));
    }

    @Test
    void ofAThreadItIsNoted() {
        isNoted(program -> new ProgramThread(program, "thread"));
        isNoted(StepThread::new);
        isNoted(program -> new LateThread(program, new Lateness(new Draws(1), 1)));
    }

    @Test
    void ofACallerItIsNoted() {
        assertThat(play(program -> new ProgramRuntime(program, null).await(new CompletableFuture<>(), 0)))
                .isEmpty();
        assertThat(play(program -> new ProgramRuntime(program, null).await(new CompletableFuture<>(), -7)))
                .containsExactly(new Event.Broken(0, 0, "it asked for a wait of -7 ns"));
    }
}
