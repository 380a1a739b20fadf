package dev.leasehold.simulator.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulator.clock.Machine;
import dev.leasehold.simulator.clock.MachineClock;
import dev.leasehold.simulator.conditions.MessageFault;
import dev.leasehold.simulator.conditions.NetworkConditions;
import dev.leasehold.simulator.history.Event;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SimulatedNetworkTest {

    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000_000_000;
    private static final long WAY = 10 * MILLI;

    private final Workers workers = new Workers();
    private final Simulation simulation = new Simulation(workers);
    private final SimulatedNetwork simulatedNetwork =
            new SimulatedNetwork(simulation, new NetworkConditions(WAY, 0, 0, 0, 0, 0, 0, 0, 0));
    private final SimulatedMachine simulatedMachine =
            simulation.addMachine(new MachineClock(new Machine(0, 0, 1, List.of(new Machine.Rate(0, 0)))), 1);

    @AfterEach
    void letTheThreadsGo() {
        workers.close();
    }

    private List<Event> exchange(MessageFault.Kind kind) {
        simulatedMachine.await(new MessageFault(kind, 0, SECOND));
        SimulatedProcess client = simulatedMachine.startProcess();
        client.start(
                "client", () -> simulatedNetwork.exchange(client, "write", 10 * SECOND, answer -> answer.give("done")));
        simulation.run();
        return simulation.events();
    }

    private static Stream<Event.Fault> faults(List<Event> events) {
        return events.stream().filter(Event.Fault.class::isInstance).map(Event.Fault.class::cast);
    }

    @Test
    void aPauseIsOnRecordFromTheInstantAtWhichTheMachineStops() {
        assertThat(faults(exchange(MessageFault.Kind.PAUSE_WHEN_SENT)))
                .containsExactly(new Event.Fault(0, 0, "PAUSE_WHEN_SENT", SECOND));
    }

    @Test
    void aPauseWhenSomethingIsDoneIsOnRecordFromThen() {
        assertThat(faults(exchange(MessageFault.Kind.PAUSE_WHEN_DONE)))
                .containsExactly(new Event.Fault(WAY, 0, "PAUSE_WHEN_DONE", WAY + SECOND));
    }

    @Test
    void aPauseThatWouldComeAfterTheHealingDoesNot() {
        simulation.at(WAY - 1, simulatedNetwork::heal);
        assertThat(faults(exchange(MessageFault.Kind.PAUSE_WHEN_DONE))).isEmpty();
    }
}
