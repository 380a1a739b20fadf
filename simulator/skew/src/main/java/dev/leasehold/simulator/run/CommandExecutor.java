package dev.leasehold.simulator.run;

import dev.leasehold.simulator.plan.Action;
import dev.leasehold.simulator.plan.Command;
import dev.leasehold.simulator.world.SimulatedMachine;

/** Executes commands: some are faults of machines and the database, the others calls of the engine on a machine. */
final class CommandExecutor {

    private final SimulationRun run;
    private final FaultInjector faults;
    private final ActionTable<Service> calls;

    CommandExecutor(SimulationRun run) {
        this.run = run;
        this.faults = new FaultInjector(run);
        EngineCalls engine = new EngineCalls(run);
        GatedTransactions gates = new GatedTransactions(run);
        Elections elections = new Elections(run);
        this.calls = new ActionTable<Service>()
                .on(Action.Claim.class, engine::claim)
                .on(Action.TakeOver.class, engine::takeOver)
                .on(Action.Extend.class, engine::extend)
                .on(Action.Release.class, engine::release)
                .on(Action.Expire.class, engine::expire)
                .on(Action.Refresh.class, engine::refresh)
                .on(Action.ListAll.class, engine::list)
                .on(Action.Housekeeping.class, engine::housekeeping)
                .on(Action.Acquire.class, (service, acquire) -> {
                    if (acquire.campaigns()) {
                        elections.run(service, acquire);
                    } else {
                        engine.acquire(service, acquire);
                    }
                })
                .on(Action.ForceExpire.class, engine::forceExpire)
                .on(Action.Pin.class, engine::pin)
                .on(Action.Unpin.class, engine::unpin)
                .on(Action.Restart.class, engine::restart)
                .on(Action.CloneWriter.class, engine::cloneWriter)
                .on(Action.Gate.class, gates::run)
                .on(Action.Aim.class, new BoundaryProbe(run, engine, gates)::aim);
    }

    void execute(Command command) {
        SimulatedMachine machine = run.simulation().hosts().get(command.machine());
        machine.seededRandom().restart(command.seed());
        if (command.fault() != null) {
            machine.await(command.fault());
        }
        Action action = command.action();
        Service service = run.service(command.machine());
        if (faults.table().has(action)) {
            faults.table().run(machine, action);
        } else if (service != null) {
            service.act(action.getClass().getSimpleName(), () -> calls.run(service, action));
        }
    }
}
