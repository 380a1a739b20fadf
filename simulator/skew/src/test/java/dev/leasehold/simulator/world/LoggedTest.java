package dev.leasehold.simulator.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.clock.Machine;
import dev.leasehold.simulator.clock.MachineClock;
import dev.leasehold.simulator.history.Event;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whatever an engine catches, logs and goes on after is written down, unless such things happen. */
class LoggedTest {

    private static final Logger LOG = LoggerFactory.getLogger(LoggedTest.class);
    private static final RuntimeException FAILURE = new IllegalStateException("it failed");
    private static final Event.Broken BROKEN =
            new Event.Broken(5, 0, "it logs java.lang.IllegalStateException: it failed, and goes on");

    private final Workers workers = new Workers();
    private final Simulation simulation = new Simulation(workers);
    private final SimulatedProcess simulatedProcess = simulation
            .addMachine(new MachineClock(new Machine(0, 0, 1, List.of(new Machine.Rate(0, 0)))), 1)
            .startProcess();

    @AfterEach
    void letTheThreadsGo() {
        workers.close();
    }

    private List<Event> afterAStep(Consumer<Logger> logs) {
        simulatedProcess.at(5, () -> logs.accept(LOG));
        simulation.run();
        return simulation.events();
    }

    @Test
    void ofAStep() {
        assertThat(afterAStep(log -> log.error("{} of {}", 1, 2, FAILURE))).containsExactly(BROKEN);
    }

    @Test
    void ofAThreadAlsoAfterAWait() {
        simulatedProcess.start("thread", () -> {
            simulatedProcess.pause(5);
            LOG.warn("failed", FAILURE);
        });
        simulation.run();

        assertThat(simulation.events()).containsExactly(BROKEN);
    }

    @Test
    void notWhatIsNoWarning() {
        assertThat(afterAStep(log -> log.info("failed", FAILURE))).isEmpty();
    }

    @Test
    void notWhatHasNoException() {
        assertThat(afterAStep(log -> log.error("failed {}", "often"))).isEmpty();
    }

    @Test
    void notWhatHappensInThisWorld() {
        simulation.trouble(IllegalStateException.class::isInstance);

        assertThat(afterAStep(log -> log.error("failed", FAILURE))).isEmpty();
    }

    @Test
    void notTheEndOfTheProgram() {
        assertThat(afterAStep(log -> log.error("failed", ProcessKilled.GONE))).isEmpty();
    }

    @Test
    void notOfAnotherWorld() {
        try (Workers others = new Workers()) {
            Simulation other = new Simulation(others);
            other.at(1, () -> LOG.error("failed", FAILURE));
            other.run();
        }
        LOG.error("failed", FAILURE);

        simulation.run();
        assertThat(simulation.events()).isEmpty();
    }
}
