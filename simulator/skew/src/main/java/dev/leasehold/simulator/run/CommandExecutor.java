package dev.leasehold.simulator.run;

import dev.leasehold.simulator.plan.Action;
import dev.leasehold.simulator.plan.Command;
import dev.leasehold.simulator.world.SimulatedMachine;

/** Executes commands: some are faults of machines and the database, the others calls of the engine on a machine. */
final class CommandExecutor {

    private final SimulationRun run;

    CommandExecutor(SimulationRun run) {
        this.run = run;
    }

    void execute(Command command) {
        SimulatedMachine machine = run.simulation().machines().get(command.machine());
        machine.seededRandom().restart(command.seed());
        if (command.fault() != null) {
            machine.await(command.fault());
        }
        Action action = command.action();
        Service service = run.service(command.machine());
        if (!new FaultInjector(run, machine).handlers().handle(action) && service != null) {
            service.act(action.getClass().getSimpleName(), () -> service.execute(action));
        }
    }
}
