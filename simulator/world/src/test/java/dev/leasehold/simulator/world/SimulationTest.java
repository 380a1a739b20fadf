package dev.leasehold.simulator.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.simulator.clock.Machine;
import dev.leasehold.simulator.clock.MachineClock;
import dev.leasehold.simulator.history.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SimulationTest {

    private static final long SECOND = 1_000_000_000;

    private final Workers workers = new Workers();
    private final Simulation simulation = new Simulation(workers);
    private final List<String> seen = new ArrayList<>();

    @AfterEach
    void letTheThreadsGo() {
        workers.close();
    }

    private SimulatedMachine host(long ppb) {
        return simulation.addMachine(new MachineClock(new Machine(0, 0, 1, List.of(new Machine.Rate(0, ppb)))), 1);
    }

    private void see(String what) {
        seen.add(what + "@" + simulation.nowNanos());
    }

    private static void pause(SimulatedProcess simulatedProcess, long nanos) {
        simulatedProcess.pause(nanos);
    }

    @Test
    void whatHappensAtTheSameInstantHappensInTheOrderInWhichItWasAskedFor() {
        simulation.at(5, () -> see("second"));
        simulation.at(3, () -> see("first"));
        simulation.at(5, () -> see("third"));

        simulation.run();

        assertThat(seen).containsExactly("first@3", "second@5", "third@5");
    }

    @Test
    void whatIsAskedForAtAnInstantComesBehindWhatWasAskedForBefore() {
        simulation.at(5, () -> {
            see("first");
            simulation.at(5, () -> see("third"));
            simulation.at(6, () -> see("last"));
            simulation.at(4, () -> see("too late for its time"));
        });
        simulation.at(5, () -> see("second"));

        simulation.run();

        assertThat(seen).containsExactly("first@5", "second@5", "third@5", "too late for its time@5", "last@6");
    }

    @Test
    void whatWaitsOnAClockThatIsStoppedMeanwhileWaitsForLonger() {
        SimulatedMachine simulatedMachine = host(0);
        SimulatedProcess simulatedProcess = simulatedMachine.startProcess();
        simulatedProcess.start("waits", () -> {
            pause(simulatedProcess, 10);
            see("waited");
        });
        simulation.at(4, () -> simulatedMachine.clock().stop(4, 100));

        simulation.run();

        assertThat(seen).containsExactly("waited@106");
    }

    @Test
    void programsWaitOnTheirOwnClocks() {
        SimulatedProcess fast = host(1_000_000).startProcess();
        SimulatedProcess slow = host(-1_000_000).startProcess();
        slow.start("slow", () -> {
            pause(slow, 999_000_000);
            see("slow");
        });
        fast.start("fast", () -> {
            pause(fast, 1_001_000_000);
            see("fast");
        });

        simulation.run();

        assertThat(seen).containsExactly("slow@1000000000", "fast@1000000000");
    }

    @Test
    void whoeverWaitsForAFutureGoesOnWhenItIsComplete() {
        SimulatedProcess simulatedProcess = host(0).startProcess();
        CompletableFuture<Void> future = new CompletableFuture<>();
        simulatedProcess.start("waits", () -> see("complete " + simulatedProcess.await(future, SECOND)));
        simulatedProcess.start("tires", () -> see("complete " + simulatedProcess.await(new CompletableFuture<>(), 9)));
        simulation.at(7, () -> future.complete(null));

        simulation.run();

        assertThat(seen).containsExactly("complete true@7", "complete false@9");
    }

    @Test
    void aMachineThatSleepsMakesNoStepAndGoesOnInOrder() {
        SimulatedMachine simulatedMachine = host(0);
        SimulatedProcess simulatedProcess = simulatedMachine.startProcess();
        simulatedProcess.start("actor", () -> {
            pause(simulatedProcess, 5);
            see("actor");
        });
        simulatedProcess.afterLocal(6, () -> see("step"));
        simulation.at(1, () -> simulatedMachine.sleep(100));

        simulation.run();

        assertThat(seen).containsExactly("actor@100", "step@100");
    }

    @Test
    void aMachineThatIsHealedInItsSleepWakesWithItsClock() {
        SimulatedMachine simulatedMachine = host(0);
        SimulatedProcess simulatedProcess = simulatedMachine.startProcess();
        simulatedProcess.afterLocal(6, () -> see("step"));
        simulation.at(1, () -> {
            simulatedMachine.clock().stop(1, 100);
            simulatedMachine.sleep(100);
        });
        simulation.at(50, simulatedMachine::heal);

        simulation.run();

        assertThat(seen).containsExactly("step@55");
    }

    @Test
    void aCrashEndsWhatIsUnderWayAndNothingOfItHasAnEffectAnyMore() {
        SimulatedMachine simulatedMachine = host(0);
        SimulatedProcess simulatedProcess = simulatedMachine.startProcess();
        simulatedProcess.start("actor", () -> {
            try {
                pause(simulatedProcess, 10);
                see("never");
            } finally {
                simulatedProcess.soon(() -> see("nor this"));
            }
        });
        simulatedProcess.afterLocal(20, () -> see("nor that"));
        simulation.at(5, simulatedMachine::crash);
        simulation.at(30, () -> see("end"));

        simulation.run();

        assertThat(seen).containsExactly("end@30");
    }

    @Test
    void aProgramThatCrashesItselfMakesNoFurtherStep() {
        SimulatedMachine simulatedMachine = host(0);
        SimulatedProcess simulatedProcess = simulatedMachine.startProcess();
        simulatedProcess.start("actor", () -> {
            simulatedMachine.crash();
            pause(simulatedProcess, 1);
            see("never");
        });

        simulation.run();

        assertThat(seen).isEmpty();
    }

    @Test
    void theEndUnwindsWhatStillWaits() {
        SimulatedProcess simulatedProcess = host(0).startProcess();
        List<String> unwound = new ArrayList<>();
        simulatedProcess.start("waits", () -> {
            try {
                pause(simulatedProcess, 10 * SECOND);
            } finally {
                unwound.add("waits");
            }
        });
        simulation.at(SECOND, simulation::end);

        simulation.run();

        assertThat(unwound).containsExactly("waits");
        assertThat(simulation.nowNanos()).isEqualTo(SECOND);
    }

    @Test
    void whatRunsInCirclesIsStopped() {
        SimulatedProcess simulatedProcess = host(0).startProcess();
        simulatedProcess.start("circles", () -> {
            while (true) {
                simulatedProcess.await(new CompletableFuture<>(), 0);
            }
        });

        simulation.run();

        assertThat(simulation.events()).anyMatch(event -> event instanceof Event.Exceeded);
    }

    @Test
    void aStepThatWaitsIsFoundOut() {
        SimulatedProcess simulatedProcess = host(0).startProcess();
        simulatedProcess.soon(() -> pause(simulatedProcess, 1));

        simulation.run();

        assertThat(simulation.events()).anyMatch(event -> event instanceof Event.Broken);
    }

    @Test
    void aFailureOfTheWorldItselfIsNoFinding() {
        simulation.at(1, () -> {
            throw new IllegalArgumentException("of the simulator");
        });

        assertThatThrownBy(simulation::run).hasRootCauseMessage("of the simulator");
    }

    @Test
    void aStrangerCannotWait() {
        SimulatedProcess simulatedProcess = host(0).startProcess();

        assertThatThrownBy(() -> pause(simulatedProcess, 1)).hasMessageContaining("none of the process's");
    }

    @Test
    void theThreadsAreUsedAgain() {
        for (int i = 0; i < 3; i++) {
            Simulation next = new Simulation(workers);
            SimulatedProcess simulatedProcess = next.addMachine(new MachineClock(new Machine(0, 0, 1, List.of())), 1)
                    .startProcess();
            simulatedProcess.start("first", () -> pause(simulatedProcess, 2));
            simulatedProcess.start("second", () -> pause(simulatedProcess, 1));
            next.run();
            assertThat(next.nowNanos()).isEqualTo(2);
        }
    }
}
