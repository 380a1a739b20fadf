package dev.leasehold.simulator.run;

import dev.leasehold.simulator.plan.Action;
import dev.leasehold.simulator.plan.Command;
import dev.leasehold.simulator.world.SimulatedMachine;

/** Does what commands say: some befall machines and the database, the others are asked of the engine on a machine. */
final class Players {

    private final Stage stage;
    private final Mishaps mishaps;
    private final Requests requests;
    private final Gates gates;
    private final Aims aims;

    Players(Stage stage) {
        this.stage = stage;
        this.mishaps = new Mishaps(stage);
        this.requests = new Requests(stage);
        this.gates = new Gates(stage);
        this.aims = new Aims(stage, requests, gates);
    }

    void play(Command command) {
        SimulatedMachine simulatedMachine = stage.simulation().hosts().get(command.machine());
        simulatedMachine.seededRandom().restart(command.seed());
        if (command.fault() != null) {
            simulatedMachine.await(command.fault());
        }
        if (mishaps.befall(simulatedMachine, command.action())) {
            return;
        }
        Service service = stage.service(command.machine());
        if (service != null) {
            service.act(command.action().getClass().getSimpleName(), engine -> {
                Action action = command.action();
                if (action instanceof Action.Gate gate) {
                    gates.run(service, engine, gate);
                } else if (action instanceof Action.Aim aim) {
                    aims.run(service, engine, aim);
                } else {
                    requests.ask(service, engine, action);
                }
            });
        }
    }
}
