package dev.leasehold.simulator.run;

import dev.leasehold.engine.LeaseException;
import dev.leasehold.simulator.clock.Machine;
import dev.leasehold.simulator.clock.MachineClock;
import dev.leasehold.simulator.conditions.SeededRandom;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Faults;
import dev.leasehold.simulator.plan.Command;
import dev.leasehold.simulator.plan.History;
import dev.leasehold.simulator.plan.Plan;
import dev.leasehold.simulator.plan.Setting;
import dev.leasehold.simulator.store.SimulatedDatabase;
import dev.leasehold.simulator.world.SimulatedMachine;
import dev.leasehold.simulator.world.SimulatedNetwork;
import dev.leasehold.simulator.world.Simulation;
import dev.leasehold.simulator.world.Workers;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Everything that takes part in one history. */
final class Stage {

    /** A call of a change stream returns after that long where nothing changes. Shorter ones make the same history with more steps. */
    private static final long WATCH_NANOS = 5_000_000_000L;

    private final Plan plan;
    private final EngineAssembly assembly;
    private final Simulation simulation;
    private final SimulatedNetwork simulatedNetwork;
    private final SimulatedDatabase database;
    private final Tenures tenures;
    private final Calls calls;
    private final List<MachineClock> clocks = new ArrayList<>();
    private final List<@Nullable Service> services = new ArrayList<>();
    private final List<Service> all = new ArrayList<>();
    private boolean healed;

    Stage(Plan plan, Workers workers, EngineAssembly assembly) {
        this.plan = plan;
        this.assembly = assembly;
        this.simulation = new Simulation(workers);
        this.simulation.trouble(LeaseException.class::isInstance);
        this.simulatedNetwork = new SimulatedNetwork(simulation, plan.setting().network());
        this.database = new SimulatedDatabase(
                simulation,
                simulatedNetwork,
                plan.setting().database(),
                plan.setting().commandNanos(),
                plan.seed(),
                WATCH_NANOS);
        this.tenures = new Tenures(plan.setting().leases());
        this.calls = new Calls(simulation);
    }

    /** Plays the plan from its beginning to its end. */
    History play() {
        for (Machine machine : plan.machines()) {
            addHost(new MachineClock(machine));
        }
        Players players = new Players(this);
        for (Command command : plan.commands()) {
            simulation.at(command.atNanos(), () -> players.play(command));
        }
        simulation.at(plan.setting().lengthNanos(), new Healing(this)::begin);
        simulation.run();
        return new History(plan, simulation.events(), clocks, simulation.steps());
    }

    private void addHost(MachineClock clock) {
        clocks.add(clock);
        SimulatedMachine simulatedMachine = simulation.addHost(clock, plan.seed() + clocks.size());
        services.add(null);
        simulatedMachine.onCrash(downNanos -> crash(simulatedMachine, downNanos, simulatedMachine.monotonicNanos()));
        startService(simulatedMachine);
    }

    private void startService(SimulatedMachine simulatedMachine) {
        prepareService(simulatedMachine).start(Service.instanceOf(simulatedMachine.number()));
    }

    /** A service in the place of the one that is there, which may still be about to end. It is still to be started. */
    Service prepareService(SimulatedMachine simulatedMachine) {
        Service service = new Service(this, simulatedMachine.startProgram());
        services.set(simulatedMachine.number(), service);
        all.add(service);
        return service;
    }

    /** The machine loses everything, and starts again later unless the healing is first. */
    void crash(SimulatedMachine simulatedMachine, long downNanos, long monotonicNanos) {
        Service killed = services.get(simulatedMachine.number());
        if (killed == null || healed) {
            return;
        }
        services.set(simulatedMachine.number(), null);
        simulation.record(new Event.Fault(
                simulation.nowNanos(), simulatedMachine.number(), Faults.CRASH, simulation.nowNanos() + downNanos));
        for (Service service : all) {
            if (service.simulatedProcess().simulatedMachine() == simulatedMachine && service.isUp()) {
                simulation.record(new Event.Stopped(
                        simulation.nowNanos(),
                        simulatedMachine.number(),
                        service.simulatedProcess().incarnation(),
                        true));
            }
        }
        simulatedMachine.crash();
        simulation.after(downNanos, () -> {
            if (!healed && services.get(simulatedMachine.number()) == null) {
                simulatedMachine.clock().setMonotonic(simulation.nowNanos(), monotonicNanos);
                startService(simulatedMachine);
            }
        });
    }

    /** How late the threads of handles are on a machine; null for never. */
    @Nullable Lateness lateness(SimulatedMachine simulatedMachine) {
        Long lateNanos = plan.setting().threadLateNanos();
        boolean isObservers = simulatedMachine.number() == plan.machines().size() - 1;
        return lateNanos == null || isObservers
                ? null
                : new Lateness(
                        new SeededRandom(plan.seed() ^ simulation.nowNanos() + simulatedMachine.number()), lateNanos);
    }

    void healed() {
        healed = true;
    }

    EngineAssembly assembly() {
        return assembly;
    }

    Plan plan() {
        return plan;
    }

    Setting setting() {
        return plan.setting();
    }

    Simulation simulation() {
        return simulation;
    }

    SimulatedNetwork simulatedNetwork() {
        return simulatedNetwork;
    }

    SimulatedDatabase database() {
        return database;
    }

    Tenures tenures() {
        return tenures;
    }

    Calls calls() {
        return calls;
    }

    /** All that were ever there. */
    List<Service> services() {
        return all;
    }

    /** The service of a machine; null while it is down. */
    @Nullable Service service(int machine) {
        return services.get(machine);
    }
}
