package dev.leasehold.simulator.run;

import dev.leasehold.engine.LeaseException;
import dev.leasehold.simulator.clock.Machine;
import dev.leasehold.simulator.clock.MachineClock;
import dev.leasehold.simulator.conditions.Draws;
import dev.leasehold.simulator.history.Event;
import dev.leasehold.simulator.history.Faults;
import dev.leasehold.simulator.plan.Command;
import dev.leasehold.simulator.plan.History;
import dev.leasehold.simulator.plan.Plan;
import dev.leasehold.simulator.plan.Setting;
import dev.leasehold.simulator.store.SimulatedDatabase;
import dev.leasehold.simulator.world.Host;
import dev.leasehold.simulator.world.Wire;
import dev.leasehold.simulator.world.Workers;
import dev.leasehold.simulator.world.World;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Everything that takes part in one history. */
final class Stage {

    /** A call of a change stream returns after that long where nothing changes. Shorter ones make the same history with more steps. */
    private static final long WATCH_NANOS = 5_000_000_000L;

    private final Plan plan;
    private final EngineAssembly assembly;
    private final World world;
    private final Wire wire;
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
        this.world = new World(workers);
        this.world.trouble(LeaseException.class::isInstance);
        this.wire = new Wire(world, plan.setting().network());
        this.database = new SimulatedDatabase(
                world, wire, plan.setting().database(), plan.setting().commandNanos(), plan.seed(), WATCH_NANOS);
        this.tenures = new Tenures(plan.setting().leases());
        this.calls = new Calls(world);
    }

    /** Plays the plan from its beginning to its end. */
    History play() {
        for (Machine machine : plan.machines()) {
            addHost(new MachineClock(machine));
        }
        Players players = new Players(this);
        for (Command command : plan.commands()) {
            world.at(command.atNanos(), () -> players.play(command));
        }
        world.at(plan.setting().lengthNanos(), new Healing(this)::begin);
        world.run();
        return new History(plan, world.events(), clocks, world.steps());
    }

    private void addHost(MachineClock clock) {
        clocks.add(clock);
        Host host = world.addHost(clock, plan.seed() + clocks.size());
        services.add(null);
        host.onCrash(downNanos -> crash(host, downNanos, host.monotonicNanos()));
        startService(host);
    }

    private void startService(Host host) {
        prepareService(host).start(Service.instanceOf(host.number()));
    }

    /** A service in the place of the one that is there, which may still be about to end. It is still to be started. */
    Service prepareService(Host host) {
        Service service = new Service(this, host.startProgram());
        services.set(host.number(), service);
        all.add(service);
        return service;
    }

    /** The machine loses everything, and starts again later unless the healing is first. */
    void crash(Host host, long downNanos, long monotonicNanos) {
        Service killed = services.get(host.number());
        if (killed == null || healed) {
            return;
        }
        services.set(host.number(), null);
        world.record(new Event.Fault(world.nowNanos(), host.number(), Faults.CRASH, world.nowNanos() + downNanos));
        for (Service service : all) {
            if (service.program().host() == host && service.isUp()) {
                world.record(new Event.Stopped(
                        world.nowNanos(), host.number(), service.program().incarnation(), true));
            }
        }
        host.crash();
        world.after(downNanos, () -> {
            if (!healed && services.get(host.number()) == null) {
                host.clock().setMonotonic(world.nowNanos(), monotonicNanos);
                startService(host);
            }
        });
    }

    /** How late the threads of handles are on a machine; null for never. */
    @Nullable Lateness lateness(Host host) {
        Long lateNanos = plan.setting().threadLateNanos();
        boolean isObservers = host.number() == plan.machines().size() - 1;
        return lateNanos == null || isObservers
                ? null
                : new Lateness(new Draws(plan.seed() ^ world.nowNanos() + host.number()), lateNanos);
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

    World world() {
        return world;
    }

    Wire wire() {
        return wire;
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
