package dev.leasehold.simulator.run;

import dev.leasehold.engine.LeaseException;
import dev.leasehold.simulator.clock.Machine;
import dev.leasehold.simulator.clock.MachineClock;
import dev.leasehold.simulator.conditions.SeededRandom;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Faults;
import dev.leasehold.simulator.history.WriterName;
import dev.leasehold.simulator.plan.Action;
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
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** One history while it is played: its machines, services and database, and what they share. */
final class SimulationRun {

    /** A call of a change stream returns after that long where nothing changes. Shorter ones make the same history with more steps. */
    private static final long WATCH_NANOS = 5_000_000_000L;

    private final Plan plan;
    private final EngineAssembly assembly;
    private final Simulation simulation;
    private final SimulatedNetwork network;
    private final SimulatedDatabase database;
    private final GrantedTenures tenures = new GrantedTenures();
    private final CallRecorder calls = new CallRecorder(this);
    private final List<MachineClock> clocks = new ArrayList<>();
    /** The current one of each machine; null while that is down. */
    private final List<@Nullable Service> current = new ArrayList<>();

    private final List<Service> services = new ArrayList<>();
    private boolean quiescent;
    private long values;

    SimulationRun(Plan plan, Workers workers, EngineAssembly assembly) {
        this.plan = plan;
        this.assembly = assembly;
        this.simulation = new Simulation(workers);
        this.simulation.trouble(LeaseException.class::isInstance);
        this.network = new SimulatedNetwork(simulation, plan.setting().network());
        this.database = new SimulatedDatabase(
                simulation,
                network,
                plan.setting().database(),
                plan.setting().commandNanos(),
                plan.seed(),
                WATCH_NANOS);
    }

    /** Plays the plan from its beginning to its end. */
    History play() {
        for (Machine machine : plan.machines()) {
            addMachine(new MachineClock(machine));
        }
        for (Command command : plan.commands()) {
            simulation.at(command.atNanos(), () -> execute(command));
        }
        simulation.at(plan.setting().lengthNanos(), new QuiescencePhase(this)::begin);
        simulation.run();
        return new History(plan, simulation.events(), clocks, simulation.steps());
    }

    private void addMachine(MachineClock clock) {
        clocks.add(clock);
        current.add(null);
        SimulatedMachine machine = simulation.addMachine(clock, plan.seed() + clocks.size());
        machine.onCrash(downNanos -> crash(machine, downNanos, machine.monotonicNanos()));
        startService(machine);
    }

    /** Some commands are faults of machines and the database, the others calls of the engine on a machine. */
    private void execute(Command command) {
        SimulatedMachine machine = simulation.machines().get(command.machine());
        machine.seededRandom().restart(command.seed());
        if (command.fault() != null) {
            machine.await(command.fault());
        }
        Action action = command.action();
        Service service = service(command.machine());
        if (!new FaultInjector(this, machine).handlers().handle(action) && service != null) {
            service.act(action.getClass().getSimpleName(), () -> service.execute(action));
        }
    }

    private void startService(SimulatedMachine machine) {
        prepareService(machine).start(WriterName.instance(machine.number()));
    }

    /** A service in the place of the one that is there, which may still be about to end. It is still to be started. */
    Service prepareService(SimulatedMachine machine) {
        Service service = new Service(this, machine.startProcess());
        current.set(machine.number(), service);
        services.add(service);
        return service;
    }

    /** The machine loses everything, and starts again later unless the faults are over before. */
    void crash(SimulatedMachine machine, long downNanos, long monotonicNanos) {
        if (quiescent || current.set(machine.number(), null) == null) {
            return;
        }
        record(nowNanos -> new Event.Fault(nowNanos, machine.number(), Faults.CRASH, nowNanos + downNanos));
        for (Service service : services) {
            if (service.process().simulatedMachine() == machine && service.isUp()) {
                service.recordStop(true);
            }
        }
        machine.crash();
        simulation.after(downNanos, () -> {
            if (!quiescent && current.get(machine.number()) == null) {
                machine.clock().setMonotonic(simulation.nowNanos(), monotonicNanos);
                startService(machine);
            }
        });
    }

    /** How late the threads of handles are on a machine: half of the time by up to the setting. Null for never. */
    @Nullable LongSupplier threadDelayNanos(SimulatedMachine machine) {
        Long mostNanos = plan.setting().threadLateNanos();
        boolean isObservers = machine.number() == plan.machines().size() - 1;
        if (mostNanos == null || isObservers) {
            return null;
        }
        // A stream of its own, so that all other draws are the same with and without it.
        SeededRandom random = new SeededRandom(plan.seed() ^ simulation.nowNanos() + machine.number());
        return () -> Math.max(0, random.upTo(2 * mostNanos) - mostNanos);
    }

    void endFaults() {
        quiescent = true;
        network.heal();
        database.heal();
        simulation.machines().forEach(SimulatedMachine::heal);
        record(Event.Healed::new);
    }

    /** What a caller's transaction writes, different each time. */
    long nextValue() {
        return values++;
    }

    long nowNanos() {
        return simulation.nowNanos();
    }

    void record(LongFunction<Event> event) {
        simulation.record(event.apply(simulation.nowNanos()));
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

    SimulatedDatabase database() {
        return database;
    }

    GrantedTenures tenures() {
        return tenures;
    }

    CallRecorder calls() {
        return calls;
    }

    /** All that were ever there. */
    List<Service> services() {
        return services;
    }

    /** The service of a machine; null while it is down. */
    @Nullable Service service(int machine) {
        return current.get(machine);
    }
}
